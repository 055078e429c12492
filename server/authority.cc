#include "server/authority.h"

#include <algorithm>

#include "sapi/http_head.h"

namespace ephpm::server {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// RFC 3986 reg-name, plus nothing: no '@', '/', blanks or bytes above 127.
bool IsNameChar(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~%!$&'()*+,;=").find(c) != std::string_view::npos;
}

bool IsPort(std::string_view text) {
  return text.empty() || (text.front() == ':' && text.size() <= 6 &&
                          std::all_of(text.begin() + 1, text.end(), IsDigit));
}

}  // namespace

std::optional<std::string_view> HostOfAuthority(std::string_view authority) {
  std::size_t end;
  if (authority.starts_with('[')) {
    end = authority.find(']');
    if (end == std::string_view::npos || end == 1) return std::nullopt;
    const std::string_view inside = authority.substr(1, end - 1);
    const bool plausible = std::all_of(
        inside.begin(), inside.end(), [](char c) { return IsHexDigit(c) || c == ':' || c == '.'; });
    if (!plausible) return std::nullopt;
    ++end;
  } else {
    end = std::min(authority.find(':'), authority.size());
    const std::string_view name = authority.substr(0, end);
    if (!std::all_of(name.begin(), name.end(), IsNameChar)) return std::nullopt;
    if (name.empty() && !authority.empty()) return std::nullopt;
  }
  if (!IsPort(authority.substr(end))) return std::nullopt;
  return authority.substr(0, end);
}

std::optional<std::string_view> AuthorityOfTarget(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (scheme == std::string_view::npos) return std::nullopt;
  const std::string_view name = target.substr(0, scheme);
  if (!sapi::EqualsIgnoringCase(name, "http") && !sapi::EqualsIgnoringCase(name, "https")) {
    return std::nullopt;
  }
  const std::string_view rest = target.substr(scheme + 3);
  return rest.substr(0, std::min(rest.find_first_of("/?#"), rest.size()));
}

}  // namespace ephpm::server
