#include <gmock/gmock.h>

#include "config/config.h"
#include "session.h"

namespace ephpm::config::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ConfigEnvironment, NestsWithTwoUnderscoresAndIgnoresCase) {
  const Config config =
      FromEnvironment({"EPHPM_LIMITS__BODY_MEMORY=1K", "EPHPM_php__Queue=7"}).config;
  EXPECT_EQ(config.limits.body_memory, 1024u);
  EXPECT_EQ(config.php.queue, 7u);
}

TEST(ConfigEnvironment, KeepsEverythingBehindTheFirstEqualsSign) {
  EXPECT_THAT(FromEnvironment({"EPHPM_PHP__INI__URL=a=b=c"}).config.php.ini,
              ElementsAre(Pair("url", "a=b=c")));
}

TEST(ConfigEnvironment, ReadsListsAsJsonArrays) {
  const Config config =
      FromEnvironment({R"(EPHPM_SERVER__LISTEN=["127.0.0.1:8080", "[::1]:8080"])"}).config;
  EXPECT_THAT(config.server.listen, ElementsAre("127.0.0.1:8080", "[::1]:8080"));
}

TEST(ConfigEnvironment, ReadsABareItemAsAListOfOne) {
  EXPECT_THAT(FromEnvironment({"EPHPM_SERVER__LISTEN=127.0.0.1:8081"}).config.server.listen,
              ElementsAre("127.0.0.1:8081"));
  EXPECT_THAT(FromEnvironment({"EPHPM_SERVER__LISTEN=[::1]:8081"}).config.server.listen,
              ElementsAre("[::1]:8081"));
}

TEST(ConfigEnvironment, DoesNotSeparateListsAtCommas) {
  EXPECT_THAT(FromEnvironment({"EPHPM_SERVER__INDEX_FILES=a,b.php"}).config.server.index_files,
              ElementsAre("a,b.php"));
  EXPECT_THAT(EnvironmentError("EPHPM_SERVER__LISTEN=127.0.0.1:1,127.0.0.1:2"),
              HasSubstr("several addresses are a list"));
}

TEST(ConfigEnvironment, RefusesJsonThatIsNoArrayOfStrings) {
  for (const char* value : {"[1, 2]", "[\"a\", 2]", "[a]", "[\"a\"", "[[\"a\"]]", "[\"a\",]"}) {
    EXPECT_THAT(EnvironmentError(std::string("EPHPM_SERVER__INDEX_FILES=") + value),
                HasSubstr(R"(expected a JSON array of strings such as ["one", "two"], found )"))
        << value;
  }
}

TEST(ConfigEnvironment, TakesAnEmptyArrayButNoEmptyItem) {
  EXPECT_THAT(FromEnvironment({"EPHPM_SERVER__INDEX_FILES=[]"}).config.server.index_files,
              IsEmpty());
  EXPECT_THAT(EnvironmentError("EPHPM_SERVER__INDEX_FILES="),
              HasSubstr("an item of the list is empty; an empty list is []"));
}

TEST(ConfigEnvironment, SetsPhpIniSettingsWithDotsInTheirNames) {
  EXPECT_THAT(FromEnvironment({"EPHPM_PHP__INI__MEMORY_LIMIT=256M",
                               "EPHPM_PHP__INI__OPCACHE__JIT_BUFFER_SIZE=0"})
                  .config.php.ini,
              ElementsAre(Pair("memory_limit", "256M"), Pair("opcache.jit_buffer_size", "0")));
}

TEST(ConfigEnvironment, RefusesTheIniTableWithoutAName) {
  EXPECT_EQ(EnvironmentError("EPHPM_PHP__INI=memory_limit=1M"),
            "environment: php.ini (EPHPM_PHP__INI): this is a table; set php.ini.NAME");
  EXPECT_THROW(FromEnvironment({"EPHPM_PHP__INI__=1"}), ConfigError);
}

TEST(ConfigEnvironment, NamesTheVariableThatIsWrong) {
  EXPECT_EQ(EnvironmentError("EPHPM_PHP__QUEUE=many"),
            "environment: php.queue (EPHPM_PHP__QUEUE): expected an integer such as 4, found "
            "\"many\"");
}

TEST(ConfigEnvironment, RefusesUnknownNamesWithTheNearestVariable) {
  const ConfigError error = ErrorOf([] { FromEnvironment({"EPHPM_SERVER__LISTENS=:1"}); });
  EXPECT_EQ(error.file(), "environment");
  EXPECT_EQ(error.key(), "server.listens");
  EXPECT_STREQ(error.what(),
               "environment: server.listens (EPHPM_SERVER__LISTENS): no such setting; the nearest "
               "is EPHPM_SERVER__LISTEN");
}

TEST(ConfigEnvironment, IgnoresNamesWithoutTwoUnderscoresAndNamesOfOthers) {
  const LoadedConfig loaded = FromEnvironment(
      {"EPHPM_CACHE=/x", "EPHPM_PHP_TARBALL=y", "EPHPM_TEST_X=1", "EPHPM_PORT=tcp://10.0.0.1:80",
       "PATH=/bin", "OTHER__THING=1", "EPHPM_BROKEN__NAME", "ephpm_PHP__QUEUE=1"});
  for (const Setting& setting : loaded.settings) EXPECT_EQ(setting.origin, "default");
}

TEST(ConfigEnvironment, RefusesTwoSpellingsOfOneName) {
  const ConfigError error = ErrorOf([] {
    FromEnvironment({"EPHPM_PHP__QUEUE=1", "EPHPM_PHP__queue=2"});
  });
  EXPECT_THAT(error.what(), EndsWith("set twice, by names that differ in case only"));
}

TEST(ReadEnvironment, TakesOnlyWhatBeginsWithThePrefix) {
  const char* const variables[] = {"HOME=/", "EPHPM_PHP__QUEUE=3", "XEPHPM_A__B=1", nullptr};
  EXPECT_THAT(ReadEnvironment(variables), ElementsAre("EPHPM_PHP__QUEUE=3"));
  EXPECT_THAT(ReadEnvironment(nullptr), IsEmpty());
}

}  // namespace
}  // namespace ephpm::config::testing
