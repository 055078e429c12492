#include <gmock/gmock.h>

#include "config/config.h"
#include "config/toml_text.h"
#include "session.h"

namespace ephpm::config::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(DescribeSettings, ShowsEachValueWithItsOrigin) {
  const Folder folder;
  const std::string path = folder.Write("site.toml", "[limits]\nbody = \"64M\"\n");
  const std::string text = DescribeSettings(LoadConfig(
      path, {"EPHPM_PHP__QUEUE=7"}, {{"php.mode", "worker"}, IniFlag("opcache.jit=off")}));
  EXPECT_THAT(text, StartsWith("[server]\nlisten = [\"0.0.0.0:8080\"]  # default\n"));
  EXPECT_THAT(text, HasSubstr("\n\n[limits]\n"));
  EXPECT_THAT(text, HasSubstr("\nbody = \"64M\"  # " + path + ":2\n"));
  EXPECT_THAT(text, HasSubstr("\nqueue = 7  # environment\n"));
  EXPECT_THAT(text, HasSubstr("\nmode = \"worker\"  # command line\n"));
  EXPECT_THAT(text, HasSubstr("\n[php.ini]\n\"opcache.jit\" = \"off\"  # command line\n"));
}

TEST(DescribeSettings, LeavesTheIniTableOutIfItIsEmpty) {
  EXPECT_THAT(DescribeSettings(LoadConfig("", {}, {})), Not(HasSubstr("[php.ini]")));
}

TEST(DescribeSettings, CanBeLoadedAgain) {
  const LoadedConfig loaded = FromFlags({{"server.document_root", "/srv/\"a\" \\ b\t\x7f é"},
                                         {"server.listen", "unix:/run/a#b.sock"},
                                         {"limits.body", "1000001"},
                                         {"timeouts.idle", "1500ms"},
                                         {"log.format", "json"},
                                         {"log.access", "false"},
                                         IniFlag("memory_limit=1M"),
                                         IniFlag("opcache.jit=o\"f\"f # no comment")});
  const LoadedConfig again = FromFile(DescribeSettings(loaded));
  ASSERT_EQ(again.settings.size(), loaded.settings.size());
  for (std::size_t i = 0; i < loaded.settings.size(); ++i) {
    EXPECT_EQ(again.settings[i].key, loaded.settings[i].key);
    EXPECT_EQ(again.settings[i].value, loaded.settings[i].value);
  }
  EXPECT_EQ(again.config.server.document_root, "/srv/\"a\" \\ b\t\x7f é");
  EXPECT_EQ(again.config.php.ini, loaded.config.php.ini);
}

TEST(DescribeSettings, KeepsAnOriginOnOneLine) {
  LoadedConfig loaded = LoadConfig("", {}, {});
  loaded.settings.front().origin = "a\nqueue = 1\r";
  EXPECT_THAT(DescribeSettings(loaded), HasSubstr("  # a?queue = 1?\n"));
}

TEST(TomlText, WritesSizesWithTheLargestUnit) {
  EXPECT_EQ(TomlSize(0), "\"0\"");
  EXPECT_EQ(TomlSize(1000), "\"1000\"");
  EXPECT_EQ(TomlSize(1024), "\"1K\"");
  EXPECT_EQ(TomlSize(1536), "\"1536\"");
  EXPECT_EQ(TomlSize(64u << 20), "\"64M\"");
  EXPECT_EQ(TomlSize(1ull << 50), "\"1024T\"");
}

TEST(TomlText, WritesTimesWithTheLargestUnit) {
  EXPECT_EQ(TomlDuration(milliseconds(0)), "\"0s\"");
  EXPECT_EQ(TomlDuration(milliseconds(1)), "\"1ms\"");
  EXPECT_EQ(TomlDuration(milliseconds(1500)), "\"1500ms\"");
  EXPECT_EQ(TomlDuration(milliseconds(75'000)), "\"75s\"");
  EXPECT_EQ(TomlDuration(milliseconds(120'000)), "\"2m\"");
  EXPECT_EQ(TomlDuration(milliseconds(7'200'000)), "\"2h\"");
}

TEST(TomlText, QuotesWhatABareKeyCannotHold) {
  EXPECT_EQ(TomlKey("memory_limit"), "memory_limit");
  EXPECT_EQ(TomlKey("opcache.jit"), "\"opcache.jit\"");
  EXPECT_EQ(TomlKey(""), "\"\"");
}

}  // namespace
}  // namespace ephpm::config::testing
