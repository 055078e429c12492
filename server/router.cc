#include "server/router.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "server/mime_types.h"
#include "server/private_names.h"

namespace ephpm::server {
namespace {

using Kind = DocumentRoot::Kind;

constexpr std::string_view kStaticMethods = "GET, HEAD, OPTIONS";
constexpr std::string_view kScriptMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// TRACE and TRACK return what proxies added to a request; CONNECT asks for a tunnel.
constexpr std::array<std::string_view, 3> kRefusedMethods = {"TRACE", "TRACK", "CONNECT"};

/// Files that applications answer for without having them: a missing one goes to PHP even if its
/// extension is a static one.
struct VirtualFile {
  std::string_view path;
  std::string_view why;
};
constexpr std::array kVirtualFiles = {
    VirtualFile{"/robots.txt", "WordPress and SEO plugins"},
    VirtualFile{"/favicon.ico", "WordPress redirects to the site icon"},
    VirtualFile{"/ads.txt", "advertising plugins"},
    VirtualFile{"/app-ads.txt", "advertising plugins"},
    VirtualFile{"/humans.txt", "SEO plugins"},
    VirtualFile{"/llms.txt", "SEO plugins"},
    VirtualFile{"/security.txt", "security plugins"},
};
/// Last segments of such files in any folder: feeds, whose names are custom rather than standard.
constexpr std::array<std::string_view, 6> kFeeds = {"feed.xml", "rss.xml", "rss2.xml",
                                                    "atom.xml", "rdf.xml", "feed.json"};
/// A sitemap is a file of one of these with "sitemap" in its name: "wp-sitemap-posts-post-1.xml".
constexpr std::array<std::string_view, 4> kSitemapEndings = {".xml", ".xsl", ".xml.gz", ".txt"};

std::string_view LastSegment(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool IsVirtual(std::string_view path) {
  if (path.starts_with("/.well-known/")) return true;
  const bool listed = std::any_of(kVirtualFiles.begin(), kVirtualFiles.end(),
                                  [&](const VirtualFile& file) { return file.path == path; });
  if (listed) return true;
  const std::string_view name = LastSegment(path);
  if (std::find(kFeeds.begin(), kFeeds.end(), name) != kFeeds.end()) return true;
  return name.find("sitemap") != std::string_view::npos &&
         std::any_of(kSitemapEndings.begin(), kSitemapEndings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

/// The answer for a path that is there but cannot be had, or nothing.
std::optional<Route> Failure(Kind kind) {
  if (kind == Kind::kForbidden) return Reject{.status = 403};
  if (kind == Kind::kUnavailable) return Reject{.status = 503};
  return std::nullopt;
}

bool IsNotFound(const Route& route) {
  const auto* reject = std::get_if<Reject>(&route);
  return reject != nullptr && reject->status == 404;
}

Route Serve(const std::string& path, DocumentRoot::Entry entry, std::string_view method) {
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  const std::string_view name = LastSegment(path);
  if (RuleForName(name) != NameRule::kPublic || HasHiddenSegment(path)) {
    return Reject{.status = 404};
  }
  if (method != "GET" && method != "HEAD" && method != "OPTIONS") {
    return Reject{.status = 405, .allow = kStaticMethods};
  }
  StaticFile file;
  file.path = path;
  file.size = static_cast<std::uint64_t>(entry.facts.st_size);
  file.modified_ns =
      entry.facts.st_mtim.tv_sec * kNanosecondsPerSecond + entry.facts.st_mtim.tv_nsec;
  file.content_type = ContentTypeOf(name);
  file.file = std::move(entry.fd);
  return file;
}

/// `text` with each `name` replaced by `value`.
std::string Substitute(std::string_view text, std::string_view name, std::string_view value) {
  std::string result;
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name)) {
    result.append(text.substr(0, at)).append(value);
    text.remove_prefix(at + name.size());
  }
  return result.append(text);
}

/// A fallback's path for a request of `uri`, whose slash at the end is not doubled.
std::string ExpandPath(std::string_view text, std::string_view uri) {
  constexpr std::string_view kName = "$uri";
  std::string path;
  for (std::size_t at = text.find(kName); at != std::string_view::npos; at = text.find(kName)) {
    path.append(text.substr(0, at)).append(uri);
    text.remove_prefix(at + kName.size());
    if (path.ends_with('/') && text.starts_with('/')) path.pop_back();
  }
  return path.append(text);
}

[[noreturn]] void RefuseEntry(const std::string& key, const std::string& entry,
                              const std::string& why) {
  throw std::runtime_error("server." + key + ": \"" + entry + "\" " + why);
}

}  // namespace

/// What Resolve knows so far.
struct Router::Request {
  std::string_view method;
  UrlPath url;
  std::optional<Kind> found;  ///< what is at url.path, once it was looked up
};

Router::Router(const config::ServerConfig& config) : root_(config.document_root) {
  for (const std::string& name : config.index_files) {
    if (name.empty() || name.find('/') != std::string::npos) {
      RefuseEntry("index_files", name, "is not the name of a file");
    }
    index_files_.push_back(name);
  }
  for (const std::string& entry : config.fallback) {
    fallback_.push_back(ParseFallback(entry));
    if (fallback_.back().status != 0 && &entry != &config.fallback.back()) {
      RefuseEntry("fallback", entry, "can only be the last entry");
    }
  }
  if (!config.missing_static_404) return;
  for (const std::string_view extension : config.static_extensions) {
    static_extensions_.push_back(LowerAscii(extension.substr(extension.starts_with('.') ? 1 : 0)));
  }
}

Router::Fallback Router::ParseFallback(const std::string& entry) {
  Fallback fallback;
  if (entry.starts_with('=')) {
    const bool is_code = entry.size() == 4 && (entry[1] == '4' || entry[1] == '5') &&
                         entry.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!is_code) RefuseEntry("fallback", entry, "is not an error status: =400 to =599");
    fallback.status = std::stoi(entry.substr(1));
    return fallback;
  }
  if (!entry.starts_with('/') && !entry.starts_with("$uri")) {
    RefuseEntry("fallback", entry, "starts with neither \"/\", \"$uri\" nor \"=\"");
  }
  // "$is_args" is a question mark if there is a query; an empty query behind one means the same.
  std::string text = Substitute(entry, "$is_args", "?");
  text = Substitute(text, "$args", "$query_string");
  const std::size_t question = text.find('?');
  fallback.path = text.substr(0, question);
  if (question != std::string::npos) {
    fallback.query = text.substr(question + 1);
  } else if (fallback.path.find("$uri") != std::string::npos) {
    // The request's own path keeps its query; a fixed one has only what it names, as in nginx.
    fallback.query = "$query_string";
  }
  const std::string path_rest = Substitute(fallback.path, "$uri", "");
  const std::string query_rest =
      Substitute(Substitute(fallback.query, "$uri", ""), "$query_string", "");
  if (path_rest.find('$') != std::string::npos || query_rest.find('$') != std::string::npos) {
    RefuseEntry("fallback", entry,
                "has an unknown variable; known are $uri, and $query_string, $args, $is_args "
                "in the query");
  }
  return fallback;
}

Route Router::Resolve(std::string_view method, std::string_view target) const {
  if (std::find(kRefusedMethods.begin(), kRefusedMethods.end(), method) != kRefusedMethods.end()) {
    return Reject{.status = 405, .allow = kScriptMethods};
  }
  std::optional<UrlPath> url = ParseUrlPath(target);
  if (!url) return Reject{.status = 400};
  if (HasHiddenSegment(url->path)) return Reject{.status = 404};
  Request request{method, *std::move(url), std::nullopt};

  if (std::optional<Route> route = FindScript(request.url.path, request.url.query)) {
    return *std::move(route);
  }
  const std::string_view name = LastSegment(request.url.path);
  if (!EndsInPhp(name) && RuleForName(name) == NameRule::kPhp) return Reject{.status = 404};

  for (const Fallback& fallback : fallback_) {
    const bool is_last = &fallback == &fallback_.back();
    if (is_last && IsMissingStatic(request)) break;
    if (std::optional<Route> route = Try(fallback, request)) return *std::move(route);
  }
  return Reject{.status = 404};
}

/// The script that a segment of `path` names; 404 if a segment ends in ".php" and nothing is there;
/// nothing if no segment does, or only folders do.
std::optional<Route> Router::FindScript(const std::string& path, const std::string& query) const {
  for (std::size_t begin = 1; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (EndsInPhp(std::string_view(path).substr(begin, end - begin))) {
      std::string name = path.substr(0, end);
      const Kind kind = root_.Look(name);
      if (kind == Kind::kFile) return Run(std::move(name), path.substr(end), query);
      if (kind == Kind::kMissing) return Reject{.status = 404};
      if (std::optional<Route> failure = Failure(kind)) return failure;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<Route> Router::Try(const Fallback& fallback, Request& request) const {
  if (fallback.status != 0) return Reject{.status = fallback.status};
  if (fallback.path == "$uri") {
    if (!request.url.ends_with_slash()) return TryFile(request.url.path, request);
    return std::nullopt;
  }
  std::string query = fallback.query;
  if (query.find("$uri") != std::string::npos) {
    query = Substitute(query, "$uri", EncodeUrl(request.url.path, UrlPart::kQueryValue));
  }
  query = Substitute(query, "$query_string", request.url.query);

  const std::string path = ExpandPath(fallback.path, request.url.path);
  if (std::optional<Route> route = FindScript(path, query)) {
    // A script that is not there is one more entry that did not match.
    if (IsNotFound(*route)) return std::nullopt;
    return route;
  }
  return path.ends_with('/') ? TryFolder(path, query, request) : TryFile(path, request);
}

std::optional<Route> Router::TryFile(const std::string& path, Request& request) const {
  DocumentRoot::Entry entry = root_.Open(path);
  if (path == request.url.path) request.found = entry.kind;
  if (entry.kind == Kind::kFile) return Serve(path, std::move(entry), request.method);
  return Failure(entry.kind);
}

std::optional<Route> Router::TryFolder(const std::string& path, const std::string& query,
                                       Request& request) const {
  const bool lacks_slash =
      path.size() == request.url.path.size() + 1 && path.starts_with(request.url.path);
  if (!lacks_slash) return TryIndex(path, query, request);

  if (!request.found) request.found = root_.Look(request.url.path);
  if (request.found != Kind::kFolder) return Failure(*request.found);
  std::string location = EncodeUrl(path, UrlPart::kPath);
  if (!request.url.query.empty()) location.append("?").append(request.url.query);
  return Redirect{.status = 301, .location = std::move(location)};
}

std::optional<Route> Router::TryIndex(const std::string& path, const std::string& query,
                                      const Request& request) const {
  // Most paths with a slash are an application's own: one system call finds no folder. The root
  // folder is always there.
  const bool is_root = path == "/";
  DocumentRoot::Entry folder;
  if (!is_root) {
    folder = root_.OpenFolder(path);
    if (folder.kind != Kind::kFolder) return Failure(folder.kind);
  }
  for (const std::string& index : index_files_) {
    std::string file = path + index;
    const Kind kind = is_root ? root_.Look(file) : root_.LookIn(folder, path, index);
    if (std::optional<Route> failure = Failure(kind)) return failure;
    if (kind != Kind::kFile) continue;
    if (EndsInPhp(index)) return Run(std::move(file), "", query);
    DocumentRoot::Entry entry = root_.Open(file);
    if (entry.kind == Kind::kFile) return Serve(file, std::move(entry), request.method);
    if (std::optional<Route> failure = Failure(entry.kind)) return failure;
  }
  return std::nullopt;
}

bool Router::IsMissingStatic(const Request& request) const {
  if (request.found != Kind::kMissing || static_extensions_.empty()) return false;
  const std::string_view name = LastSegment(request.url.path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string extension = LowerAscii(name.substr(dot + 1));
  return std::find(static_extensions_.begin(), static_extensions_.end(), extension) !=
             static_extensions_.end() &&
         !IsVirtual(request.url.path);
}

PhpScript Router::Run(std::string name, std::string path_info, const std::string& query) const {
  PhpScript php;
  php.script.document_root = root_.path();
  php.script.filename = root_.FileName(name);
  php.script.name = std::move(name);
  php.script.path_info = std::move(path_info);
  php.query = query;
  return php;
}

}  // namespace ephpm::server
