#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ephpm::server {

/// A request target, taken apart. Value type.
struct UrlPath {
  /// Percent-decoded and normalised: starts with '/', no empty, "." or ".." segment, no NUL, no
  /// backslash; ends with '/' if the request's path does. '+' is itself, "%2F" is a separator.
  std::string path;
  std::string query;  ///< what follows the first '?', as sent, without a fragment

  /// True for "/" and for paths that name a folder.
  bool ends_with_slash() const { return path.back() == '/'; }
};

/// Takes a target in origin form ("/a?b") or absolute form ("http://host/a?b") apart. Nothing if
/// no safe file name can be made of it, which is a 400: neither form ("*"), a broken "%XY", a
/// blank or control character as such, NUL, a backslash, a ".." segment however often encoded, or
/// UTF-8 that spells an ASCII character in more than one byte.
std::optional<UrlPath> ParseUrlPath(std::string_view target);

/// `target` without the scheme and authority of an absolute form: what CGI calls REQUEST_URI.
std::string OriginForm(std::string_view target);

/// Where encoded text is to stand.
enum class UrlPart {
  kPath,        ///< all that a path may hold stays as it is
  kQueryValue,  ///< only letters, digits, "-._~" and '/' stay as they are
};

/// Percent-encodes decoded text.
std::string EncodeUrl(std::string_view text, UrlPart part);

}  // namespace ephpm::server
