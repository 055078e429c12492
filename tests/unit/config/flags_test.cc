#include <gmock/gmock.h>

#include "config/config.h"
#include "session.h"

namespace ephpm::config::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

TEST(ConfigFlags, TheLastOfSeveralValuesWins) {
  EXPECT_EQ(FromFlags({{"php.queue", "1"}, {"php.queue", "2"}}).config.php.queue, 2u);
}

TEST(ConfigFlags, ListsAddUp) {
  const Config config = FromFlags({{"server.listen", "127.0.0.1:1"},
                                   {"php.queue", "2"},
                                   {"server.listen", R"(["127.0.0.1:2", "127.0.0.1:3"])"}})
                            .config;
  EXPECT_THAT(config.server.listen, ElementsAre("127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"));
}

TEST(ConfigFlags, RefuseUnknownKeysWithTheNearest) {
  EXPECT_EQ(FlagError("php.worker", "2"),
            "command line: php.worker: no such setting; the nearest is php.workers");
}

TEST(ConfigFlags, SetPhpIniSettings) {
  EXPECT_EQ(IniFlag("memory_limit=256M"),
            (std::pair<std::string, std::string>("php.ini.memory_limit", "256M")));
  const Config config = FromFlags({IniFlag("opcache.jit=off"), IniFlag("display_errors"),
                                   IniFlag("a=b=c"), IniFlag("empty=")})
                            .config;
  EXPECT_THAT(config.php.ini, ElementsAre(Pair("a", "b=c"), Pair("display_errors", "1"),
                                          Pair("empty", ""), Pair("opcache.jit", "off")));
}

TEST(ConfigFlags, RefuseAPhpIniSettingWithoutAName) {
  EXPECT_THROW(FromFlags({IniFlag("=1")}), ConfigError);
  EXPECT_THROW(FromFlags({IniFlag("")}), ConfigError);
}

TEST(ConfigFlags, WithLineBreaksInTheirNamesStillGiveAMessageOfOneLine) {
  EXPECT_THAT(FlagError("php.ini.a\nb", "1"), Not(HasSubstr("\n")));
  EXPECT_THAT(FlagError("a\nb", "1"), Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace ephpm::config::testing
