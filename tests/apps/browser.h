#pragma once

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "tests/apps/html.h"
#include "tests/blackbox/http_client.h"

namespace ephpm::apps {

using blackbox::Endpoint;
using blackbox::Headers;
using blackbox::MultipartBody;
using blackbox::Request;
using blackbox::Response;

/// What a browser keeps for a site. Value type.
class CookieJar {
 public:
  /// Takes over what a response sets and deletes.
  void Keep(const Response& response);
  /// The value of the Cookie header for `target`; empty: there is none.
  std::string For(const std::string& target) const;
  /// True if it has a cookie whose name begins so.
  bool Has(std::string_view prefix) const;

 private:
  std::map<std::pair<std::string, std::string>, std::string> cookies_;  // (path, name) -> value
};

/// Where a browser arrived. Value type.
struct Page : Response {
  std::string target;  ///< path and query, after the redirects
};

/// Shows a page in a failure message: where it is, its status, its size and its title.
void PrintTo(const Page& page, std::ostream* out);

/// A visitor of one site: keeps cookies and the connection, follows redirects, sends forms.
///
/// Belongs to one thread. Throws std::runtime_error if the server does not answer.
class Browser {
 public:
  /// `authority` is what stands in the address bar, "HOST:PORT"; the connection goes to `server`.
  Browser(Endpoint server, std::string authority, CookieJar cookies = {});

  const CookieJar& cookies() const { return cookies_; }
  /// The site moves to another server; the visitor notices nothing.
  void MoveTo(Endpoint server);
  /// The response to one request, with the cookies and without following redirects.
  Response Send(Request request);
  /// Opens `target`, a path or an address of this site, and follows redirects.
  Page Open(const std::string& target);
  /// Sends `form` of `page` and follows redirects.
  Page Submit(const Page& page, const Form& form);
  /// Sends `body` to `target` and follows redirects.
  Page Post(const std::string& target, const MultipartBody& body);
  /// Path and query of `address`, as seen from the page at `base`. Throws if it is another site's.
  std::string Resolve(const std::string& address, const std::string& base = "/") const;

 private:
  Page Follow(Request request);

  Endpoint server_;
  std::string authority_;
  CookieJar cookies_;
  std::optional<blackbox::Client> connection_;
};

}  // namespace ephpm::apps
