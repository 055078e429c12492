#include "config/config.h"

#include <stdexcept>

namespace ephpm::config {
namespace {

/// toml++ 3.3 lost its way in a malformed file.
struct TomlAssertion : std::logic_error {
  using std::logic_error::logic_error;
};

[[noreturn]] void FailTomlAssertion(const char* condition) { throw TomlAssertion(condition); }

}  // namespace
}  // namespace ephpm::config

// toml++ 3.3 checks by assert() some of what the file has to fulfil ("[" at the end of a line),
// which would end the process; this way it is an error like others.
#define TOML_ASSERT(condition) ((condition) ? void() : ephpm::config::FailTomlAssertion(#condition))
#include <toml++/toml.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "config/draft.h"
#include "config/schema.h"
#include "config/toml_text.h"

namespace ephpm::config {
namespace {

/// A hand-written file is a few KiB. More is a wrong path, and must not fill the memory.
constexpr std::size_t kLargestFile = 1024UL * 1024;

/// A path or a name may hold line breaks, which would end a comment or begin a second message.
std::string OneLine(const std::string& text) {
  std::string line;
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return line;
}

std::string Message(const Place& place, const std::string& key, const std::string& why) {
  std::string message = place.file;
  if (place.line > 0) message += ":" + std::to_string(place.line);
  if (place.column > 0) message += ":" + std::to_string(place.column);
  if (!key.empty()) message += ": " + key;
  // The operator looks for the variable, not for the key that it sets.
  if (place.file == kEnvironment && !key.empty()) message += " (" + VariableName(key) + ")";
  return OneLine(message + ": " + why);
}

std::string ReadFile(const std::string& path) {
  const auto fail = [&path](const std::string& why) -> ConfigError {
    return {{path, 0, 0}, "", "cannot read the configuration: " + why};
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw fail("it is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fail(std::strerror(errno));
  std::string text(kLargestFile + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw fail(std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kLargestFile) throw fail("it is larger than 1M");
  return text;
}

/// Puts the settings of one TOML file upon a Draft.
class FileLayer {
 public:
  FileLayer(const std::string& path, Draft& draft)
      : path_(path), folder_(std::filesystem::path(path).parent_path().string()), draft_(draft) {}

  void Apply() { ApplyTable(Parse(), ""); }

 private:
  toml::table Parse() const {
    const std::string text = ReadFile(path_);
    try {
      return toml::parse(text, path_);
    } catch (const TomlAssertion&) {
      throw ConfigError(Place{path_, 0, 0}, "", "is not TOML; look for a bracket without its key");
    } catch (const toml::parse_error& error) {
      const toml::source_position& begin = error.source().begin;
      const Place place{path_, static_cast<int>(begin.line), static_cast<int>(begin.column)};
      throw ConfigError(place, "", std::string(error.description()));
    }
  }

  /// `prefix` is empty or a dotted name with its dot: "php.ini.".
  void ApplyTable(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      const Place place{path_, static_cast<int>(key.source().begin.line), 0};
      ApplyNode(name, node, place);
    }
  }

  void ApplyNode(const std::string& name, const toml::node& node, const Place& place) {
    const std::optional<Match> match = FindKey(name);
    // "opcache.jit" without quotes is a table inside [php.ini] to TOML, but one name to PHP.
    const bool in_table = match && match->key->type == KeyType::kTable;
    const bool holds_keys =
        IsSection(name) || (in_table && (match->entry.empty() || node.is_table()));
    if (holds_keys && !node.is_table()) {
      throw ConfigError(place, name, "this is a section; write [" + name + "] and its keys below");
    }
    if (holds_keys) {
      ApplyTable(*node.as_table(), name + ".");
    } else if (match) {
      draft_.Set(*match, ToFound(node), place);
    } else {
      throw ConfigError(place, name, ExplainUnknown(name));
    }
  }

  Found ToFound(const toml::node& node) const {
    Found found;
    found.folder = folder_;
    if (const auto text = node.value_exact<std::string>()) {
      found.value = *text;
    } else if (const auto boolean = node.value_exact<bool>()) {
      found.value = *boolean;
    } else if (const auto integer = node.value_exact<std::int64_t>()) {
      found.value = *integer;
    } else if (const auto number = node.value_exact<double>()) {
      found.value = *number;
    } else if (const toml::array* array = node.as_array()) {
      found.value = Unusable{"a list that holds other things than strings"};
      if (array->empty() || array->is_homogeneous<std::string>()) found.value = Strings(*array);
    } else {
      found.value = Unusable{node.is_table() ? "a table" : "a date or time"};
    }
    return found;
  }

  static std::vector<std::string> Strings(const toml::array& array) {
    std::vector<std::string> strings;
    for (const toml::node& item : array) strings.push_back(item.value_or(std::string()));
    return strings;
  }

  const std::string& path_;
  const std::string folder_;  // where the relative paths of the file start
  Draft& draft_;
};

}  // namespace

ConfigError::ConfigError(const Place& place, std::string key, const std::string& why)
    : std::runtime_error(Message(place, key, why)), place_(place), key_(std::move(key)) {}

ConfigError::ConfigError(std::string file, int line, std::string key, const std::string& why)
    : ConfigError(Place{std::move(file), line, 0}, std::move(key), why) {}

LoadedConfig LoadConfig(const std::string& path, const Environment& environment,
                        const Flags& flags) {
  Draft draft;
  if (!path.empty()) FileLayer(path, draft).Apply();
  ApplyEnvironment(environment, draft);
  ApplyFlags(flags, draft);
  return draft.Finish();
}

Environment ReadEnvironment(const char* const* variables) {
  Environment environment;
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    if (std::string_view(*variables).starts_with("EPHPM_")) environment.emplace_back(*variables);
  }
  return environment;
}

std::pair<std::string, std::string> IniFlag(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  // PHP's own command line reads a name without a value as "switch it on".
  std::string value = equals == std::string::npos ? "1" : assignment.substr(equals + 1);
  return {"php.ini." + assignment.substr(0, equals), std::move(value)};
}

std::string DescribeSettings(const LoadedConfig& loaded) {
  std::string text;
  std::string section;
  for (const Setting& setting : loaded.settings) {
    const std::optional<Match> match = FindKey(setting.key);
    // The names of php.ini settings have dots of their own, so a section does not end at the last.
    const std::string name = match && !match->entry.empty()
                                 ? match->entry
                                 : setting.key.substr(setting.key.rfind('.') + 1);
    const std::string own_section = setting.key.substr(0, setting.key.size() - name.size() - 1);
    if (own_section != section) {
      text += (text.empty() ? "[" : "\n[") + own_section + "]\n";
      section = own_section;
    }
    text += TomlKey(name) + " = " + setting.value + "  # " + OneLine(setting.origin) + "\n";
  }
  return text;
}

}  // namespace ephpm::config
