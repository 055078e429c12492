#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <string_view>

namespace ephpm::server {

/// "Sun, 06 Nov 1994 08:49:37 GMT". Independent of the locale, which PHP scripts may change.
std::string FormatHttpDate(std::time_t seconds);

/// Reads the three date formats of RFC 9110, section 5.6.7. Nothing for anything else.
std::optional<std::time_t> ParseHttpDate(std::string_view text);

}  // namespace ephpm::server
