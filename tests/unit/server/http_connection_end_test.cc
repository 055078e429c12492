#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "server/http_connection.h"
#include "tests/unit/server/connection_fixture.h"

namespace ephpm::server {
namespace {

using sapi::Ending;
using sapi::Exchange;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kGet = "GET /index.php?a=1 HTTP/1.1\r\nHost: a.example:80\r\n\r\n";
constexpr std::string_view kGetFile = "GET /hello.txt HTTP/1.1\r\nHost: a.example\r\n\r\n";

// ---- Clients that leave, wait or stall.

TEST_F(ConnectionTest, AnswersAClientThatHasEndedItsHalf) {
  Connect();
  Send(kGet);
  EndSending();
  EXPECT_FALSE(Submitted().client_gone());
  Respond("hello");
  EXPECT_EQ(Body(Received()), "hello");
  EXPECT_TRUE(Closed());
  EXPECT_TRUE(Retired());
}

TEST_F(ConnectionTest, AnswersAllPipelinedRequestsOfAClientThatHasEndedItsHalf) {
  Connect();
  Send(std::string(kGet) + std::string(kGetFile) + std::string(kGetFile));
  EndSending();
  Respond("hello");
  const std::string responses = Received();
  EXPECT_THAT(responses, HasSubstr("\r\n\r\nhelloHTTP"));
  EXPECT_THAT(responses, HasSubstr("hello, fileHTTP"));
  EXPECT_TRUE(Retired());
}

TEST_F(ConnectionTest, TellsTheScriptThatItsClientIsGone) {
  Connect();
  Send(kGet);
  client_.Reset();
  Turn();
  Submitted().SetHead({});
  Submitted().Write(std::string(Exchange::kHandOverSize, 'x'));
  Turn();
  EXPECT_TRUE(Submitted().client_gone());
  EXPECT_FALSE(Submitted().Write("more"));
  EXPECT_TRUE(Retired());
}

TEST_F(ConnectionTest, LeavesAScriptAloneThatWorksOnAfterItsAnswer) {
  Connect();
  Send(kGet);
  Respond("hello");
  client_.Reset();
  Turn();
  EXPECT_TRUE(Retired());
  EXPECT_FALSE(Submitted().client_gone());
}

TEST_F(ConnectionTest, MakesAFastScriptWaitForASlowClient) {
  Connect();
  Send(kGet);
  reading_ = false;
  std::thread script([&] {
    Submitted().SetHead({});
    const std::string piece(Exchange::kHandOverSize, 'x');
    for (int i = 0; i < 256 && Submitted().Write(piece); ++i) {
    }
    Submitted().Finish(Ending::kComplete);
  });
  reading_ = true;
  std::string response;
  while (!response.ends_with("0\r\n\r\n") && !Closed()) response += Received();
  script.join();
  EXPECT_GT(response.size(), 256 * Exchange::kHandOverSize);
}

TEST_F(ConnectionTest, EndsAConnectionThatTakesNothing) {
  Connect();
  Send(kGet);
  reading_ = false;
  std::thread script([&] {
    Submitted().SetHead({});
    const std::string piece(Exchange::kHandOverSize, 'x');
    while (Submitted().Write(piece)) {
    }
    Submitted().Finish(Ending::kBroken);
  });
  while (!Retired()) Pass(config_.timeouts.write * 2);
  script.join();
  EXPECT_TRUE(Submitted().client_gone());
}

TEST_F(ConnectionTest, ClosesASilentConnectionSilently) {
  Connect();
  Pass(config_.timeouts.header + std::chrono::seconds(1));
  EXPECT_EQ(Received(), "");
  EXPECT_TRUE(Retired());
}

TEST_F(ConnectionTest, ClosesAnIdleConnectionSilently) {
  Connect();
  Send(kGetFile);
  Received();
  Pass(config_.timeouts.idle - std::chrono::seconds(1));
  EXPECT_FALSE(Retired());
  Pass(config_.timeouts.idle + std::chrono::seconds(1));
  EXPECT_EQ(Received(), "");
  EXPECT_TRUE(Retired());
}

TEST_F(ConnectionTest, RefusesAHeadThatTakesTooLong) {
  Connect();
  Send("GET / HTTP/1.1\r\nHos");
  Pass(config_.timeouts.header + std::chrono::seconds(1));
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 408 Request Timeout\r\n"));
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, RefusesABodyThatTakesTooLong) {
  Connect();
  Send("POST /index.php HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel");
  Pass(config_.timeouts.body + std::chrono::seconds(1));
  EXPECT_THAT(Received(), StartsWith("HTTP/1.1 408 "));
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, GivesAScriptAllTheTimeItTakes) {
  Connect();
  Send(kGet);
  Pass(std::chrono::hours(1));
  EXPECT_FALSE(Retired());
  Respond("late");
  EXPECT_EQ(Body(Received()), "late");
}

// ---- Draining.

TEST_F(ConnectionTest, EndsAnIdleConnectionWhenItDrains) {
  Connect();
  Send(kGetFile);
  Received();
  encoder_.StartDraining();
  connection_->Drain();
  Turn();
  EXPECT_TRUE(Retired());
}

TEST_F(ConnectionTest, FinishesTheRequestUnderWayWhenItDrains) {
  Connect();
  Send(kGet);
  encoder_.StartDraining();
  connection_->Drain();
  Turn();
  EXPECT_FALSE(Closed());
  Respond("hello");
  const std::string response = Received();
  EXPECT_THAT(response, HasSubstr("Connection: close\r\n"));
  EXPECT_EQ(Body(response), "hello");
  EXPECT_TRUE(Closed());
}

TEST_F(ConnectionTest, ServesTheFirstRequestOfANewClientWhenItDrains) {
  Connect();
  encoder_.StartDraining();
  connection_->Drain();
  Send(kGetFile);
  EXPECT_EQ(Body(Received()), "hello, file");
  EXPECT_TRUE(Closed());
}

}  // namespace
}  // namespace ephpm::server
