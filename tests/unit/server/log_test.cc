#include "server/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tests/unit/server/site_tree.h"

namespace ephpm::server {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

/// Loggers that write to files of the test; End writes what waits.
class LoggingTest : public testing::Test {
 protected:
  LoggingTest() {
    config_.file = tree_.Path("messages");
    config_.access_file = tree_.Path("requests");
  }
  ~LoggingTest() override {
    End();
    spdlog::set_default_logger(before_);
  }
  void Begin() { logging_.emplace(config_); }
  void End() { logging_.reset(); }
  std::string Content(const std::string& name) const {
    std::ifstream file(tree_.Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void LogRequest(const std::string& target) {
    sapi::RequestHead request;
    request.method = "GET";
    request.target = target;
    logging_->access().Write(AccessRecord{request, 200, 0, {}, {}, {}});
  }

  SiteTree tree_;
  config::LogConfig config_;
  std::optional<Logging> logging_;

 private:
  std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
};

TEST_F(LoggingTest, WritesMessagesWithTimeAndLevel) {
  Begin();
  spdlog::info("hello\nforged");
  spdlog::debug("too much detail");
  End();
  EXPECT_THAT(Content("messages"),
              MatchesRegex("20..-..-..T..:..:..\\....Z info hello\\\\nforged\n"));
}

TEST_F(LoggingTest, WritesMessagesAsJson) {
  config_.format = config::LogFormat::kJson;
  Begin();
  spdlog::error("a \"quote\"");
  End();
  const auto json = nlohmann::json::parse(Content("messages"));
  EXPECT_EQ(json["level"], "error");
  EXPECT_EQ(json["message"], "a \"quote\"");
}

TEST_F(LoggingTest, WritesLinesOfScriptsAsTheyAre) {
  const std::string line = "{\"json\":\"" + std::string(64 * 1024, 'x') + "\"}";
  config_.level = config::LogLevel::kError;
  Begin();
  spdlog::get("php")->info("{}", line);
  End();
  EXPECT_EQ(Content("messages"), line + "\n");
}

TEST_F(LoggingTest, WritesARequestALine) {
  Begin();
  LogRequest("/one");
  LogRequest("/two");
  End();
  EXPECT_THAT(Content("requests"), MatchesRegex("- .*/one .*\n- .*/two .*\n"));
}

TEST_F(LoggingTest, WritesNoRequestsIfToldSo) {
  config_.access = false;
  Begin();
  LogRequest("/one");
  End();
  EXPECT_FALSE(std::filesystem::exists(tree_.Path("requests")));
}

TEST_F(LoggingTest, GoesOnInANewFileAfterReopen) {
  Begin();
  std::filesystem::rename(tree_.Path("requests"), tree_.Path("requests.1"));
  logging_->Reopen();
  LogRequest("/after");
  End();
  EXPECT_EQ(Content("requests.1"), "");
  EXPECT_THAT(Content("requests"), HasSubstr("/after"));
}

TEST_F(LoggingTest, StaysUsableAfterFlush) {
  Begin();
  logging_->Flush();
  spdlog::warn("late");
  EXPECT_THAT(Content("messages"), HasSubstr("warning late\n"));
}

TEST_F(LoggingTest, RefusesAFileThatCannotBeOpened) {
  config_.file = tree_.Path("no/such/folder");
  EXPECT_THROW(Begin(), std::runtime_error);
}

}  // namespace
}  // namespace ephpm::server
