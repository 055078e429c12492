#include "server/http_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/server/connection_fixture.h"

namespace ephpm::server {
namespace {

using sapi::Ending;
using sapi::Exchange;
using sapi::ResponseHead;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::string_view kGet = "GET /index.php?a=1 HTTP/1.1\r\nHost: a.example:80\r\n\r\n";
constexpr std::string_view kGetFile = "GET /hello.txt HTTP/1.1\r\nHost: a.example\r\n\r\n";

std::string ReadBody(Exchange& exchange) {
  std::string body(exchange.body().size(), '\0');
  std::size_t read = 0;
  std::ptrdiff_t count;
  while ((count = exchange.body().Read(body.data() + read, body.size() - read)) > 0) {
    read += static_cast<std::size_t>(count);
  }
  return body;
}

// ---- Requests.

TEST_F(ConnectionTest, HandsAScriptWhatTheClientAsked) {
  Connect();
  Send(kGet);
  const sapi::RequestHead& request = Submitted().request();
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/index.php?a=1");
  EXPECT_EQ(request.query, "a=1");
  EXPECT_EQ(request.host, "a.example");
  EXPECT_EQ(request.headers.Find("host"), "a.example:80");
  EXPECT_EQ(request.script.name, "/index.php");
  EXPECT_EQ(request.peers.remote_address, "192.0.2.1");
  EXPECT_EQ(request.http_minor, 1);
  EXPECT_FALSE(request.https);
}

TEST_F(ConnectionTest, AnswersWhatTheScriptWrote) {
  Connect();
  Send(kGet);
  EXPECT_THAT(Received(), IsEmpty());
  Respond("hello");
  const std::string response = Received();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(response, HasSubstr("Content-Length: 5\r\n"));
  EXPECT_THAT(response, EndsWith("\r\n\r\nhello"));
  EXPECT_FALSE(Closed());
}

TEST_F(ConnectionTest, ServesSeveralRequestsOneAfterTheOther) {
  Connect();
  for (const char* body : {"one", "two", "three"}) {
    Send(kGet);
    Respond(body);
    EXPECT_EQ(Body(Received()), body);
  }
}

TEST_F(ConnectionTest, GivesTheNextPipelinedRequestToTheScriptOnlyAfterTheFirst) {
  Connect();
  Send(std::string(kGet) + std::string(kGetFile) + std::string(kGet));
  ASSERT_THAT(handler_.submitted, SizeIs(1));
  EXPECT_THAT(Received(), IsEmpty());
  Respond("first");
  ASSERT_THAT(handler_.submitted, SizeIs(2));
  const std::string responses = Received();
  EXPECT_THAT(responses, HasSubstr("\r\n\r\nfirstHTTP/1.1 200 OK"));
  EXPECT_THAT(responses, EndsWith("hello, file"));
  Respond("last");
  EXPECT_EQ(Body(Received()), "last");
}

TEST_F(ConnectionTest, BoundsThePipelinedBytesThatItHolds) {
  Connect();
  Send(kGet);
  std::string flood;
  while (flood.size() < 4 * 1024 * 1024) flood.append(kGetFile);
  std::size_t taken = 0;
  for (int i = 0; i < 200; ++i) {
    const ssize_t sent =
        ::send(client_.get(), flood.data() + taken, flood.size() - taken, MSG_NOSIGNAL);
    if (sent > 0) taken += static_cast<std::size_t>(sent);
    Turn();
  }
  EXPECT_LT(taken, 2U * 1024 * 1024);  // what sockets and the bounded buffer hold
  Respond("done");
  EXPECT_THAT(Received(), HasSubstr("\r\n\r\ndone"));
}

TEST_F(ConnectionTest, ReadsARequestThatComesByteByByte) {
  Connect();
  for (const char c :
       std::string("POST /index.php HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc")) {
    Send(std::string(1, c));
  }
  ASSERT_THAT(handler_.submitted, SizeIs(1));
  EXPECT_EQ(ReadBody(Submitted()), "abc");
}

TEST_F(ConnectionTest, SubmitsOnlyWhenTheBodyIsComplete) {
  Connect();
  Send("POST /index.php HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n01234");
  EXPECT_THAT(handler_.submitted, IsEmpty());
  Send("56789");
  ASSERT_THAT(handler_.submitted, SizeIs(1));
  EXPECT_EQ(ReadBody(Submitted()), "0123456789");
}

TEST_F(ConnectionTest, JoinsAChunkedBody) {
  Connect();
  Send("POST /index.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
  EXPECT_THAT(handler_.submitted, IsEmpty());
  Send("7;x=y\r\n, world\r\n0\r\nX-Trailer: 1\r\n\r\n");
  ASSERT_THAT(handler_.submitted, SizeIs(1));
  EXPECT_EQ(ReadBody(Submitted()), "hello, world");
  EXPECT_FALSE(Submitted().request().headers.Has("X-Trailer"));
}

TEST_F(ConnectionTest, SpillsALongBodyIntoAFile) {
  config_.limits.body_memory = 1000;
  Connect();
  const std::string body(200'000, 'x');
  Send("POST /index.php HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + body);
  ASSERT_THAT(handler_.submitted, SizeIs(1));
  EXPECT_TRUE(Submitted().body().spilled());
  EXPECT_EQ(ReadBody(Submitted()), body);
}

TEST_F(ConnectionTest, SaysContinueToAClientThatWaitsForIt) {
  Connect();
  Send("POST /index.php HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(Received(), "HTTP/1.1 100 Continue\r\n\r\n");
  Send("ab");
  Respond("thanks");
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(ConnectionTest, RefusesAnAnnouncedBodyThatIsTooLargeBeforeItComes) {
  config_.limits.body = 1000;
  Connect();
  Send(
      "POST /index.php HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
      "1001\r\n\r\n");
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 413 Content Too Large\r\n"));
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, RefusesAChunkedBodyWhenItGetsTooLarge) {
  config_.limits.body = 10;
  Connect();
  Send(
      "POST /index.php HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n01234567\r\n");
  EXPECT_THAT(Received(), IsEmpty());
  Send("8\r\n01234567\r\n");
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 413 "));
  EXPECT_TRUE(Closed());
  EXPECT_THAT(handler_.submitted, IsEmpty());
}

TEST_F(ConnectionTest, LetsAClientThatGoesOnSendingReadTheRefusal) {
  config_.limits.body = 10;
  Connect();
  Send("POST /index.php HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
  Send(std::string(1'000'000, 'x'));
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 413 "));
  EXPECT_FALSE(Retired());  // still reading over what comes
  client_.Reset();
  Turn();
  EXPECT_TRUE(Retired());
}

TEST_F(ConnectionTest, DoesNotWaitForeverForAClientThatNeverStopsSending) {
  config_.limits.body = 10;
  Connect();
  Send("POST /index.php HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
  Pass(std::chrono::seconds(6));
  EXPECT_TRUE(Retired());
}

// ---- Answers of the server itself.

TEST_F(ConnectionTest, SendsAFile) {
  Connect();
  Send(kGetFile);
  const std::string response = Received();
  EXPECT_THAT(response, HasSubstr("Content-Length: 11\r\n"));
  EXPECT_EQ(Body(response), "hello, file");
  EXPECT_FALSE(Closed());
}

TEST_F(ConnectionTest, SendsALargeFileToASlowClient) {
  const std::string content(8 * 1024 * 1024, 'x');
  site_.File("www/large.txt", content);
  Connect();
  reading_ = false;
  Send("GET /large.txt HTTP/1.1\r\nHost: a\r\n\r\n");
  reading_ = true;
  std::string response;
  for (int i = 0; i < 10'000 && response.size() < content.size(); ++i) response += Received();
  EXPECT_EQ(Body(response), content);
}

TEST_F(ConnectionTest, SendsNoFileToHead) {
  Connect();
  Send("HEAD /hello.txt HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string response = Received();
  EXPECT_THAT(response, HasSubstr("Content-Length: 11\r\n"));
  EXPECT_EQ(Body(response), "");
}

TEST_F(ConnectionTest, RedirectsToAFolder) {
  Connect();
  Send("GET /folder HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Received(), HasSubstr("Location: /folder/\r\n"));
}

TEST_F(ConnectionTest, RejectsWithoutClosing) {
  Connect();
  Send("GET /missing.css HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_FALSE(Closed());
  Send(kGetFile);
  EXPECT_EQ(Body(Received()), "hello, file");
}

TEST_F(ConnectionTest, ClosesAfterARejectionWhoseBodyNobodyReads) {
  Connect();
  Send("POST /missing.css HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
  const std::string response = Received();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(response, HasSubstr("Connection: close\r\n"));
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, SaysThatItIsBusyWhenTheQueueIsFull) {
  handler_.full = true;
  Connect();
  Send(kGet);
  const std::string response = Received();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_THAT(response, HasSubstr("Retry-After: 1\r\n"));
  handler_.full = false;
  Send(kGet);
  Respond("hello");
  EXPECT_EQ(Body(Received()), "hello");
}

TEST_F(ConnectionTest, TellsItsHealthWithoutTheScript) {
  handler_.full = true;
  Connect();
  Send("GET /_ephpm/health HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 200 OK\r\n"));
  Send("GET /_ephpm/ready HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 200 OK\r\n"));
  encoder_.StartDraining();
  Send("GET /_ephpm/ready HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 503 "));
}

// ---- Framing.

TEST_F(ConnectionTest, StreamsInChunksWhatIsFlushed) {
  Connect();
  Send(kGet);
  Submitted().SetHead({});
  Submitted().Write("one");
  Submitted().Flush();
  const std::string start = Received();
  EXPECT_THAT(start, HasSubstr("Transfer-Encoding: chunked\r\n"));
  EXPECT_EQ(Body(start), "3\r\none\r\n");
  Submitted().Write("seventeen letters");
  Submitted().Flush();
  EXPECT_EQ(Received(), "11\r\nseventeen letters\r\n");
  Submitted().Finish(Ending::kComplete);
  EXPECT_EQ(Received(), "0\r\n\r\n");
  EXPECT_FALSE(Closed());
}

TEST_F(ConnectionTest, CutsTheChunksOfABrokenResponse) {
  Connect();
  Send(kGet);
  Submitted().SetHead({});
  Submitted().Write("half");
  Submitted().Flush();
  Turn();
  Submitted().Finish(Ending::kBroken);
  EXPECT_THAT(Received(), EndsWith("4\r\nhalf\r\n"));
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, TurnsABrokenResponseThatHasNotLeftIntoAnError) {
  Connect();
  Send(kGet);
  ResponseHead head;
  head.headers.Add("Content-Length", "100");
  Submitted().SetHead(std::move(head));
  Submitted().Write("half");
  Submitted().Finish(Ending::kBroken);
  const std::string response = Received();
  EXPECT_THAT(response, StartsWith("HTTP/1.1 500 Internal Server Error\r\n"));
  EXPECT_THAT(response, HasSubstr("Content-Length: 4\r\n"));
  EXPECT_EQ(Body(response), "half");
}

TEST_F(ConnectionTest, EndsAnHttp10BodyWithTheConnection) {
  Connect();
  Send("GET /index.php HTTP/1.0\r\n\r\n");
  Submitted().SetHead({});
  Submitted().Write("one");
  Submitted().Flush();
  Submitted().Write("two");
  Submitted().Finish(Ending::kComplete);
  const std::string response = Received();
  EXPECT_THAT(response, Not(HasSubstr("chunked")));
  EXPECT_EQ(Body(response), "onetwo");
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, KeepsAnHttp10ConnectionIfAskedTo) {
  Connect();
  Send("GET /index.php HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  Respond("hello");
  EXPECT_THAT(Received(), HasSubstr("Connection: keep-alive\r\n"));
  EXPECT_FALSE(Closed());
}

TEST_F(ConnectionTest, NeverSendsMoreThanTheScriptDeclared) {
  Connect();
  Send(kGet);
  ResponseHead head;
  head.headers.Add("Content-Length", "3");
  Respond("hello", std::move(head));
  const std::string response = Received();
  EXPECT_THAT(response, HasSubstr("Content-Length: 3\r\n"));
  EXPECT_EQ(Body(response), "hel");
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, NeverStreamsMoreThanTheScriptDeclared) {
  Connect();
  Send(kGet);
  ResponseHead head;
  head.headers.Add("content-length", "3");
  Submitted().SetHead(std::move(head));
  Submitted().Flush();
  Submitted().Write("hello");
  Submitted().Flush();
  Submitted().Finish(Ending::kComplete);
  EXPECT_EQ(Body(Received()), "hel");
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, ClosesWhenTheScriptWroteLessThanItDeclared) {
  Connect();
  Send(kGet);
  ResponseHead head;
  head.headers.Add("Content-Length", "10");
  Respond("hello", std::move(head));
  const std::string response = Received();
  EXPECT_THAT(response, HasSubstr("Content-Length: 10\r\n"));
  EXPECT_EQ(Body(response), "hello");
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, SendsNoBodyToHead) {
  Connect();
  Send("HEAD /index.php HTTP/1.1\r\nHost: a\r\n\r\n");
  Respond("hello");
  const std::string response = Received();
  EXPECT_THAT(response, HasSubstr("Content-Length: 5\r\n"));
  EXPECT_EQ(Body(response), "");
  EXPECT_FALSE(Closed());
}

}  // namespace
}  // namespace ephpm::server
