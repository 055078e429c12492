#include "config/toml_text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace ephpm::config {
namespace {

bool IsBare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

void AppendEscaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (!IsControl(c)) {
    out += c;
    return;
  }
  std::array<char, 8> escape{};
  std::snprintf(escape.data(), escape.size(), "\\u%04X", static_cast<unsigned>(c));
  out += escape.data();
}

}  // namespace

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) AppendEscaped(out, c);
  out += '"';
  return out;
}

std::string TomlKey(std::string_view name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), IsBare);
  return bare ? std::string(name) : Quoted(name);
}

std::string TomlList(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ", ";
    out += Quoted(item);
  }
  return out + "]";
}

std::string TomlSize(std::uint64_t bytes) {
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t value = bytes;
  std::size_t unit = 0;
  while (value != 0 && value % 1024 == 0 && unit < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  std::string text = std::to_string(value);
  if (unit > 0) text += kUnits[unit - 1];
  return Quoted(text);
}

std::string TomlDuration(std::chrono::milliseconds time) {
  using std::chrono::hours;
  using std::chrono::minutes;
  using std::chrono::seconds;
  const auto divides = [time](auto unit) {
    return time.count() != 0 && time % unit == time.zero();
  };
  if (divides(hours(1))) return Quoted(std::to_string(time / hours(1)) + "h");
  if (divides(minutes(1))) return Quoted(std::to_string(time / minutes(1)) + "m");
  if (time % seconds(1) == time.zero()) return Quoted(std::to_string(time / seconds(1)) + "s");
  return Quoted(std::to_string(time.count()) + "ms");
}

}  // namespace ephpm::config
