#include "config/parse_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "config/toml_text.h"

namespace ephpm::config {
namespace {

/// A wrong value may be a whole file by mistake; a message shows its start.
constexpr std::size_t kShownBytes = 80;

struct Unit {
  std::string_view name;
  std::int64_t factor;
};
constexpr std::array<Unit, 5> kSizeUnits = {
    {{"", 1}, {"K", 1LL << 10}, {"M", 1LL << 20}, {"G", 1LL << 30}, {"T", 1LL << 40}}};
constexpr std::array<Unit, 4> kTimeUnits = {
    {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};

std::string Shortened(std::string_view text) {
  if (text.size() <= kShownBytes) return Quoted(text);
  return Quoted(text.substr(0, kShownBytes)) + "...";
}

std::string NumberText(double number) {
  std::array<char, 32> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  return std::string(digits.data(), end);
}

std::string Describe(const Found& found) {
  struct {
    Found::Source source;
    std::string operator()(const std::string& text) const {
      return (source == Found::Source::kTyped ? "the string " : "") + Shortened(text);
    }
    std::string operator()(bool value) const {
      return value ? "the boolean true" : "the boolean false";
    }
    std::string operator()(std::int64_t number) const {
      return "the integer " + std::to_string(number);
    }
    std::string operator()(double number) const { return "the number " + NumberText(number); }
    std::string operator()(const std::vector<std::string>&) const { return "a list"; }
    std::string operator()(const Unusable& other) const { return other.what; }
  } describe{found.source};
  return std::visit(describe, found.value);
}

[[noreturn]] void Mismatch(const Found& found, const std::string& expected) {
  throw BadValue("expected " + expected + ", found " + Describe(found));
}

void RequireRange(std::int64_t value, const Range& range, std::string (*write)(std::int64_t)) {
  if (value >= range.min && value <= range.max) return;
  throw BadValue(write(value) + " is not within " + write(range.min) + " to " + write(range.max) +
                 ": " + std::string(range.reason));
}

/// The whole of `text` as a decimal integer; nothing if it is anything else or too large.
std::optional<std::int64_t> Integer(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || stop != end || error != std::errc()) return std::nullopt;
  return value;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameWord(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return Lower(x) == Lower(y); });
}

/// "64M" -> 64 * 1024 * 1024. Nothing for an unknown unit, a sign, or what does not fit.
template <std::size_t N>
std::optional<std::int64_t> WithUnit(std::string_view text, const std::array<Unit, N>& units) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::int64_t> number = Integer(text.substr(0, digits));
  if (!number) return std::nullopt;
  const std::string_view suffix = text.substr(digits);
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const Unit& u) { return SameWord(u.name, suffix); });
  if (unit == units.end()) return std::nullopt;
  if (*number > std::numeric_limits<std::int64_t>::max() / unit->factor) return std::nullopt;
  return *number * unit->factor;
}

const std::string& RequireText(const Found& found, const std::string& expected) {
  const auto* text = std::get_if<std::string>(&found.value);
  if (text == nullptr) Mismatch(found, expected);
  // Paths and names end up in C strings, which would be cut there without a word.
  if (text->find('\0') != std::string::npos) throw BadValue("the string holds a zero byte");
  return *text;
}

/// "[::1]:8080" begins like an array and is an address.
bool LooksLikeJsonArray(const std::string& text) {
  return text.starts_with('[') && (text.ends_with(']') || text.find('"') != std::string::npos);
}

std::vector<std::string> JsonList(const Found& found, const std::string& text) {
  const nlohmann::json array = nlohmann::json::parse(text, nullptr, false);
  const bool usable = array.is_array() && std::all_of(array.begin(), array.end(),
                                                      [](auto& item) { return item.is_string(); });
  if (!usable) Mismatch(found, R"(a JSON array of strings such as ["one", "two"])");
  return array.get<std::vector<std::string>>();
}

}  // namespace

bool ParseBool(const Found& found) {
  if (const auto* value = std::get_if<bool>(&found.value)) return *value;
  const auto* text = std::get_if<std::string>(&found.value);
  if (text != nullptr && found.source == Found::Source::kText) {
    for (const auto word : {"true", "1", "on", "yes"}) {
      if (SameWord(*text, word)) return true;
    }
    for (const auto word : {"false", "0", "off", "no"}) {
      if (SameWord(*text, word)) return false;
    }
  }
  Mismatch(found, "true or false");
}

