#include "sapi/exchange.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>
#include <vector>

namespace ephpm::sapi {
namespace {

/// A loop that a test turns by hand.
class FakeLoop : public Mailbox, public ExchangeOwner {
 public:
  void Deliver(std::shared_ptr<Exchange> exchange) noexcept override {
    std::lock_guard lock(mutex_);
    delivered_.push_back(std::move(exchange));
    arrived_.notify_all();
  }
  void OnExchangeReady(Exchange& exchange) override { outputs.push_back(exchange.Take()); }

  /// Waits for at least one delivery and hands all to their owners.
  void Turn() {
    std::vector<std::shared_ptr<Exchange>> batch;
    {
      std::unique_lock lock(mutex_);
      arrived_.wait(lock, [&] { return !delivered_.empty(); });
      batch.swap(delivered_);
    }
    for (const auto& exchange : batch) exchange->NotifyOwner();
  }
  std::size_t waiting() {
    std::lock_guard lock(mutex_);
    return delivered_.size();
  }

  std::vector<Exchange::Output> outputs;

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::shared_ptr<Exchange>> delivered_;
};

class PlainEncoder : public CompleteEncoder {
 public:
  std::string EncodeHead(const RequestHead&, const ResponseHead& response,
                         std::size_t body_size) const override {
    return std::to_string(response.status) + ":" + std::to_string(body_size) + "|";
  }
  bool CarriesBody(const RequestHead& request, const ResponseHead&) const override {
    return request.method != "HEAD";
  }
};

ResponseHead Head(int status) {
  ResponseHead head;
  head.status = status;
  return head;
}

class ExchangeTest : public testing::Test {
 protected:
  std::shared_ptr<Exchange> Make(Exchange::DirectSend direct = {}, const char* method = "GET") {
    RequestHead request;
    request.method = method;
    return std::make_shared<Exchange>(std::move(request), RequestBody("input"), loop_, loop_,
                                      direct);
  }
  FakeLoop loop_;
};

TEST_F(ExchangeTest, HandsACompleteResponseOverAtOnce) {
  auto exchange = Make();
  exchange->SetHead(Head(201));
  EXPECT_TRUE(exchange->Write("hello"));
  EXPECT_EQ(loop_.waiting(), 0U) << "a small response is not sent in pieces";
  exchange->Finish(Ending::kComplete);
  loop_.Turn();
  ASSERT_EQ(loop_.outputs.size(), 1U);
  EXPECT_TRUE(loop_.outputs[0].has_head);
  EXPECT_EQ(loop_.outputs[0].head.status, 201);
  EXPECT_EQ(loop_.outputs[0].body, "hello");
  EXPECT_TRUE(loop_.outputs[0].finished);
}

TEST_F(ExchangeTest, FlushSendsTheHeadEvenWithoutABody) {
  auto exchange = Make();
  exchange->SetHead(Head(200));
  EXPECT_TRUE(exchange->Flush());
  loop_.Turn();
  EXPECT_TRUE(loop_.outputs.at(0).has_head);
  EXPECT_FALSE(loop_.outputs.at(0).finished);
  exchange->Write("x");
  exchange->Flush();
  exchange->Finish(Ending::kBroken);
  loop_.Turn();
  EXPECT_FALSE(loop_.outputs.at(1).has_head) << "the head goes once";
  EXPECT_EQ(loop_.outputs.at(1).body, "x");
  EXPECT_EQ(loop_.outputs.at(1).ending, Ending::kBroken);
}

TEST_F(ExchangeTest, NotifiesOnceForManyFlushes) {
  auto exchange = Make();
  exchange->SetHead(Head(200));
  for (int i = 0; i < 5; ++i) {
    exchange->Write("x");
    exchange->Flush();
  }
  EXPECT_EQ(loop_.waiting(), 1U);
  loop_.Turn();
  EXPECT_EQ(loop_.outputs.at(0).body, "xxxxx");
}

TEST_F(ExchangeTest, MakesAScriptWaitWhileTooMuchIsUnsent) {
  auto exchange = Make();
  const std::string piece(Exchange::kHandOverSize, 'x');
  constexpr int kPieces = 40;
  std::thread script([&] {
    exchange->SetHead(Head(200));
    for (int i = 0; i < kPieces; ++i) EXPECT_TRUE(exchange->Write(piece));
    exchange->Finish(Ending::kComplete);
  });
  std::size_t received = 0;
  bool finished = false;
  while (!finished) {
    loop_.Turn();
    for (const Exchange::Output& output : loop_.outputs) {
      EXPECT_LE(output.body.size(), Exchange::kUnsentLimit + Exchange::kHandOverSize);
      received += output.body.size();
      finished = output.finished;
      exchange->Sent(output.body.size());
    }
    loop_.outputs.clear();
  }
  script.join();
  EXPECT_EQ(received, kPieces * piece.size());
}

TEST_F(ExchangeTest, AbortWakesAWaitingScriptAndSilencesTheOwner) {
  auto exchange = Make();
  const std::string piece(Exchange::kHandOverSize, 'x');
  int written = 0;
  std::thread script([&] {
    exchange->SetHead(Head(200));
    while (exchange->Write(piece)) ++written;
    exchange->Finish(Ending::kComplete);
  });
  loop_.Turn();  // takes what is there and never says Sent
  exchange->Abort();
  script.join();
  EXPECT_LE(written, 5);
  EXPECT_TRUE(exchange->client_gone());
  const std::size_t before = loop_.outputs.size();
  if (loop_.waiting() > 0) loop_.Turn();
  EXPECT_EQ(loop_.outputs.size(), before);
}

TEST_F(ExchangeTest, FinishCountsOnce) {
  auto exchange = Make();
  exchange->SetHead(Head(200));
  exchange->Write("a");
  exchange->Finish(Ending::kComplete);
  EXPECT_TRUE(exchange->Write("late")) << "late output is dropped, the script goes on";
  EXPECT_TRUE(exchange->Flush());
  exchange->Finish(Ending::kBroken);
  loop_.Turn();
  EXPECT_EQ(loop_.outputs.at(0).body, "a");
  EXPECT_EQ(loop_.outputs.at(0).ending, Ending::kComplete);
  EXPECT_EQ(loop_.waiting(), 0U);
}

class DirectSendTest : public ExchangeTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_), 0);
  }
  void TearDown() override {
    ::close(sockets_[0]);
    ::close(sockets_[1]);
  }
  Exchange::DirectSend Direct() const { return {sockets_[0], &encoder_}; }
  std::string Received() const {
    std::string all(1 << 22, '\0');
    const ssize_t size = ::recv(sockets_[1], all.data(), all.size(), 0);
    all.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return all;
  }
  int sockets_[2];
  PlainEncoder encoder_;
};

