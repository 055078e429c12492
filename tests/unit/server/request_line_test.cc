#include "server/request_line.h"

#include <gtest/gtest.h>

namespace ephpm::server {
namespace {

int StatusOf(std::string_view line) {
  const auto error = CheckRequestLine(line);
  return error ? error->status : 200;
}

TEST(RequestLine, IsThreePartsWithOneBlankBetween) {
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\r\n"), 200);
  EXPECT_EQ(StatusOf("OPTIONS * HTTP/1.0\r\n"), 200);
  EXPECT_EQ(StatusOf("GET http://a.example/ HTTP/1.1\r\n"), 200);
  EXPECT_EQ(StatusOf("GET  / HTTP/1.1\r\n"), 400);
  EXPECT_EQ(StatusOf("GET /  HTTP/1.1\r\n"), 400);
  EXPECT_EQ(StatusOf("GET / HTTP/1.1 \r\n"), 400);
  EXPECT_EQ(StatusOf(" GET / HTTP/1.1\r\n"), 400);
  EXPECT_EQ(StatusOf("GET\t/ HTTP/1.1\r\n"), 400);
}

TEST(RequestLine, EndsInCarriageReturnAndLineFeed) {
  EXPECT_EQ(StatusOf("GET / HTTP/1.1\n"), 400);
  EXPECT_EQ(StatusOf("\n"), 400);
  EXPECT_EQ(StatusOf("\r\n"), 400);
}

TEST(RequestLine, HasATargetOfVisibleBytes) {
  EXPECT_EQ(StatusOf("GET /\xe6\x97\xa5 HTTP/1.1\r\n"), 200);
  EXPECT_EQ(StatusOf("GET /\x01 HTTP/1.1\r\n"), 400);
  EXPECT_EQ(StatusOf("GET /\x7f HTTP/1.1\r\n"), 400);
  EXPECT_EQ(StatusOf(std::string_view("GET /\0 HTTP/1.1\r\n", 18)), 400);
}

TEST(RequestLine, SpeaksHttp10Or11) {
  EXPECT_EQ(StatusOf("GET / HTTP/2.0\r\n"), 505);
  EXPECT_EQ(StatusOf("GET / HTTP/1.2\r\n"), 505);
  EXPECT_EQ(StatusOf("GET /\r\n"), 505);
  EXPECT_EQ(StatusOf("GET / HTTP/1.10\r\n"), 400);
  EXPECT_EQ(StatusOf("GET / HTTP/1,1\r\n"), 400);
  EXPECT_EQ(StatusOf("GET / http/1.1\r\n"), 400);
  EXPECT_EQ(StatusOf("GET / RTSP/1.0\r\n"), 400);
}

}  // namespace
}  // namespace ephpm::server
