// What the server writes about requests, and what scripts write to its log.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class LogTest : public ServerTest {
 protected:
  static std::vector<std::string> Lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  /// Starts a server whose access log is a file of its own.
  void StartWithAccessFile(const std::string& more = "") {
    access_file_ = folder_.path() / "access.log";
    Start({.config = "[log]\naccess_file = \"" + access_file_.string() + "\"\n" + more});
  }
  /// The lines of the access log after the server has ended.
  std::vector<std::string> AccessLines() {
    EXPECT_EQ(server().Stop(), 0);
    return Lines(ReadFile(access_file_));
  }
  bool WaitForErrors(const std::string& text) {
    return server().process().WaitForOutput([&](const std::string&, const std::string& errors) {
      return errors.find(text) != std::string::npos;
    });
  }

  TemporaryFolder folder_;
  std::filesystem::path access_file_;
};

TEST_P(LogTest, AccessLineIsInCombinedFormat) {
  StartWithAccessFile();
  Get("/hello.php?x=1", {{"Referer", "http://example.com/from"}, {"User-Agent", "a \"test\""}});
  const std::vector<std::string> lines = AccessLines();
  ASSERT_EQ(lines.size(), 1u);
  const std::regex combined(
      R"re(127\.0\.0\.1 - - \[\d\d/[A-Z][a-z][a-z]/\d{4}:\d\d:\d\d:\d\d \+0000\] )re"
      R"re("GET /hello\.php\?x=1 HTTP/1\.1" 200 5 "http://example\.com/from" "a \\"test\\"".*)re");
  EXPECT_TRUE(std::regex_match(lines[0], combined)) << lines[0];
}

TEST_P(LogTest, EveryAnswerHasItsAccessLine) {
  StartWithAccessFile();
  Get("/hello.php");
  Get("/missing.css");
  Get("/ending_dump_and_die.php");
  {
    Client client(endpoint());
    client.Send("nonsense\r\n\r\n");
    client.ReadToEnd();
  }
  Client kept(endpoint());
  for (int i = 0; i < 3; ++i) kept.Exchange({.target = "/echo_number.php?n=1"});
  const std::vector<std::string> lines = AccessLines();
  ASSERT_EQ(lines.size(), 7u);
  // The line follows the answer, so lines of different connections may change places.
  for (const char* part : {"\" 200 5 ", "\" 404 ", "\" 500 ", "\" 400 ", "\" 200 8 "}) {
    EXPECT_THAT(lines, Contains(HasSubstr(part)));
  }
}

TEST_P(LogTest, JsonAccessLinesCanBeParsed) {
  StartWithAccessFile("format = \"json\"\n");
  Get("/echo_number.php?n=%22%5C'", {{"User-Agent", "quote \" backslash \\ \xfe é"}});
  Get("/missing.css");
  const std::vector<std::string> lines = AccessLines();
  ASSERT_EQ(lines.size(), 2u);
  json line = json::parse(lines[0]);
  json other = json::parse(lines[1]);
  if (line["status"] == 404) std::swap(line, other);
  EXPECT_EQ(line["status"], 200);
  EXPECT_EQ(line["method"], "GET");
  EXPECT_EQ(line["remote"], "127.0.0.1");
  EXPECT_EQ(other["status"], 404);
}

TEST_P(LogTest, AccessLineCannotBeForged) {
  StartWithAccessFile();
  Get("/hello.php?a", {{"User-Agent", "x\x1b[2J\"\t- fake"}});
  const std::vector<std::string> lines = AccessLines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], Not(HasSubstr("\x1b")));
}

TEST_P(LogTest, AccessLogCanBeSwitchedOff) {
  Start({.config = "[log]\naccess = false\n"});
  Get("/hello.php");
  EXPECT_EQ(server().Stop(), 0);
  EXPECT_THAT(server().process().Output(), Not(HasSubstr("hello.php")));
}

TEST_P(LogTest, AccessLogIsStandardOutputByDefault) {
  Start();
  Get("/hello.php?to-stdout");
  EXPECT_EQ(server().Stop(), 0);
  EXPECT_THAT(server().process().Output(), HasSubstr("GET /hello.php?to-stdout HTTP/1.1"));
}

TEST_P(LogTest, AccessLogIsOpenedAnewForRotation) {
  StartWithAccessFile();
  Get("/hello.php?first");
  ASSERT_TRUE(Eventually([&] { return !ReadFile(access_file_).empty(); }));
  const std::filesystem::path rotated = folder_.path() / "access.log.1";
  std::filesystem::rename(access_file_, rotated);
  server().process().Signal(SIGUSR1);
  ASSERT_TRUE(Eventually([&] { return std::filesystem::exists(access_file_); }));
  Get("/hello.php?second");
  EXPECT_THAT(AccessLines(), Contains(HasSubstr("?second")));
  EXPECT_THAT(ReadFile(rotated), HasSubstr("?first"));
  EXPECT_THAT(ReadFile(rotated), Not(HasSubstr("?second")));
}

TEST_P(LogTest, LongLineOfAScriptIsNotCut) {
  Start();
  EXPECT_EQ(Get("/log_long_line.php").body, "logged");
  EXPECT_TRUE(WaitForErrors("start-" + std::string(60000, 'l') + "-end"));
}

TEST_P(LogTest, LinesOfThreadsAreNotMixed) {
  Start({.workers = 4});
  InParallel(8, [&](int i) {
    const std::string letter(1, static_cast<char>('a' + i));
    for (int round = 0; round < 10; ++round) Get("/log_own_line.php?letter=" + letter);
  });
  EXPECT_EQ(server().Stop(), 0);
  int whole = 0;
  for (const std::string& line : Lines(server().process().Errors())) {
    const std::size_t begin = line.find('<');
    if (begin == std::string::npos || line.size() < begin + 8002) continue;
    EXPECT_EQ(line.substr(begin, 8002), "<" + std::string(8000, line[begin + 1]) + ">");
    ++whole;
  }
  EXPECT_EQ(whole, 80);
}

TEST_P(LogTest, StandardErrorOfAScriptIsThatOfTheServer) {
  Start();
  EXPECT_EQ(Get("/log_stderr.php").body, "logged");
  EXPECT_TRUE(WaitForErrors("straight to standard error\n"));
}

TEST_P(LogTest, StandardOutputOfAScriptIsThatOfTheServer) {
  Start();
  EXPECT_EQ(Get("/log_stdout.php").body, "not in the log");
  EXPECT_TRUE(server().process().WaitForOutput([](const std::string& output, const std::string&) {
    return output.find("straight to standard output\n") != std::string::npos;
  }));
}

TEST_P(LogTest, ErrorOfAScriptNamesFileAndLine) {
  ExpectErrorLog();
  Start();
  Get("/ending_missing_function.php");
  EXPECT_TRUE(WaitForErrors("ending_missing_function.php:2"));
}

EPHPM_IN_EVERY_MODE(LogTest);

}  // namespace
}  // namespace ephpm::blackbox
