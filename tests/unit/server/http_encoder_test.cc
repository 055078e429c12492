#include "server/http_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ephpm::server {
namespace {

using sapi::RequestHead;
using sapi::ResponseHead;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

RequestHead Request(const std::string& method = "GET", int minor = 1) {
  RequestHead request;
  request.method = method;
  request.http_minor = minor;
  return request;
}

ResponseHead Response(int status = 200) {
  ResponseHead response;
  response.status = status;
  return response;
}

class HttpEncoderTest : public testing::Test {
 protected:
  EncodedHead Encode(const RequestHead& request, const ResponseHead& response,
                     std::optional<std::uint64_t> size) {
    return encoder_.Encode(request, response, size, Persistence::kKeepAlive);
  }
  std::string Complete(const RequestHead& request, const ResponseHead& response, std::size_t size) {
    return encoder_.EncodeHead(request, response, size);
  }
  HttpEncoder encoder_;
};

TEST_F(HttpEncoderTest, WritesAHead) {
  ResponseHead response = Response();
  response.headers.Add("Content-Type", "text/plain");
  response.headers.Add("Set-Cookie", "a=1");
  response.headers.Add("Set-Cookie", "b=2");
  const std::string head = Complete(Request(), response, 5);
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                               "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nServer: ephpm\r\nDate: "));
  EXPECT_THAT(head, EndsWith(" GMT\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n"));
}

TEST_F(HttpEncoderTest, FramesByVersionAndKnowledge) {
  EXPECT_EQ(Encode(Request(), Response(), 5).framing, Framing::kLength);
  EXPECT_EQ(Encode(Request(), Response(), 0).framing, Framing::kLength);
  EXPECT_EQ(Encode(Request(), Response(), std::nullopt).framing, Framing::kChunked);
  const EncodedHead old = Encode(Request("GET", 0), Response(), std::nullopt);
  EXPECT_EQ(old.framing, Framing::kUntilClose);
  EXPECT_EQ(old.persistence, Persistence::kClose);
  EXPECT_THAT(old.bytes, Not(HasSubstr("Content-Length")));
  EXPECT_THAT(old.bytes, Not(HasSubstr("Transfer-Encoding")));
}

TEST_F(HttpEncoderTest, GivesNoBodyWhereThereIsNone) {
  for (const int status : {204, 304}) {
    const EncodedHead head = Encode(Request(), Response(status), 5);
    EXPECT_EQ(head.framing, Framing::kNoBody);
    EXPECT_THAT(head.bytes, Not(HasSubstr("Content-Length")));
    EXPECT_THAT(head.bytes, Not(HasSubstr("Transfer-Encoding")));
    EXPECT_EQ(encoder_.BodyToSend(Request(), Response(status), 5), 0U);
  }
  EXPECT_EQ(Encode(Request("HEAD"), Response(), 5).framing, Framing::kNoBody);
  EXPECT_FALSE(encoder_.CarriesBody(Request("HEAD"), Response()));
  EXPECT_THAT(Complete(Request("HEAD"), Response(), 5), HasSubstr("Content-Length: 5\r\n"));
}

TEST_F(HttpEncoderTest, KeepsTheLengthThatTheScriptGivesToHead) {
  ResponseHead response = Response();
  response.headers.Add("Content-Length", "1234");
  EXPECT_THAT(Complete(Request("HEAD"), response, 0), HasSubstr("Content-Length: 1234\r\n"));
}

TEST_F(HttpEncoderTest, HonoursADeclaredLength) {
  ResponseHead response = Response();
  response.headers.Add("content-length", "5");
  const EncodedHead head = Encode(Request(), response, std::nullopt);
  EXPECT_EQ(head.framing, Framing::kLength);
  EXPECT_EQ(head.length, 5U);
  EXPECT_EQ(head.persistence, Persistence::kKeepAlive);
  EXPECT_EQ(encoder_.BodyToSend(Request(), response, 9), 5U);
  EXPECT_EQ(encoder_.BodyToSend(Request(), response, 3), 3U);
}

TEST_F(HttpEncoderTest, ClosesWhenTheDeclaredLengthIsWrong) {
  ResponseHead response = Response();
  response.headers.Add("Content-Length", "5");
  for (const std::size_t size : {4U, 6U}) {
    EXPECT_THAT(Complete(Request(), response, size), HasSubstr("Connection: close\r\n"));
    EXPECT_EQ(encoder_.CompletePersistence(Request(), response, size), Persistence::kClose);
  }
  EXPECT_EQ(encoder_.CompletePersistence(Request(), response, 5), Persistence::kKeepAlive);
}

