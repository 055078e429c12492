#include "config/draft.h"

#include <cctype>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "config/nearest.h"
#include "config/toml_text.h"

namespace ephpm::config {
namespace {

constexpr std::string_view kPrefix = "EPHPM_";
constexpr std::string_view kNesting = "__";

std::string FullName(const Match& match) {
  std::string name(match.key->name);
  if (!match.entry.empty()) name += "." + match.entry;
  return name;
}

Found Text(std::string value) { return {std::move(value), Found::Source::kText, {}, {}}; }

/// "EPHPM_PHP__INI__MEMORY_LIMIT" -> "php.ini.memory_limit".
std::string Dotted(std::string_view variable) {
  std::string dotted;
  std::string_view rest = variable.substr(kPrefix.size());
  while (!rest.empty()) {
    if (rest.starts_with(kNesting)) {
      dotted += '.';
      rest.remove_prefix(kNesting.size());
      continue;
    }
    dotted += static_cast<char>(std::tolower(static_cast<unsigned char>(rest.front())));
    rest.remove_prefix(1);
  }
  return dotted;
}

std::string ExplainUnknownVariable(const std::string& dotted) {
  std::vector<std::string> names;
  for (const Key& key : Schema()) names.push_back(VariableName(key.name));
  const std::string nearest = Nearest(VariableName(dotted), names);
  if (nearest.empty()) return ExplainUnknown(dotted);
  return "no such setting; the nearest is " + nearest;
}

}  // namespace

void Draft::Set(const Match& match, Found found, const Place& place) {
  const std::string name = FullName(match);
  if (match.key->type == KeyType::kTable && match.entry.empty()) {
    throw ConfigError(place, name, "this is a table; set " + name + ".NAME");
  }
  found.entry = match.entry;
  try {
    match.key->set(config_, found);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(place, name, error.what());
  }
  origins_[name] = place.line > 0 ? place.file + ":" + std::to_string(place.line) : place.file;
}

std::string Draft::Origin(const std::string& key) const {
  const auto origin = origins_.find(key);
  return origin == origins_.end() ? "default" : origin->second;
}

LoadedConfig Draft::Finish() const {
  LoadedConfig loaded{config_, {}};
  for (const Key& key : Schema()) {
    const std::string name(key.name);
    if (key.type != KeyType::kTable) {
      loaded.settings.push_back({name, key.write(config_), Origin(name)});
      continue;
    }
    for (const auto& [entry, value] : key.entries(config_)) {
      const std::string full = FullName({&key, entry});
      loaded.settings.push_back({full, Quoted(value), Origin(full)});
    }
  }
  return loaded;
}

void ApplyEnvironment(const Environment& environment, Draft& draft) {
  const Place place{std::string(kEnvironment), 0, 0};
  std::set<std::string> seen;
  for (const std::string& assignment : environment) {
    const std::string variable = assignment.substr(0, assignment.find('='));
    if (variable.size() == assignment.size() || !variable.starts_with(kPrefix)) continue;
    if (variable.find(kNesting) == std::string::npos) continue;

    const std::string dotted = Dotted(variable);
    const std::optional<Match> match = FindKey(dotted);
    if (!match) throw ConfigError(place, dotted, ExplainUnknownVariable(dotted));
    if (!seen.insert(dotted).second) {
      throw ConfigError(place, dotted, "set twice, by names that differ in case only");
    }
    draft.Set(*match, Text(assignment.substr(variable.size() + 1)), place);
  }
}

void ApplyFlags(const Flags& flags, Draft& draft) {
  const Place place{std::string(kCommandLine), 0, 0};
  std::map<std::string, std::vector<std::string>> lists;
  for (const auto& [name, value] : flags) {
    const std::optional<Match> match = FindKey(name);
    if (!match) throw ConfigError(place, name, ExplainUnknown(name));
    Found found = Text(value);
    if (match->key->type == KeyType::kList) {
      std::vector<std::string>& items = lists[name];
      try {
        for (std::string& item : ParseList(found)) items.push_back(std::move(item));
      } catch (const std::invalid_argument& error) {
        throw ConfigError(place, name, error.what());
      }
      found.value = items;
    }
    draft.Set(*match, std::move(found), place);
  }
}

}  // namespace ephpm::config
