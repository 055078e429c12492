#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ephpm::config {

/// Why a value cannot be used, without place and key: whoever catches it knows these.
class BadValue : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A TOML value that no setting takes, by its name for the operator: "a table", "a date".
struct Unusable {
  std::string what;
};

/// A value as its source wrote it, before its key says what it must be. Value type.
struct Found {
  enum class Source {
    kTyped,  ///< TOML: a number in quotes is no number
    kText    ///< environment or command line: the text is all there is
  };

  std::variant<std::string, bool, std::int64_t, double, std::vector<std::string>, Unusable> value;
  Source source = Source::kTyped;
  std::string folder;  ///< where relative paths start; empty: the working directory
  std::string entry;   ///< of a key that is a table: the name inside it
};

/// Bounds of a number, both allowed, and the words that justify them to the operator.
struct Range {
  std::int64_t min;
  std::int64_t max;
  std::string_view reason;
};

// Each throws BadValue: what was found, what is expected, an example.

bool ParseBool(const Found& found);
std::int64_t ParseCount(const Found& found, const Range& range);
/// Bytes: "64K", "64M", "1G", "2T" (powers of 1024) or a plain number.
std::uint64_t ParseSize(const Found& found, const Range& range);
/// "500ms", "30s", "2m", "1h". A number without unit is refused: nobody agrees on its unit.
/// `range` is in milliseconds.
std::chrono::milliseconds ParseDuration(const Found& found, const Range& range);
/// The index in `names` of the word that was found.
std::size_t ParseChoice(const Found& found, const std::vector<std::string_view>& names);
/// A path; a relative one is taken from `found.folder`. Empty stays empty.
std::string ParsePath(const Found& found);
/// In the environment and on the command line: a JSON array of strings, or one bare item.
std::vector<std::string> ParseList(const Found& found);
/// The value of a php.ini setting: true and false become "1" and "0", numbers their digits.
std::string ParseIniValue(const Found& found);

}  // namespace ephpm::config
