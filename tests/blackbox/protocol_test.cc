// HTTP on the wire: what is malformed or too much is refused, never guessed at.

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProtocolTest : public ServerTest {
 protected:
  /// What the server sends, until it closes, to a client that sends `bytes`.
  std::string Answer(const std::string& bytes) {
    Client client(endpoint());
    client.TrySend(bytes);
    return client.ReadToEnd();
  }
  static int CountAnswers(const std::string& bytes) {
    int count = 0;
    for (std::size_t at = 0; (at = bytes.find("HTTP/1.", at)) != std::string::npos; ++at) ++count;
    return count;
  }
};

TEST_P(ProtocolTest, AmbiguousFramingIsRefusedAndNothingSmuggled) {
  Start();
  const std::string smuggled = "GET /hello.php?smuggled HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string line = "POST /echo_input.php HTTP/1.1\r\nHost: h\r\n";
  for (const std::string& head : {
           line + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           line + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
           line + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
           line + "Content-Length: 5, 6\r\n\r\nhello",
           line + "Content-Length: +5\r\n\r\nhello",
           line + "Content-Length: -5\r\n\r\nhello",
           line + "Content-Length: 0x5\r\n\r\nhello",
           line + "Content-Length: 5 5\r\n\r\nhello",
           line + "Content-Length: \r\n\r\n",
           line + "Content-Length: 99999999999999999999999\r\n\r\nhello",
           line + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
           line + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
           line + "Transfer-Encoding: identity\r\n\r\n0\r\n\r\n",
           line + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
           line + "Content-Length : 5\r\n\r\nhello",
           line + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
           line + "X: a\r\n b\r\nContent-Length: 0\r\n\r\n",
           line + "Content-Length: 5\nX: y\r\n\r\nhello",
           line + "Content\tLength: 5\r\n\r\nhello",
           line + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n",
           line + "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n",
           line + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
           line + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello\r\n0\r\n\r\n",
           line + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n",
           line + "Transfer-Encoding: chunked\r\n\r\n5;a\rb\r\nhello\r\n0\r\n\r\n",
           std::string("POST /echo_input.php HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") +
               "0\r\n\r\n",
       }) {
    const std::string answer = Answer(head + smuggled);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400") || answer.starts_with("HTTP/1.1 413") ||
                answer.starts_with("HTTP/1.1 501"))
        << head << "\n-> " << answer;
    EXPECT_EQ(CountAnswers(answer), 1) << head << "\n-> " << answer;
  }
}

TEST_P(ProtocolTest, MalformedRequestsAreRefused) {
  Start();
  using namespace std::string_literals;
  for (const std::string& request : {
           "GET  /hello.php HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET /hello.php HTTP/1.1\r\n\r\n"s,
           "GET /hello.php HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"s,
           "GET /hello.php HTTP/1.1\r\nHost: a b\r\n\r\n"s,
           "GET /hello.php HTTP/1.1\r\nHost: h\r\nNo colon\r\n\r\n"s,
           "GET /hello.php HTTP/1.1\r\nHost: h\r\nX: a\0b\r\n\r\n"s,
           "GET /hello.php HTTP/1.1\r\nHost: h\r\n: empty\r\n\r\n"s,
           "GET /hello.php HTTP/2.0\r\nHost: h\r\n\r\n"s,
           "GET /hello.php HTTP/1.1x\r\nHost: h\r\n\r\n"s,
           "GET /hello.php\r\n\r\n"s,
           "G@T /hello.php HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET hello.php HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "GET /a\0b HTTP/1.1\r\nHost: h\r\n\r\n"s,
           "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS client\r\n\r\n"s,
       }) {
    const std::string answer = Answer(request);
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400") || answer.starts_with("HTTP/1.1 505"))
        << request << "\n-> " << answer;
  }
}

