#include <gmock/gmock.h>

#include "config/config.h"
#include "session.h"

namespace ephpm::config::testing {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

std::uint64_t BodyOf(const std::string& toml_value) {
  return FromFile("limits.body = " + toml_value).config.limits.body;
}

std::string BodyError(const std::string& toml_value) {
  return FileError("limits.body = " + toml_value);
}

milliseconds IdleOf(const std::string& toml_value) {
  return FromFile("timeouts.idle = " + toml_value).config.timeouts.idle;
}

std::string IdleError(const std::string& toml_value) {
  return FileError("timeouts.idle = " + toml_value);
}

TEST(BoolValue, IsTrueOrFalseInTheFile) {
  EXPECT_FALSE(FromFile("log.access = false").config.log.access);
  EXPECT_TRUE(FromFile("log.access = true").config.log.access);
  EXPECT_EQ(FileError("log.access = \"no\""),
            ":1: log.access: expected true or false, found the string \"no\"");
  EXPECT_EQ(FileError("log.access = 0"),
            ":1: log.access: expected true or false, found the integer 0");
}

TEST(BoolValue, HasTheUsualWordsInTheEnvironment) {
  for (const char* word : {"true", "1", "on", "yes", "TRUE", "On"}) {
    EXPECT_TRUE(FromEnvironment({std::string("EPHPM_LOG__ACCESS=") + word}).config.log.access)
        << word;
  }
  for (const char* word : {"false", "0", "off", "no", "False"}) {
    EXPECT_FALSE(FromEnvironment({std::string("EPHPM_LOG__ACCESS=") + word}).config.log.access)
        << word;
  }
  for (const char* word : {"", "2", "maybe", "true ", "tru"}) {
    EXPECT_THAT(EnvironmentError(std::string("EPHPM_LOG__ACCESS=") + word),
                HasSubstr("expected true or false"))
        << word;
  }
}

TEST(CountValue, IsAnIntegerWithinItsRange) {
  EXPECT_EQ(FromFile("php.workers = 0").config.php.workers, 0);
  EXPECT_EQ(FromFile("php.workers = 1024").config.php.workers, 1024);
  EXPECT_EQ(FileError("php.workers = 1025"),
            ":1: php.workers: 1025 is not within 0 to 1024: each PHP thread has an interpreter of "
            "its own");
  EXPECT_THAT(FileError("php.workers = -1"), HasSubstr("-1 is not within 0 to 1024"));
  EXPECT_THAT(FileError("php.queue = 0"), HasSubstr("0 is not within 1 to 1000000"));
  EXPECT_THAT(FileError("server.backlog = 65536"), HasSubstr("65536 is not within 1 to 65535"));
}

TEST(CountValue, IsNoOtherType) {
  EXPECT_EQ(FileError("php.workers = \"4\""),
            ":1: php.workers: expected an integer such as 4, found the string \"4\"");
  EXPECT_EQ(FileError("php.workers = 1.5"),
            ":1: php.workers: expected an integer such as 4, found the number 1.5");
  EXPECT_EQ(FileError("php.workers = true"),
            ":1: php.workers: expected an integer such as 4, found the boolean true");
  EXPECT_EQ(FileError("php.workers = [4]"),
            ":1: php.workers: expected an integer such as 4, found a list that holds other things "
            "than strings");
  EXPECT_EQ(FileError("php.workers = 2024-01-01"),
            ":1: php.workers: expected an integer such as 4, found a date or time");
}

TEST(CountValue, IsTheWholeTextOnTheCommandLine) {
  EXPECT_EQ(FromFlags({{"php.workers", "6"}}).config.php.workers, 6);
  for (const char* text : {"", "4 ", " 4", "4x", "0x4", "+4", "99999999999999999999"}) {
    EXPECT_THAT(FlagError("php.workers", text), HasSubstr("expected an integer")) << text;
  }
}

TEST(SizeValue, HasUnitsOf1024) {
  EXPECT_EQ(BodyOf("\"64K\""), 64u * 1024);
  EXPECT_EQ(BodyOf("\"64M\""), 64u * 1024 * 1024);
  EXPECT_EQ(BodyOf("\"1g\""), 1024u * 1024 * 1024);
  EXPECT_EQ(BodyOf("\"1T\""), 1024ull * 1024 * 1024 * 1024);
  EXPECT_EQ(BodyOf("\"100\""), 100u);
  EXPECT_EQ(BodyOf("100"), 100u);
  EXPECT_EQ(BodyOf("0"), 0u);
  EXPECT_EQ(FromEnvironment({"EPHPM_LIMITS__BODY=3M"}).config.limits.body, 3u * 1024 * 1024);
}

TEST(SizeValue, RefusesEverythingElse) {
  for (const char* value :
       {"\"\"", "\"M\"", "\"64MB\"", "\"64 M\"", "\"-1M\"", "\"1.5M\"", "true", "1.5", "[\"1M\"]",
        "\"9223372036854775807K\"", "\"99999999999999999999\""}) {
    EXPECT_THAT(BodyError(value), StartsWith(R"(:1: limits.body: expected a size such as "64K")"))
        << value;
  }
  EXPECT_EQ(
      BodyError("\"lots\""),
      R"(:1: limits.body: expected a size such as "64K", "64M" or "1G" (or a plain number of )"
      R"(bytes), found the string "lots")");
}

TEST(SizeValue, StaysWithinItsRange) {
  EXPECT_THAT(BodyError("-1"), StartsWith(":1: limits.body: -1 is not within \"0\" to \"1T\": "));
  EXPECT_THAT(BodyError("\"2T\""), StartsWith(":1: limits.body: \"2T\" is not within "));
  EXPECT_THAT(FileError("php.stack_size = \"64K\""), HasSubstr("is not within \"1M\" to \"1G\""));
  EXPECT_THAT(FileError("limits.request_line = \"10\""),
              HasSubstr("is not within \"1K\" to \"16M\""));
}

TEST(DurationValue, HasAUnit) {
  EXPECT_EQ(IdleOf("\"500ms\""), milliseconds(500));
  EXPECT_EQ(IdleOf("\"30s\""), milliseconds(30'000));
  EXPECT_EQ(IdleOf("\"2m\""), milliseconds(120'000));
  EXPECT_EQ(IdleOf("\"1h\""), milliseconds(3'600'000));
  EXPECT_EQ(FromEnvironment({"EPHPM_TIMEOUTS__IDLE=5s"}).config.timeouts.idle, milliseconds(5000));
}

TEST(DurationValue, WithoutAUnitGetsAHint) {
  const std::string hint =
      R"(:1: timeouts.idle: 30 has no unit; write "30s" for seconds or "30ms" for milliseconds)";
  EXPECT_EQ(IdleError("30"), hint);
  EXPECT_EQ(IdleError("\"30\""), hint);
  EXPECT_THAT(EnvironmentError("EPHPM_TIMEOUTS__IDLE=30"), HasSubstr("30 has no unit"));
}

TEST(DurationValue, RefusesEverythingElse) {
  for (const char* value : {"\"\"", "\"s\"", "\"1d\"", "\"1 s\"", "\"1.5s\"", "\"-1s\"", "true",
                            "1.5", "\"9223372036854775807h\"", "10:00:00"}) {
    EXPECT_THAT(IdleError(value), StartsWith(":1: timeouts.idle: expected a time such as "))
        << value;
  }
}

TEST(DurationValue, StaysWithinItsRange) {
  EXPECT_THAT(IdleError("\"0s\""),
              StartsWith(":1: timeouts.idle: \"0s\" is not within \"1ms\" to \"24h\": "));
  EXPECT_THAT(IdleError("\"25h\""), HasSubstr("\"25h\" is not within"));
  EXPECT_EQ(FromFile("timeouts.shutdown = \"0s\"").config.timeouts.shutdown, milliseconds(0));
}

TEST(ChoiceValue, IsOneOfItsNames) {
  EXPECT_EQ(FromFile("php.mode = \"worker\"").config.php.mode, Mode::kWorker);
  EXPECT_EQ(FromFile("log.level = \"debug\"").config.log.level, LogLevel::kDebug);
  EXPECT_EQ(FromFile("log.level = \"info\"").config.log.level, LogLevel::kInfo);
  EXPECT_EQ(FromFile("log.level = \"warn\"").config.log.level, LogLevel::kWarn);
  EXPECT_EQ(FromFile("log.level = \"error\"").config.log.level, LogLevel::kError);
  EXPECT_EQ(FromFile("log.format = \"json\"").config.log.format, LogFormat::kJson);
  EXPECT_EQ(FromFlags({{"php.mode", "worker"}}).config.php.mode, Mode::kWorker);
}

TEST(ChoiceValue, NamesTheAllowedOnesInItsError) {
  EXPECT_EQ(FileError("php.mode = \"fpm\""),
            R"(:1: php.mode: expected one of "request", "worker", found the string "fpm")");
  EXPECT_EQ(
      FileError("log.level = 3"),
      R"(:1: log.level: expected one of "debug", "info", "warn", "error", found the integer 3)");
  EXPECT_THAT(FlagError("php.mode", ""), HasSubstr("expected one of"));
  EXPECT_THAT(FlagError("php.mode", "WORKER"), HasSubstr("expected one of"));
}

TEST(PathValue, IsAString) {
  EXPECT_EQ(FromFile("log.file = \"/var/log/a b.log\"").config.log.file, "/var/log/a b.log");
  EXPECT_EQ(
      FileError("log.file = 5"),
      R"(:1: log.file: expected a path in quotes such as "/srv/site/public", found the integer 5)");
  EXPECT_THAT(FileError(R"(log.file = "a\u0000b")"), EndsWith("the string holds a zero byte"));
}

TEST(PathValue, MayBeEmptyOnlyWhereThatMeansSomething) {
  EXPECT_EQ(FromEnvironment({"EPHPM_LOG__FILE="}).config.log.file, "");
  EXPECT_THAT(FileError("server.document_root = \"\""), EndsWith("the path is empty"));
  EXPECT_THAT(FileError("php.temp_dir = \"\""), EndsWith("the path is empty"));
}

TEST(ListValue, HoldsStrings) {
  EXPECT_THAT(FromFile("server.index_files = [\"a.php\", \"b.html\"]").config.server.index_files,
              ElementsAre("a.php", "b.html"));
  EXPECT_EQ(
      FileError("server.index_files = \"a.php\""),
      R"(:1: server.index_files: expected a list of strings such as ["one", "two"], found the )"
      R"(string "a.php")");
  EXPECT_THAT(FileError("server.index_files = [\"a\", 1]"),
              EndsWith("found a list that holds other things than strings"));
  EXPECT_THAT(FileError("server.index_files = [\"\"]"),
              EndsWith("an item of the list is empty; an empty list is []"));
  EXPECT_THAT(FileError(R"(server.index_files = ["a\u0000b"])"), EndsWith("holds a zero byte"));
}

TEST(ListValue, IsCheckedForItsUse) {
  EXPECT_THAT(FileError("server.listen = []"),
              EndsWith("without an address nobody can reach the server"));
  EXPECT_THAT(FileError("server.listen = [\":80\", \":80\"]"), EndsWith("\":80\" stands twice"));
  EXPECT_NO_THROW(FromFile("server.listen = [\"127.0.0.1:0\", \"127.0.0.1:0\"]"));
  EXPECT_THAT(FileError("server.listen = [\"localhost:80\"]"), HasSubstr("is no IP address"));
  EXPECT_THAT(FileError("server.index_files = [\"a/b.php\"]"), HasSubstr("is no plain file name"));
  EXPECT_THAT(FileError("server.fallback = []"), HasSubstr("without a step"));
  EXPECT_THAT(FileError("server.fallback = [\"index.php\"]"), HasSubstr("is no step"));
  EXPECT_THAT(FromFile("server.fallback = [\"$uri\", \"=404\"]").config.server.fallback,
              ElementsAre("$uri", "=404"));
  EXPECT_THAT(FileError("server.static_extensions = [\".css\"]"),
              EndsWith("write \"css\" instead of \".css\""));
  EXPECT_THAT(FileError("server.static_extensions = [\"CSS\"]"), HasSubstr("is no extension"));
  EXPECT_THAT(FileError("server.static_extensions = [\"php\"]"), HasSubstr("is no static type"));
}

TEST(IniTable, TurnsEveryPlainTypeIntoWhatPhpReads) {
  const Config config = FromFile(R"([php.ini]
memory_limit = "256M"
precision = 14
serialize_precision = -1
display_errors = true
html_errors = false
"opcache.jit" = "tracing"
opcache.enable = true
session.gc_probability = 0.5
zend.assertions = "-1"
error_log = ""
)")
                            .config;
  EXPECT_THAT(config.php.ini,
              ElementsAre(Pair("display_errors", "1"), Pair("error_log", ""),
                          Pair("html_errors", "0"), Pair("memory_limit", "256M"),
                          Pair("opcache.enable", "1"), Pair("opcache.jit", "tracing"),
                          Pair("precision", "14"), Pair("serialize_precision", "-1"),
                          Pair("session.gc_probability", "0.5"), Pair("zend.assertions", "-1")));
}

TEST(IniTable, RefusesWhatIsNoSettingOfPhp) {
  EXPECT_EQ(
      FileError("[php.ini]\na = [\"x\"]"),
      R"(:2: php.ini.a: expected a php.ini value: a string such as "256M", a number, true or )"
      "false, found a list");
  EXPECT_THAT(FileError("[php.ini]\na = \"x\\ny = 1\""), EndsWith("a php.ini value is one line"));
  EXPECT_THAT(FileError("[php.ini]\n\"a = 1\" = \"x\""),
              EndsWith("\"a = 1\" is no name of php.ini"));
  EXPECT_THAT(FileError("[php.ini]\n\"\" = \"x\""),
              EndsWith("no such setting; the nearest is php.ini"));
  EXPECT_THAT(FlagError("php.ini.a", std::string("x\0y", 3)), EndsWith("zero byte"));
}

TEST(WrongValues, AreShortenedAndKeptOnOneLine) {
  const std::string message = FlagError("php.mode", "a\nb" + std::string(5000, 'x'));
  EXPECT_THAT(message, Not(HasSubstr("\n")));
  EXPECT_THAT(message, HasSubstr("\"a\\nbxxx"));
  EXPECT_LT(message.size(), 300u);
}

}  // namespace
}  // namespace ephpm::config::testing
