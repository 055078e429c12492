#include "server/access_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "server/log_text.h"

namespace ephpm::server {
namespace {

using std::chrono::milliseconds;

sapi::RequestHead Request() {
  sapi::RequestHead request;
  request.method = "GET";
  request.target = "/a?b=c";
  request.host = "a.example";
  request.peers.remote_address = "192.0.2.1";
  request.headers.Add("Referer", "http://b.example/");
  request.headers.Add("User-Agent", "curl/8");
  return request;
}

AccessRecord Record(const sapi::RequestHead& request) {
  AccessRecord record{
      request, 200, 1234, std::chrono::system_clock::from_time_t(784111777), milliseconds(15), {}};
  record.usage = {milliseconds(1), milliseconds(12), 2097152};
  return record;
}

TEST(AccessLog, WritesTheCombinedFormat) {
  EXPECT_EQ(CombinedLine(Record(Request())),
            "192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] \"GET /a?b=c HTTP/1.1\" 200 1234 "
            "\"http://b.example/\" \"curl/8\" 0.015000 0.012000 0.001000 2097152 \"a.example\"");
}

TEST(AccessLog, ShowsWhatIsMissing) {
  const sapi::RequestHead nothing;
  EXPECT_THAT(CombinedLine(Record(nothing)),
              testing::MatchesRegex("- - - \\[.*\\] \"-\" 200 1234 \"-\" \"-\" .* \"-\""));
}

TEST(AccessLog, CannotBeForgedByAClient) {
  sapi::RequestHead request;
  request.method = "GET";
  request.target = "/\" 200 \x1b[2J\xff";
  request.headers.Add("User-Agent", "a\"\\b\n");
  const std::string line = CombinedLine(Record(request));
  EXPECT_THAT(line, testing::HasSubstr(R"("GET /\" 200 \x1b[2J\xff HTTP/1.1")"));
  EXPECT_THAT(line, testing::HasSubstr(R"("a\"\\b\x0a")"));
}

TEST(AccessLog, WritesJson) {
  const auto json = nlohmann::json::parse(JsonLine(Record(Request())));
  EXPECT_EQ(json["time"], "1994-11-06T08:49:37Z");
  EXPECT_EQ(json["remote"], "192.0.2.1");
  EXPECT_EQ(json["method"], "GET");
  EXPECT_EQ(json["target"], "/a?b=c");
  EXPECT_EQ(json["protocol"], "HTTP/1.1");
  EXPECT_EQ(json["host"], "a.example");
  EXPECT_EQ(json["status"], 200);
  EXPECT_EQ(json["bytes"], 1234);
  EXPECT_EQ(json["user_agent"], "curl/8");
  EXPECT_EQ(json["seconds"], 0.015);
  EXPECT_EQ(json["php_seconds"], 0.012);
  EXPECT_EQ(json["queue_seconds"], 0.001);
  EXPECT_EQ(json["peak_memory"], 2097152);
}

TEST(AccessLog, WritesJsonWhateverAClientSends) {
  sapi::RequestHead request;
  for (int c = 1; c < 256; ++c) request.target.push_back(static_cast<char>(c));
  request.headers.Add(
      "User-Agent",
      "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80 \xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80 \xe2\x82");
  const auto json = nlohmann::json::parse(JsonLine(Record(request)));
  EXPECT_THAT(json["user_agent"].get<std::string>(),
              testing::StartsWith("\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80 \xef\xbf\xbd"));
}

TEST(LogText, KeepsAMessageOnItsLine) {
  std::string line;
  AppendLine(line, "caf\xc3\xa9 \"q\"\n\x1b[0m\t.");
  EXPECT_EQ(line, "caf\xc3\xa9 \"q\"\\n\\x1b[0m\t.");
}

}  // namespace
}  // namespace ephpm::server
