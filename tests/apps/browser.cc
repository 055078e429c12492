#include "tests/apps/browser.h"

#include <chrono>
#include <stdexcept>
#include <string_view>

namespace ephpm::apps {
namespace {

/// As many redirects as browsers allow before they call it a loop.
constexpr int kMaxRedirects = 20;
/// An installation makes a whole database, perhaps under a sanitizer on a busy machine.
constexpr std::chrono::milliseconds kPatience{120'000};

std::string PathOf(const std::string& target) { return target.substr(0, target.find('?')); }

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/// A path begins with a cookie's path, at a boundary.
bool IsBelow(std::string_view path, std::string_view cookie_path) {
  if (!path.starts_with(cookie_path)) return false;
  return path.size() == cookie_path.size() || cookie_path.ends_with('/') ||
         path[cookie_path.size()] == '/';
}

}  // namespace

void CookieJar::Keep(const Response& response) {
  for (const std::string& line : response.All("Set-Cookie")) {
    const std::size_t equals = line.find('=');
    const std::size_t end = std::min(line.find(';'), line.size());
    if (equals == std::string::npos || equals > end) {
      throw std::runtime_error("not a cookie: " + line);
    }
    std::string path = "/";
    bool deleted = false;
    for (std::size_t at = end; at < line.size();) {
      const std::size_t begin = line.find_first_not_of("; ", at);
      if (begin == std::string::npos) break;
      at = std::min(line.find(';', begin), line.size());
      const std::string_view attribute = std::string_view(line).substr(begin, at - begin);
      if (attribute.starts_with("path=")) path = attribute.substr(5);
      if (attribute == "Max-Age=0") deleted = true;
    }
    const std::pair key(path, line.substr(0, equals));
    if (deleted) {
      cookies_.erase(key);
    } else {
      cookies_[key] = line.substr(equals + 1, end - equals - 1);
    }
  }
}

std::string CookieJar::For(const std::string& target) const {
  const std::string path = PathOf(target);
  std::string header;
  for (const auto& [key, value] : cookies_) {
    if (!IsBelow(path, key.first)) continue;
    if (!header.empty()) header.append("; ");
    header.append(key.second + '=' + value);
  }
  return header;
}

bool CookieJar::Has(std::string_view prefix) const {
  for (const auto& [key, value] : cookies_) {
    if (key.second.starts_with(prefix)) return true;
  }
  return false;
}

void PrintTo(const Page& page, std::ostream* out) {
  *out << page.target << " with status " << page.status << ", " << page.body.size() << " bytes of "
       << page.Header("Content-Type");
  const std::size_t title = page.body.find("<title");
  if (title == std::string::npos) return;
  *out << ", " << page.body.substr(title, page.body.find("</title>", title) - title);
}

Browser::Browser(Endpoint server, std::string authority, CookieJar cookies)
    : server_(std::move(server)), authority_(std::move(authority)), cookies_(std::move(cookies)) {}

void Browser::MoveTo(Endpoint server) {
  server_ = std::move(server);
  connection_.reset();
}

Response Browser::Send(Request request) {
  request.headers.emplace_back("Host", authority_);
  request.headers.emplace_back("User-Agent", "ephpm-test");
  const std::string cookies = cookies_.For(request.target);
  if (!cookies.empty()) request.headers.emplace_back("Cookie", cookies);
  if (!connection_) {
    connection_.emplace(server_,
                        blackbox::Client::Options{.patience = kPatience, .receive_buffer = 0});
  }
  Response response = connection_->Exchange(request);
  if (response.cut) throw std::runtime_error("the response was cut: " + request.target);
  if (response.framing == blackbox::Framing::kUntilClose ||
      response.Header("Connection") == "close") {
    connection_.reset();
  }
  cookies_.Keep(response);
  return response;
}

Page Browser::Follow(Request request) {
  for (int redirects = 0; redirects <= kMaxRedirects; ++redirects) {
    const Page page{{Send(request)}, request.target};
    if (!IsRedirect(page.status)) return page;
    const std::string target = Resolve(page.Header("Location"), request.target);
    request = Request{.target = target};
  }
  throw std::runtime_error("redirects without end, at " + request.target);
}

Page Browser::Open(const std::string& target) { return Follow(Request{.target = Resolve(target)}); }

Page Browser::Submit(const Page& page, const Form& form) {
  const std::string encoded = UrlEncode(form.fields);
  const std::string target = form.action.empty() ? page.target : Resolve(form.action, page.target);
  if (form.method == "GET") return Open(PathOf(target) + '?' + encoded);
  return Follow(Request{.target = target,
                        .method = form.method,
                        .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                        .body = encoded});
}

Page Browser::Post(const std::string& target, const MultipartBody& body) {
  return Follow(Request{.target = Resolve(target),
                        .method = "POST",
                        .headers = {{"Content-Type", MultipartBody::ContentType()}},
                        .body = body.Encode()});
}

std::string Browser::Resolve(const std::string& address, const std::string& base) const {
  const std::string site = "http://" + authority_;
  std::string target = address.substr(0, address.find('#'));
  if (target.starts_with(site) && (target.size() == site.size() || target[site.size()] == '/')) {
    target.erase(0, site.size());
  } else if (target.find("://") < target.find_first_of("?#") || target.starts_with("//")) {
    throw std::runtime_error("leads away from the site: " + address);
  } else if (target.starts_with('?')) {
    target.insert(0, PathOf(base));
  } else if (!target.starts_with('/')) {
    const std::string folder = PathOf(base);
    target.insert(0, folder.substr(0, folder.rfind('/') + 1));
  }
  return target.empty() ? "/" : target;
}

}  // namespace ephpm::apps