TEST_F(DirectSendTest, WritesASmallCompleteResponseItself) {
  auto exchange = Make(Direct());
  exchange->SetHead(Head(200));
  exchange->Write("hello");
  exchange->Finish(Ending::kComplete);
  EXPECT_EQ(Received(), "200:5|hello");
  loop_.Turn();
  EXPECT_TRUE(loop_.outputs.at(0).sent_directly);
  EXPECT_TRUE(loop_.outputs.at(0).finished);
  EXPECT_EQ(loop_.outputs.at(0).body_size, 5U);
  EXPECT_EQ(loop_.outputs.at(0).wire, "");
}

TEST_F(DirectSendTest, LeavesOutTheBodyOfAHeadRequest) {
  auto exchange = Make(Direct(), "HEAD");
  exchange->SetHead(Head(200));
  exchange->Write("hello");
  exchange->Finish(Ending::kComplete);
  EXPECT_EQ(Received(), "200:5|");
}

TEST_F(DirectSendTest, LeavesTheRestOfAFullSocketToTheLoop) {
  const std::string filler(1 << 20, 'f');
  std::size_t filled = 0;
  ssize_t sent;
  while ((sent = ::send(sockets_[0], filler.data(), filler.size(), 0)) > 0) {
    filled += static_cast<std::size_t>(sent);
  }
  ASSERT_GT(filled, 0U);
  auto exchange = Make(Direct());
  exchange->SetHead(Head(200));
  exchange->Write("hello");
  exchange->Finish(Ending::kComplete);
  loop_.Turn();
  EXPECT_TRUE(loop_.outputs.at(0).sent_directly);
  EXPECT_EQ(loop_.outputs.at(0).wire, "200:5|hello");
}

TEST_F(DirectSendTest, DoesNotTouchTheSocketAfterAbort) {
  auto exchange = Make(Direct());
  exchange->Abort();
  exchange->SetHead(Head(200));
  EXPECT_FALSE(exchange->Write("hello"));
  exchange->Finish(Ending::kComplete);
  EXPECT_EQ(Received(), "");
  EXPECT_EQ(loop_.waiting(), 0U);
}

TEST_F(DirectSendTest, GoesThroughTheLoopOnceFlushed) {
  auto exchange = Make(Direct());
  exchange->SetHead(Head(200));
  exchange->Write("a");
  exchange->Flush();
  exchange->Write("b");
  exchange->Finish(Ending::kComplete);
  EXPECT_EQ(Received(), "");
  loop_.Turn();
  EXPECT_EQ(loop_.outputs.at(0).body, "ab");
  EXPECT_FALSE(loop_.outputs.at(0).sent_directly);
}

}  // namespace
}  // namespace ephpm::sapi
