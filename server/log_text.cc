#include "server/log_text.h"

#include <cstddef>
#include <cstdint>

namespace ephpm::server {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

bool IsContinuation(unsigned char c) { return (c & 0xc0) == 0x80; }

/// Bytes of the well-formed UTF-8 character that `text` begins with, 0 if there is none.
/// Requires: text is not empty.
std::size_t CharacterSize(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = at(0);
  std::size_t size = 0;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) size = 2;
  if (first >= 0xe0 && first <= 0xef) size = 3;
  if (first >= 0xf0 && first <= 0xf4) size = 4;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!IsContinuation(at(i))) return 0;
  }
  // Overlong forms, surrogates and what lies above U+10FFFF show in the second byte.
  const unsigned char second = at(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return size;
}

void AppendHex(std::string& out, unsigned char c) {
  out.push_back(kHex[c >> 4]);
  out.push_back(kHex[c & 0x0f]);
}

}  // namespace

void AppendEscaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte >= 0x20 && byte < 0x7f) {
      out.push_back(c);
    } else {
      out.append("\\x");
      AppendHex(out, byte);
    }
  }
}

void AppendLine(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out.append("\\n");
    } else if ((byte < 0x20 && c != '\t') || byte == 0x7f) {
      out.append("\\x");
      AppendHex(out, byte);
    } else {
      out.push_back(c);
    }
  }
}

void AppendJson(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t size = CharacterSize(text);
    if (size == 0) {
      out.append(kReplacement);
    } else if (byte == '"' || byte == '\\') {
      out.push_back('\\');
      out.push_back(text.front());
    } else if (byte == '\n') {
      out.append("\\n");
    } else if (byte < 0x20 || byte == 0x7f) {
      out.append("\\u00");
      AppendHex(out, byte);
    } else {
      out.append(text.substr(0, size));
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

}  // namespace ephpm::server