TEST_F(HttpEncoderTest, IgnoresALengthThatIsNone) {
  for (const char* length : {"", "-1", "5, 5", "0x5", "99999999999999999999999"}) {
    ResponseHead response = Response();
    response.headers.Add("Content-Length", length);
    EXPECT_THAT(Complete(Request(), response, 7), HasSubstr("Content-Length: 7\r\n")) << length;
  }
}

TEST_F(HttpEncoderTest, DropsWhatIsNotTheScriptsToSay) {
  ResponseHead response = Response();
  response.headers.Add("Transfer-Encoding", "chunked");
  response.headers.Add("Connection", "X-Secret");
  response.headers.Add("Keep-Alive", "timeout=5");
  response.headers.Add("Upgrade", "h2c");
  const std::string head = Complete(Request(), response, 5);
  EXPECT_THAT(head, Not(HasSubstr("chunked")));
  EXPECT_THAT(head, Not(HasSubstr("X-Secret")));
  EXPECT_THAT(head, Not(HasSubstr("timeout=5")));
  EXPECT_THAT(head, Not(HasSubstr("h2c")));
}

TEST_F(HttpEncoderTest, CannotBeSplit) {
  ResponseHead response = Response();
  response.reason = "Fine\r\nX-Evil: 1";
  response.headers.Add("X-A", "b\r\nX-Evil: 2");
  response.headers.Add("X-B", "b\nX-Evil: 3");
  response.headers.Add("X-C", std::string("b\0c", 3));
  response.headers.Add("X-D: 1\r\nX-Evil", "4");
  response.headers.Add("", "5");
  response.headers.Add("X-E", "sound \xc3\xbc");
  const std::string head = Complete(Request(), response, 0);
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\nX-E: sound \xc3\xbc\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Evil")));
  EXPECT_THAT(head, Not(HasSubstr("X-C")));
}

TEST_F(HttpEncoderTest, MakesA500OfWhatIsNoFinalStatus) {
  for (const int status : {-1, 0, 99, 100, 103, 199, 1000}) {
    ResponseHead response = Response(status);
    response.reason = "Odd";
    EXPECT_THAT(Complete(Request(), response, 0),
                StartsWith("HTTP/1.1 500 Internal Server Error\r\n"));
  }
  EXPECT_THAT(Complete(Request(), Response(999), 0), StartsWith("HTTP/1.1 999 Unknown\r\n"));
  EXPECT_THAT(Complete(Request(), Response(599), 0), StartsWith("HTTP/1.1 599 Unknown\r\n"));
}

TEST_F(HttpEncoderTest, KeepsTheScriptsReason) {
  ResponseHead response = Response(404);
  response.reason = "Nowhere";
  EXPECT_THAT(Complete(Request(), response, 0), StartsWith("HTTP/1.1 404 Nowhere\r\n"));
}

TEST_F(HttpEncoderTest, KeepsTheScriptsServerAndDate) {
  ResponseHead response = Response();
  response.headers.Add("server", "mine");
  response.headers.Add("date", "today");
  const std::string head = Complete(Request(), response, 0);
  EXPECT_THAT(head, Not(HasSubstr("Server: ephpm")));
  EXPECT_THAT(head, Not(HasSubstr("GMT")));
}

TEST_F(HttpEncoderTest, KeepsConnectionsByVersionAndWish) {
  RequestHead request = Request();
  EXPECT_TRUE(WantsKeepAlive(request));
  request.headers.Add("Connection", "Upgrade, Close");
  EXPECT_FALSE(WantsKeepAlive(request));
  EXPECT_THAT(Complete(request, Response(), 0), HasSubstr("Connection: close\r\n"));
  RequestHead old = Request("GET", 0);
  EXPECT_FALSE(WantsKeepAlive(old));
  old.headers.Add("connection", "Keep-Alive");
  EXPECT_TRUE(WantsKeepAlive(old));
}

TEST_F(HttpEncoderTest, SaysCloseWhileDraining) {
  encoder_.StartDraining();
  EXPECT_THAT(Complete(Request(), Response(), 0), HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(encoder_.CompletePersistence(Request(), Response(), 0), Persistence::kClose);
}

TEST_F(HttpEncoderTest, WritesChunkSizesInHexadecimal) {
  EXPECT_EQ(ChunkStart(1), "1\r\n");
  EXPECT_EQ(ChunkStart(255), "ff\r\n");
  EXPECT_EQ(ChunkStart(0x12345678), "12345678\r\n");
}

TEST(StandardReason, KnowsTheUsualOnes) {
  EXPECT_EQ(StandardReason(200), "OK");
  EXPECT_EQ(StandardReason(418), "I'm a teapot");
  EXPECT_EQ(StandardReason(511), "Network Authentication Required");
  EXPECT_EQ(StandardReason(299), "Unknown");
}

}  // namespace
}  // namespace ephpm::server
