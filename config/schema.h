#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "config/parse_value.h"

namespace ephpm::config {

/// More threads than any machine this runs on needs; each has its own interpreter (tens of MB).
inline constexpr int kMostWorkers = 1024;
inline constexpr int kMostIoThreads = 256;

enum class KeyType { kBool, kCount, kSize, kDuration, kText, kChoice, kList, kTable };

/// One setting: what it is called, what it means, how a value gets into a Config and out of it.
struct Key {
  std::string_view name;     ///< dotted: "limits.body"
  std::string_view meaning;  ///< one line for the reference
  KeyType type;
  /// Checks and stores a value; throws std::invalid_argument with the reason.
  std::function<void(Config&, const Found&)> set;
  /// The value as TOML. Not for a table: its entries are strings.
  std::function<std::string(const Config&)> write;
  /// Of a table, its entries; otherwise empty.
  std::function<const std::map<std::string, std::string>&(const Config&)> entries;
};

/// Every setting, once, in the order of the reference. The file, the environment, the command
/// line and `ephpmd check` all work from this table. Safe from any thread.
const std::vector<Key>& Schema();

/// A dotted name that the schema knows. `key` lives as long as the program.
struct Match {
  const Key* key;
  std::string entry;  ///< "opcache.jit" of "php.ini.opcache.jit"; empty if the key is no table
};
std::optional<Match> FindKey(std::string_view dotted);

/// Whether `dotted` is a part of the file such as "limits", which holds keys but is none.
bool IsSection(std::string_view dotted);

/// What to tell the operator about a name that the schema does not know.
std::string ExplainUnknown(std::string_view dotted);

/// The variable of the environment that sets `dotted`: "EPHPM_LIMITS__BODY".
std::string VariableName(std::string_view dotted);

}  // namespace ephpm::config
