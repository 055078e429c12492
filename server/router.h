#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.h"
#include "sapi/http_head.h"
#include "server/document_root.h"
#include "server/static_file.h"
#include "server/url_path.h"

namespace ephpm::server {

/// Run a PHP file.
struct PhpScript {
  sapi::Script script;
  std::string query;  ///< QUERY_STRING: the request's own, or what the fallback made of it
};

/// Send the client elsewhere on this site.
struct Redirect {
  int status = 301;
  std::string location;  ///< path and query only, so that scheme, host and port stay as they are
};

/// Answer with an error and no body of its own.
struct Reject {
  int status = 404;
  std::string_view allow = {};  ///< value of the Allow field that a 405 needs; lives for ever
};

using Route = std::variant<StaticFile, PhpScript, Redirect, Reject>;

/// Decides what answers a request, from its method and target and the files that are there.
///
/// Works like nginx with `try_files` and the usual PHP location, in this order: methods that no
/// script may see are 405; targets without a safe path are 400; hidden names are 404; a path
/// segment that is a file ending in ".php" runs, and the rest is its PATH_INFO; a ".php" that is
/// not there is 404; else the fallback list decides. Names that look like source code are never
/// sent (private_names.h). Nothing outside the document root is touched, whatever links say.
///
/// The document root is resolved once, in the constructor: a site that is switched by a symbolic
/// link needs a new Router. Safe from any thread.
class Router {
 public:
  /// Throws std::runtime_error, naming the key, for a root that cannot be read and for index_files
  /// or fallback entries that mean nothing.
  explicit Router(const config::ServerConfig& config);

  /// Where a request goes. `target` is as sent by the client: origin form or absolute form.
  Route Resolve(std::string_view method, std::string_view target) const;

 private:
  /// One entry of the fallback list.
  struct Fallback {
    int status = 0;     ///< "=404": answer so; 0 for the other kinds
    std::string path;   ///< may hold $uri
    std::string query;  ///< may hold $query_string and $uri
  };
  struct Request;

  static Fallback ParseFallback(const std::string& entry);
  std::optional<Route> FindScript(const std::string& path, const std::string& query) const;
  std::optional<Route> Try(const Fallback& fallback, Request& request) const;
  std::optional<Route> TryFile(const std::string& path, Request& request) const;
  std::optional<Route> TryFolder(const std::string& path, const std::string& query,
                                 Request& request) const;
  std::optional<Route> TryIndex(const std::string& path, const std::string& query,
                                const Request& request) const;
  bool IsMissingStatic(const Request& request) const;
  PhpScript Run(std::string name, std::string path_info, const std::string& query) const;

  DocumentRoot root_;
  std::vector<std::string> index_files_;
  std::vector<Fallback> fallback_;
  std::vector<std::string> static_extensions_;  // lower case; empty: missing ones go to PHP
};

}  // namespace ephpm::server
