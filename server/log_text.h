#pragma once

#include <string>
#include <string_view>

namespace ephpm::server {

/// Adds `text` so that it stays on its line and inside double quotes: quotes, backslashes and bytes
/// outside of printable ASCII become escapes (\" \\ \xHH). For the text formats.
void AppendEscaped(std::string& out, std::string_view text);

/// Adds `text` so that it stays on its line: control bytes become escapes, everything else is kept.
void AppendLine(std::string& out, std::string_view text);

/// Adds `text` as the inside of a JSON string. Bytes that are no UTF-8 become U+FFFD, so that the
/// line stays JSON whatever a client sends.
void AppendJson(std::string& out, std::string_view text);

}  // namespace ephpm::server