TEST_P(ProtocolTest, AbsoluteFormIsUnderstood) {
  Start();
  Client client(endpoint());
  client.Send("GET http://example.com/hello.php HTTP/1.1\r\nHost: example.com\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, "hello");
}

TEST_P(ProtocolTest, EmptyLinesBeforeARequestAreSkipped) {
  Start();
  Client client(endpoint());
  client.Send("\r\n\r\nGET /hello.php HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, "hello");
}

TEST_P(ProtocolTest, TraceAndConnectDoNotReachPhp) {
  Start();
  EXPECT_EQ(Fetch({.target = "/show_server.php", .method = "TRACE"}).status, 405);
  Client client(endpoint());
  client.Send("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n");
  const Response response = client.ReadResponse("CONNECT");
  EXPECT_GE(response.status, 400);
  EXPECT_LT(response.status, 500);
}

TEST_P(ProtocolTest, LongUrlIsRefused) {
  Start();
  EXPECT_EQ(Get("/hello.php?" + std::string(4000, 'q')).status, 200);
  EXPECT_EQ(Get("/hello.php?" + std::string(32 * 1024, 'q')).status, 414);
}

TEST_P(ProtocolTest, TooManyHeadersAreRefused) {
  Start();
  Headers headers;
  for (int i = 0; i < 100; ++i) headers.emplace_back("X-" + std::to_string(i), "v");
  EXPECT_EQ(Get("/hello.php", headers).status, 200);
  for (int i = 100; i < 300; ++i) headers.emplace_back("X-" + std::to_string(i), "v");
  EXPECT_EQ(Get("/hello.php", headers).status, 431);
}

TEST_P(ProtocolTest, LongHeadersAreRefused) {
  Start();
  EXPECT_EQ(Get("/hello.php", {{"X-Long", std::string(32 * 1024, 'v')}}).status, 200);
  EXPECT_EQ(Get("/hello.php", {{"X-Long", std::string(80 * 1024, 'v')}}).status, 431);
}

TEST_P(ProtocolTest, RefusedPipelineServesWhatCameBefore) {
  Start();
  const std::string answer = Answer(
      "GET /hello.php HTTP/1.1\r\nHost: h\r\n\r\n"
      "nonsense\r\n\r\n"
      "GET /hello.php HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_THAT(answer, testing::StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("HTTP/1.1 400"));
  EXPECT_EQ(CountAnswers(answer), 2);
}

TEST_P(ProtocolTest, SlowHeadIsAnsweredAndEnded) {
  Start({.config = "[timeouts]\nheader = \"300ms\"\n"});
  Client client(endpoint());
  client.Send("GET /hello.php HTTP/1.1\r\nHos");
  EXPECT_EQ(client.ReadResponse().status, 408);
  EXPECT_TRUE(client.IsClosed());
}

TEST_P(ProtocolTest, BodyThatStopsIsAnsweredAndEnded) {
  Start({.config = "[timeouts]\nbody = \"300ms\"\n"});
  Client client(endpoint());
  client.Send("POST /echo_input.php HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf");
  EXPECT_EQ(client.ReadResponse().status, 408);
  EXPECT_TRUE(client.IsClosed());
}

TEST_P(ProtocolTest, IdleConnectionIsEnded) {
  Start({.config = "[timeouts]\nidle = \"300ms\"\n"});
  Client client(endpoint());
  EXPECT_EQ(client.Exchange({.target = "/hello.php"}).body, "hello");
  EXPECT_TRUE(client.IsClosed());
}

TEST_P(ProtocolTest, ClientThatStopsReadingIsEndedAndItsScriptToo) {
  Start({.workers = 1, .config = "[timeouts]\nwrite = \"300ms\"\n"});
  Client client(endpoint(), {.receive_buffer = 64 * 1024});
  client.Send(Request{.target = "/ending_client_gone.php?told=" + Path("told")}.Encode());
  EXPECT_TRUE(Eventually([&] { return ReadFile(Path("told")) == "aborted"; }));
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(ProtocolTest, ServerSaysNothingOfItsVersionToTheWorld) {
  Start();
  EXPECT_THAT(Get("/hello.php").Header("Server"), Not(HasSubstr(EPHPM_VERSION)));
}

EPHPM_IN_EVERY_MODE(ProtocolTest);

}  // namespace
}  // namespace ephpm::blackbox
