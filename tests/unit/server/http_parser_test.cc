#include "server/http_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ephpm::server {
namespace {

using Event = HttpParser::Event;

/// A parser, and what came out of it.
class HttpParserTest : public testing::Test {
 protected:
  /// Feeds until the request is complete, wrong, or short of bytes. Returns what is left over.
  std::string Feed(std::string_view bytes) {
    while (!bytes.empty()) {
      const HttpParser::Step step = parser_.Feed(bytes);
      bytes.remove_prefix(step.consumed);
      for (const std::string_view piece : parser_.body()) body_.append(piece);
      last_ = step.event;
      if (step.event == Event::kHead) head_ = parser_.TakeHead();
      if (step.event == Event::kHead && !parser_.has_body()) last_ = Event::kComplete;
      if (last_ == Event::kComplete || last_ == Event::kError) break;
    }
    return std::string(bytes);
  }
  int Status(std::string_view bytes) {
    parser_.Restart();
    Feed(bytes);
    return last_ == Event::kError ? parser_.error().status : 0;
  }

  config::LimitsConfig limits_;
  HttpParser parser_{limits_};
  sapi::RequestHead head_;
  std::string body_;
  Event last_ = Event::kMore;
};

TEST_F(HttpParserTest, ReadsARequestWithoutABody) {
  EXPECT_EQ(Feed("GET /a?b=c HTTP/1.1\r\nHost: a.example:80\r\nX-A:  b \t\r\nx-a: c\r\n\r\n"), "");
  EXPECT_EQ(last_, Event::kComplete);
  EXPECT_EQ(head_.method, "GET");
  EXPECT_EQ(head_.target, "/a?b=c");
  EXPECT_EQ(head_.host, "a.example");
  EXPECT_EQ(head_.http_minor, 1);
  ASSERT_EQ(head_.headers.size(), 3U);
  EXPECT_EQ(head_.headers[1].name, "X-A");
  EXPECT_EQ(head_.headers[1].value, "b");
  EXPECT_EQ(head_.headers[2].name, "x-a");
}

TEST_F(HttpParserTest, LeavesTheNextRequestUntouched) {
  EXPECT_EQ(Feed("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\n"), "GET /b HTTP/1.1\r\n");
  EXPECT_EQ(head_.target, "/a");
  parser_.Restart();
  EXPECT_FALSE(parser_.started());
  Feed("POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nxyz");
  EXPECT_EQ(head_.target, "/c");
  EXPECT_EQ(body_, "xy");
}

TEST_F(HttpParserTest, GivesTheSameHoweverTheBytesAreSplit) {
  const std::string request =
      "POST /a HTTP/1.1\r\nHost: a\r\nX-Empty:\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5;x=\"y\"\r\nhello\r\n1\r\n!\r\n0\r\nTrailer: t\r\n\r\n";
  for (std::size_t cut = 1; cut < request.size(); ++cut) {
    parser_.Restart();
    body_.clear();
    Feed(request.substr(0, cut));
    EXPECT_NE(last_, Event::kError) << cut;
    Feed(request.substr(cut));
    EXPECT_EQ(last_, Event::kComplete) << cut;
    EXPECT_EQ(head_.headers.size(), 3U) << cut;
    EXPECT_EQ(body_, "hello!") << cut;
  }
}

TEST_F(HttpParserTest, SkipsEmptyLinesBeforeARequest) {
  Feed("\r\n\r\n");
  EXPECT_FALSE(parser_.started());
  Feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(last_, Event::kComplete);
}

TEST_F(HttpParserTest, TakesTheHostOfAnAbsoluteTarget) {
  Feed("GET http://b.example:81/c HTTP/1.1\r\nHost: a.example\r\n\r\n");
  EXPECT_EQ(head_.host, "b.example");
  EXPECT_EQ(head_.headers.Find("host"), "b.example:81");
  EXPECT_EQ(head_.target, "http://b.example:81/c");
}

TEST_F(HttpParserTest, LetsHttp10GoWithoutAHost) {
  EXPECT_EQ(Status("GET / HTTP/1.0\r\n\r\n"), 0);
  EXPECT_EQ(head_.http_minor, 0);
  EXPECT_EQ(Status("GET / HTTP/1.1\r\n\r\n"), 400);
}

TEST_F(HttpParserTest, KnowsWhoWaitsForContinue) {
  Feed("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n");
  EXPECT_TRUE(parser_.expects_continue());
  parser_.Restart();
  Feed("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n");
  EXPECT_FALSE(parser_.expects_continue());
  EXPECT_EQ(Status("POST / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n"), 417);
  EXPECT_EQ(Status("POST / HTTP/1.0\r\nExpect: cake\r\n\r\n"), 0);
}

TEST_F(HttpParserTest, StaysWithHttpWhenAnotherProtocolIsOffered) {
  EXPECT_EQ(Feed("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nGET "),
            "GET ");
  EXPECT_EQ(last_, Event::kComplete);
  parser_.Restart();
  Feed(
      "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n"
      "Content-Length: 2\r\n\r\nab");
  EXPECT_EQ(last_, Event::kComplete);
  EXPECT_EQ(body_, "ab");
}

TEST_F(HttpParserTest, LimitsTheRequestLine) {
  limits_.request_line = 20;
  EXPECT_EQ(Status("GET /345678 HTTP/1.1\r\nHost: a\r\n\r\n"), 0);
  EXPECT_EQ(Status("GET /3456789 HTTP/1.1\r\nHost: a\r\n\r\n"), 414);
}

TEST_F(HttpParserTest, LimitsTheFields) {
  limits_.header_count = 2;
  EXPECT_EQ(Status("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\n\r\n"), 0);
  EXPECT_EQ(Status("GET / HTTP/1.1\r\nHost: a\r\nA: 1\r\nB: 2\r\n\r\n"), 431);
  limits_.header_bytes = 10;
  EXPECT_EQ(Status("GET / HTTP/1.1\r\nHost: a\r\nA: 1234\r\n\r\n"), 0);
  EXPECT_EQ(Status("GET / HTTP/1.1\r\nHost: a\r\nA: 12345\r\n\r\n"), 431);
}

TEST_F(HttpParserTest, LimitsBlanksAndEmptyLinesToo) {
  const std::string lines(limits_.request_line + limits_.header_bytes + 16 * 1024, '\n');
  EXPECT_EQ(Status(lines), 431);
}

TEST_F(HttpParserTest, LimitsTheBody) {
  limits_.body = 5;
  EXPECT_EQ(Status("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"), 0);
  EXPECT_EQ(Status("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n"), 413);
  const std::string chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(Status(chunked + "5\r\nhello\r\n0\r\n\r\n"), 0);
  EXPECT_EQ(Status(chunked + "6\r\n"), 413);
  EXPECT_EQ(Status(chunked + "5\r\nhello\r\n1\r\n"), 413);
}

TEST_F(HttpParserTest, LetsAClientSendOneByteAChunk) {
  std::string request = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20'000; ++i) request += "1\r\nx\r\n";
  EXPECT_EQ(Status(request + "0\r\n\r\n"), 0);
  EXPECT_EQ(body_.size(), 20'000U);
}

TEST_F(HttpParserTest, TellsUnknownMethodsFromGarbage) {
  EXPECT_EQ(Status("BREW / HTTP/1.1\r\nHost: a\r\n\r\n"), 501);
  EXPECT_EQ(Status("B\x01W / HTTP/1.1\r\nHost: a\r\n\r\n"), 400);
  EXPECT_EQ(Status("PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n"), 0);
}

}  // namespace
}  // namespace ephpm::server