std::int64_t ParseCount(const Found& found, const Range& range) {
  std::optional<std::int64_t> value;
  if (const auto* number = std::get_if<std::int64_t>(&found.value)) value = *number;
  const auto* text = std::get_if<std::string>(&found.value);
  if (text != nullptr && found.source == Found::Source::kText) value = Integer(*text);
  if (!value)
    Mismatch(found, "an integer such as " + std::to_string(std::max<std::int64_t>(range.min, 4)));
  RequireRange(*value, range, [](std::int64_t n) { return std::to_string(n); });
  return *value;
}

std::uint64_t ParseSize(const Found& found, const Range& range) {
  std::optional<std::int64_t> value;
  if (const auto* number = std::get_if<std::int64_t>(&found.value)) value = *number;
  if (const auto* text = std::get_if<std::string>(&found.value)) {
    value = WithUnit(*text, kSizeUnits);
  }
  if (!value) {
    Mismatch(found, R"(a size such as "64K", "64M" or "1G" (or a plain number of bytes))");
  }
  RequireRange(*value, range, [](std::int64_t n) {
    return n < 0 ? std::to_string(n) : TomlSize(static_cast<std::uint64_t>(n));
  });
  return static_cast<std::uint64_t>(*value);
}

std::chrono::milliseconds ParseDuration(const Found& found, const Range& range) {
  std::optional<std::int64_t> bare;
  if (const auto* number = std::get_if<std::int64_t>(&found.value)) bare = *number;
  const auto* text = std::get_if<std::string>(&found.value);
  if (text != nullptr) bare = Integer(*text);
  if (bare) {
    const std::string digits = std::to_string(*bare);
    throw BadValue(digits + " has no unit; write \"" + digits + "s\" for seconds or \"" + digits +
                   "ms\" for milliseconds");
  }
  const std::optional<std::int64_t> value =
      text != nullptr ? WithUnit(*text, kTimeUnits) : std::nullopt;
  if (!value) Mismatch(found, R"(a time such as "500ms", "30s", "2m" or "1h")");
  RequireRange(*value, range,
               [](std::int64_t n) { return TomlDuration(std::chrono::milliseconds(n)); });
  return std::chrono::milliseconds(*value);
}

std::size_t ParseChoice(const Found& found, const std::vector<std::string_view>& names) {
  const auto* text = std::get_if<std::string>(&found.value);
  const auto name = text != nullptr ? std::find(names.begin(), names.end(), *text) : names.end();
  if (name != names.end()) return static_cast<std::size_t>(name - names.begin());
  std::string expected = "one of ";
  for (const std::string_view choice : names) {
    expected += (choice == names.front() ? "" : ", ") + Quoted(choice);
  }
  Mismatch(found, expected);
}

std::string ParsePath(const Found& found) {
  const std::string& text = RequireText(found, R"(a path in quotes such as "/srv/site/public")");
  const std::filesystem::path path(text);
  if (text.empty() || found.folder.empty() || path.is_absolute()) return text;
  return (std::filesystem::path(found.folder) / path).lexically_normal().string();
}

std::vector<std::string> ParseList(const Found& found) {
  std::vector<std::string> items;
  const auto* text = std::get_if<std::string>(&found.value);
  if (const auto* list = std::get_if<std::vector<std::string>>(&found.value)) {
    items = *list;
  } else if (text == nullptr || found.source == Found::Source::kTyped) {
    Mismatch(found, R"(a list of strings such as ["one", "two"])");
  } else if (LooksLikeJsonArray(*text)) {
    items = JsonList(found, *text);
  } else {
    items = {*text};
  }
  for (const std::string& item : items) {
    if (item.empty()) throw BadValue("an item of the list is empty; an empty list is []");
    if (item.find('\0') != std::string::npos) throw BadValue("an item holds a zero byte");
  }
  return items;
}

std::string ParseIniValue(const Found& found) {
  if (const auto* value = std::get_if<bool>(&found.value)) return *value ? "1" : "0";
  if (const auto* number = std::get_if<std::int64_t>(&found.value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&found.value)) return NumberText(*number);
  const std::string& text =
      RequireText(found, R"(a php.ini value: a string such as "256M", a number, true or false)");
  // PHP reads one setting a line: a line break would smuggle in another setting.
  if (text.find_first_of("\r\n") != std::string::npos) {
    throw BadValue("a php.ini value is one line");
  }
  return text;
}

}  // namespace ephpm::config
