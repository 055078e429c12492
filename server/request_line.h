#pragma once

#include <optional>
#include <string_view>

namespace ephpm::server {

/// Why a request was refused before anybody looked at what it wants. Value type.
struct ProtocolError {
  int status = 400;
  std::string_view why;  ///< a constant, for the log
};

/// Checks a request line to the letter of RFC 9112, section 3: three parts with one blank between
/// them, ended by CR LF, version 1.0 or 1.1. `line` includes its line feed. Nothing if it is right.
std::optional<ProtocolError> CheckRequestLine(std::string_view line);

/// One or more of the characters that methods and field names consist of.
bool IsToken(std::string_view text);

}  // namespace ephpm::server
