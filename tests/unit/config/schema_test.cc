#include "config/schema.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "config/toml_text.h"
#include "session.h"

namespace ephpm::config::testing {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path kSource = EPHPM_SOURCE_DIR;

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Enters a folder for as long as it lives.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::filesystem::path& folder)
      : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~WorkingDirectory() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

std::string DefaultOf(const Key& key) {
  return key.type == KeyType::kTable ? "" : key.write(Config{});
}

/// The row of the reference in README.md.
std::string ReferenceRow(const Key& key) {
  const std::string value = key.type == KeyType::kTable ? "{}" : DefaultOf(key);
  return "| `" + std::string(key.name) + "` | `" + value + "` | " + std::string(key.meaning) + " |";
}

TEST(Schema, NamesEveryKeyOnceWithItsMeaning) {
  std::set<std::string_view> names;
  for (const Key& key : Schema()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_FALSE(key.meaning.empty()) << key.name;
    EXPECT_EQ(key.meaning.find_first_of("\n|"), std::string_view::npos) << key.name;
  }
}

TEST(Schema, AcceptsItsOwnDefaults) {
  for (const Key& key : Schema()) {
    if (key.type == KeyType::kTable) continue;
    EXPECT_NO_THROW(FromFile(std::string(key.name) + " = " + DefaultOf(key))) << key.name;
  }
}

// A key that wrote to another key's field would show up in that key's value.
TEST(Schema, EveryKeyChangesItsOwnValueAndNoOther) {
  const std::map<KeyType, std::string> others = {{KeyType::kCount, "9"},
                                                 {KeyType::kSize, "5M"},
                                                 {KeyType::kDuration, "7s"},
                                                 {KeyType::kText, "/other"}};
  for (const Key& key : Schema()) {
    if (key.type == KeyType::kTable) continue;
    const std::string name(key.name);
    std::string value;
    if (others.contains(key.type)) {
      value = others.at(key.type);
    } else if (key.type == KeyType::kBool) {
      value = DefaultOf(key) == "true" ? "false" : "true";
    } else if (name == "server.listen") {
      value = ":9";
    } else if (name == "server.fallback") {
      value = "/other.php";
    } else if (key.type == KeyType::kList) {
      value = "other";
    } else {
      value = name == "php.mode" ? "worker" : name == "log.level" ? "error" : "json";
    }
    const LoadedConfig loaded = FromFlags({{name, value}});
    for (const Setting& setting : loaded.settings) {
      const bool same = setting.value == DefaultOf(*FindKey(setting.key)->key);
      EXPECT_EQ(same, setting.key != name) << name << " = " << value << ", " << setting.key;
      EXPECT_EQ(setting.origin, setting.key == name ? "command line" : "default");
    }
  }
}

TEST(Schema, FindsEntriesOfATableByTheirDottedNames) {
  EXPECT_EQ(FindKey("php.ini.opcache.jit")->entry, "opcache.jit");
  EXPECT_EQ(FindKey("php.ini.opcache.jit")->key->name, "php.ini");
  EXPECT_EQ(FindKey("php.ini_file")->key->name, "php.ini_file");
  EXPECT_EQ(FindKey("php.ini")->entry, "");
  EXPECT_FALSE(FindKey("php.ini_other"));
  EXPECT_FALSE(FindKey("php"));
  EXPECT_FALSE(FindKey(""));
}

TEST(Schema, NamesTheVariableOfAKey) {
  EXPECT_EQ(VariableName("limits.header_bytes"), "EPHPM_LIMITS__HEADER_BYTES");
  EXPECT_EQ(VariableName("php.ini.opcache.jit"), "EPHPM_PHP__INI__OPCACHE__JIT");
}

TEST(ExampleFile, HoldsExactlyTheDefaults) {
  const WorkingDirectory directory(kSource / "config");  // its document root is the file's folder
  const LoadedConfig example = LoadConfig("ephpm.toml", {}, {});
  const LoadedConfig defaults = LoadConfig("", {}, {});
  ASSERT_EQ(example.settings.size(), defaults.settings.size());
  for (std::size_t i = 0; i < defaults.settings.size(); ++i) {
    EXPECT_EQ(example.settings[i].key, defaults.settings[i].key);
    EXPECT_EQ(example.settings[i].value, defaults.settings[i].value) << defaults.settings[i].key;
  }
}

TEST(ExampleFile, SetsEveryKey) {
  const LoadedConfig example = LoadConfig((kSource / "config/ephpm.toml").string(), {}, {});
  for (const Setting& setting : example.settings) {
    EXPECT_THAT(setting.origin, HasSubstr("ephpm.toml:")) << setting.key;
  }
  EXPECT_THAT(ReadText(kSource / "config/ephpm.toml"), HasSubstr("\n[php.ini]\n"));
}

TEST(Readme, HasARowForEveryKey) {
  const std::string readme = ReadText(kSource / "README.md");
  for (const Key& key : Schema()) {
    const bool named = readme.find("`" + std::string(key.name) + "`") != std::string::npos;
    EXPECT_TRUE(named) << "README.md lacks this row:\n" << ReferenceRow(key);
  }
}

}  // namespace
}  // namespace ephpm::config::testing
