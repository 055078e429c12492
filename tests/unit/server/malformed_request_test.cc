#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/unit/server/connection_fixture.h"

namespace ephpm::server {
namespace {

std::vector<std::filesystem::path> Corpus(const std::string& name) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = std::string(EPHPM_SOURCE_DIR) + "/tests/fuzz/corpus/" + name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string Content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t CountOf(const std::string& text, std::string_view wanted) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(wanted, at)) != std::string::npos; ++at) ++count;
  return count;
}

std::string TestName(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

/// Each file of the corpus is what a client sends; its name begins with the status of the answer.
class MalformedRequestTest : public ConnectionTest,
                             public testing::WithParamInterface<std::filesystem::path> {
 protected:
  void ExpectOneRefusal() {
    const std::string response = Received();
    EXPECT_THAT(response,
                testing::StartsWith("HTTP/1.1 " + GetParam().filename().string().substr(0, 3)));
    EXPECT_EQ(CountOf(response, "HTTP/1."), 1U) << response;
    EXPECT_THAT(response, testing::HasSubstr("Connection: close\r\n"));
    EXPECT_TRUE(Closed());
    EXPECT_TRUE(handler_.submitted.empty());
  }
};

TEST_P(MalformedRequestTest, IsRefusedOnceAndTheConnectionCloses) {
  Connect();
  Send(Content(GetParam()));
  EndSending();
  ExpectOneRefusal();
  EXPECT_TRUE(Retired());
}

TEST_P(MalformedRequestTest, IsRefusedHoweverItsBytesAreSplit) {
  const std::string bytes = Content(GetParam());
  // Byte by byte; the long ones in some hundred pieces.
  const std::size_t piece = 1 + bytes.size() / 500;
  Connect();
  for (std::size_t at = 0; at < bytes.size(); at += piece) Send(bytes.substr(at, piece));
  EndSending();
  const std::string response = Received();
  EXPECT_THAT(response, testing::MatchesRegex("HTTP/1.1 [45](.|\r|\n)*"));
  EXPECT_EQ(CountOf(response, "HTTP/1."), 1U) << response;
  EXPECT_TRUE(Closed());
  EXPECT_TRUE(handler_.submitted.empty());
}

INSTANTIATE_TEST_SUITE_P(Corpus, MalformedRequestTest, testing::ValuesIn(Corpus("http_malformed")),
                         TestName);

}  // namespace
}  // namespace ephpm::server
