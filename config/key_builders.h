#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/parse_value.h"
#include "config/schema.h"
#include "config/toml_text.h"

/// One function for each type of setting, which makes a Key of a name and a field of Config.
/// For the table in schema.cc.
namespace ephpm::config {

/// Where in a Config a key keeps its value: a section and a field of it.
template <class Section, class Value>
struct Field {
  Section Config::*section;
  Value Section::*value;

  Value& In(Config& config) const { return config.*section.*value; }
  const Value& In(const Config& config) const { return config.*section.*value; }
};
template <class Section, class Value>
Field(Section Config::*, Value Section::*) -> Field<Section, Value>;

/// How a value is read and how it is written.
template <class Parse, class Write>
struct Convert {
  Parse parse;
  Write write;
};
template <class Parse, class Write>
Convert(Parse, Write) -> Convert<Parse, Write>;

/// What a key is called and what it means.
struct Words {
  std::string_view name;
  std::string_view meaning;
};

template <class F, class Parse, class Write>
Key MakeKey(Words words, KeyType type, F field, Convert<Parse, Write> convert) {
  Key key{words.name, words.meaning, type, {}, {}, {}};
  key.set = [field, parse = convert.parse](Config& config, const Found& found) {
    field.In(config) = parse(found);
  };
  key.write = [field, write = convert.write](const Config& config) {
    return write(field.In(config));
  };
  return key;
}

template <class F>
Key Bool(Words words, F field) {
  const auto write = [](bool value) { return std::string(value ? "true" : "false"); };
  return MakeKey(words, KeyType::kBool, field, Convert{ParseBool, write});
}

template <class Section, class Number>
Key Count(Words words, Field<Section, Number> field, Range range) {
  const auto parse = [range](const Found& found) {
    return static_cast<Number>(ParseCount(found, range));
  };
  const auto write = [](Number value) { return std::to_string(value); };
  return MakeKey(words, KeyType::kCount, field, Convert{parse, write});
}

template <class F>
Key Size(Words words, F field, Range range) {
  const auto parse = [range](const Found& found) { return ParseSize(found, range); };
  return MakeKey(words, KeyType::kSize, field, Convert{parse, TomlSize});
}

template <class F>
Key Duration(Words words, F field, Range range) {
  const auto parse = [range](const Found& found) { return ParseDuration(found, range); };
  return MakeKey(words, KeyType::kDuration, field, Convert{parse, TomlDuration});
}

enum class Empty { kAllowed, kRefused };

template <class F>
Key Path(Words words, F field, Empty empty) {
  const auto parse = [empty](const Found& found) {
    std::string path = ParsePath(found);
    if (path.empty() && empty == Empty::kRefused) throw BadValue("the path is empty");
    return path;
  };
  return MakeKey(words, KeyType::kText, field, Convert{parse, Quoted});
}

/// `names` stand in the order of the enumeration.
template <class Section, class Enum>
Key Choice(Words words, Field<Section, Enum> field, const std::vector<std::string_view>& names) {
  const auto parse = [names](const Found& found) {
    return static_cast<Enum>(ParseChoice(found, names));
  };
  const auto write = [names](Enum value) { return Quoted(names[static_cast<std::size_t>(value)]); };
  return MakeKey(words, KeyType::kChoice, field, Convert{parse, write});
}

/// `check` throws std::invalid_argument for a list that cannot be used.
template <class F, class Check>
Key List(Words words, F field, Check check) {
  const auto parse = [check](const Found& found) {
    std::vector<std::string> items = ParseList(found);
    check(items);
    return items;
  };
  return MakeKey(words, KeyType::kList, field, Convert{parse, TomlList});
}

inline bool IsIniName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
  });
}

template <class F>
Key IniTable(Words words, F field) {
  Key key{words.name, words.meaning, KeyType::kTable, {}, {}, {}};
  key.set = [field](Config& config, const Found& found) {
    if (!IsIniName(found.entry)) throw BadValue(Quoted(found.entry) + " is no name of php.ini");
    field.In(config)[found.entry] = ParseIniValue(found);
  };
  key.entries = [field](const Config& config) -> const std::map<std::string, std::string>& {
    return field.In(config);
  };
  return key;
}

}  // namespace ephpm::config
