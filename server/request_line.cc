#include "server/request_line.h"

#include <algorithm>

namespace ephpm::server {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kProtocol = "HTTP/";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsTokenChar(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsBlankOrControl(char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; }

std::optional<ProtocolError> CheckVersion(std::string_view version) {
  if (!version.starts_with(kProtocol)) return ProtocolError{400, "no HTTP in the request line"};
  version.remove_prefix(kProtocol.size());
  if (version.size() != 3 || !IsDigit(version[0]) || version[1] != '.' || !IsDigit(version[2])) {
    return ProtocolError{400, "malformed HTTP version"};
  }
  if (version == "1.0" || version == "1.1") return std::nullopt;
  return ProtocolError{505, "unsupported HTTP version"};
}

}  // namespace

bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenChar);
}

std::optional<ProtocolError> CheckRequestLine(std::string_view line) {
  if (!line.ends_with(kLineEnd)) return ProtocolError{400, "request line without CR LF"};
  line.remove_suffix(kLineEnd.size());
  const std::size_t method_end = std::min(line.find(' '), line.size());
  if (!IsToken(line.substr(0, method_end))) return ProtocolError{400, "malformed method"};
  const std::string_view rest = line.substr(std::min(method_end + 1, line.size()));
  const std::size_t target_end = std::min(rest.find(' '), rest.size());
  const std::string_view target = rest.substr(0, target_end);
  if (target.empty() || std::any_of(target.begin(), target.end(), IsBlankOrControl)) {
    return ProtocolError{400, "malformed request target"};
  }
  if (target_end == rest.size()) return ProtocolError{505, "HTTP/0.9"};
  return CheckVersion(rest.substr(target_end + 1));
}

}  // namespace ephpm::server
