#include <gmock/gmock.h>

#include "config/config.h"
#include "session.h"

namespace ephpm::config::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::Pair;

TEST(LoadConfig, GivesTheDefaultsWhenNobodySetsAnything) {
  const LoadedConfig loaded = LoadConfig("", {}, {});
  EXPECT_THAT(loaded.config.server.listen, ElementsAre("0.0.0.0:8080"));
  EXPECT_EQ(loaded.config.limits.body, 128u * 1024 * 1024);
  EXPECT_EQ(loaded.config.php.mode, Mode::kRequest);
  for (const Setting& setting : loaded.settings) {
    EXPECT_EQ(setting.origin, "default") << setting.key;
  }
}

// Each pair of layers, with a value that only the right winner explains.

TEST(LoadConfig, FileWinsOverDefault) {
  const LoadedConfig loaded = FromFile("[php]\nqueue = 11");
  EXPECT_EQ(loaded.config.php.queue, 11u);
  EXPECT_THAT(SettingOf(loaded, "php.queue").origin, EndsWith("ephpm.toml:2"));
}

TEST(LoadConfig, EnvironmentWinsOverDefault) {
  const LoadedConfig loaded = FromEnvironment({"EPHPM_PHP__QUEUE=12"});
  EXPECT_EQ(loaded.config.php.queue, 12u);
  EXPECT_EQ(SettingOf(loaded, "php.queue").origin, "environment");
}

TEST(LoadConfig, FlagWinsOverDefault) {
  const LoadedConfig loaded = FromFlags({{"php.queue", "13"}});
  EXPECT_EQ(loaded.config.php.queue, 13u);
  EXPECT_EQ(SettingOf(loaded, "php.queue").origin, "command line");
}

TEST(LoadConfig, EnvironmentWinsOverFile) {
  const Folder folder;
  const std::string path = folder.Write("a.toml", "[php]\nqueue = 11\nworkers = 3");
  const LoadedConfig loaded = LoadConfig(path, {"EPHPM_PHP__QUEUE=12"}, {});
  EXPECT_EQ(loaded.config.php.queue, 12u);
  EXPECT_EQ(SettingOf(loaded, "php.queue").origin, "environment");
  EXPECT_EQ(loaded.config.php.workers, 3);
  EXPECT_EQ(SettingOf(loaded, "php.workers").origin, path + ":3");
}

TEST(LoadConfig, FlagWinsOverFile) {
  const Folder folder;
  const std::string path = folder.Write("a.toml", "[php]\nqueue = 11");
  EXPECT_EQ(LoadConfig(path, {}, {{"php.queue", "13"}}).config.php.queue, 13u);
}

TEST(LoadConfig, FlagWinsOverEnvironment) {
  const LoadedConfig loaded = LoadConfig("", {"EPHPM_PHP__QUEUE=12"}, {{"php.queue", "13"}});
  EXPECT_EQ(loaded.config.php.queue, 13u);
  EXPECT_EQ(SettingOf(loaded, "php.queue").origin, "command line");
}

TEST(LoadConfig, AListOfAStrongerLayerReplacesTheWeakerList) {
  const Folder folder;
  const std::string path = folder.Write("a.toml", R"([server]
listen = ["127.0.0.1:1", "127.0.0.1:2"])");
  const LoadedConfig loaded = LoadConfig(path, {"EPHPM_SERVER__LISTEN=127.0.0.1:3"}, {});
  EXPECT_THAT(loaded.config.server.listen, ElementsAre("127.0.0.1:3"));
}

TEST(LoadConfig, PhpIniSettingsMergeByName) {
  const Folder folder;
  const std::string path = folder.Write("a.toml", R"([php.ini]
memory_limit = "1M"
precision = 14
display_errors = true)");
  const LoadedConfig loaded =
      LoadConfig(path, {"EPHPM_PHP__INI__MEMORY_LIMIT=2M", "EPHPM_PHP__INI__PRECISION=17"},
                 {{"php.ini.memory_limit", "3M"}});
  EXPECT_THAT(loaded.config.php.ini,
              ElementsAre(Pair("display_errors", "1"), Pair("memory_limit", "3M"),
                          Pair("precision", "17")));
  EXPECT_EQ(SettingOf(loaded, "php.ini.memory_limit").origin, "command line");
  EXPECT_EQ(SettingOf(loaded, "php.ini.precision").origin, "environment");
  EXPECT_EQ(SettingOf(loaded, "php.ini.display_errors").origin, path + ":4");
}

TEST(LoadConfig, AWrongValueIsRefusedEvenWhereAStrongerLayerReplacesIt) {
  const Folder folder;
  const std::string path = folder.Write("a.toml", "[php]\nqueue = 0");
  EXPECT_THROW(LoadConfig(path, {}, {{"php.queue", "13"}}), ConfigError);
}

}  // namespace
}  // namespace ephpm::config::testing
