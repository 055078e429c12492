#include "server/event_loop.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace ephpm::server {
namespace {

class Owner final : public sapi::ExchangeOwner {
 public:
  explicit Owner(EventLoop& loop) : loop_(loop) {}
  void OnExchangeReady(sapi::Exchange& exchange) override {
    thread = std::this_thread::get_id();
    const sapi::Exchange::Output output = exchange.Take();
    body += output.body;
    exchange.Sent(output.body.size());
    if (output.finished) loop_.Stop();
  }
  std::string body;
  std::thread::id thread;

 private:
  EventLoop& loop_;
};

TEST(EventLoop, RunsPostedTasksInOrder) {
  EventLoop loop;
  std::string order;
  std::thread poster([&] {
    for (const char c : {'a', 'b', 'c'}) loop.Post([&, c] { order.push_back(c); });
    loop.Post([&] { loop.Stop(); });
  });
  loop.Run();
  poster.join();
  EXPECT_EQ(order, "abc");
}

TEST(EventLoop, RunsWhatATaskPostsInALaterTurn) {
  EventLoop loop;
  int turns = 0;
  loop.Post([&] {
    ++turns;
    loop.Post([&] {
      ++turns;
      loop.Stop();
    });
    EXPECT_EQ(turns, 1);
  });
  loop.Run();
  EXPECT_EQ(turns, 2);
}

TEST(EventLoop, DeliversExchangesOnItsThread) {
  EventLoop loop;
  Owner owner(loop);
  auto exchange = std::make_shared<sapi::Exchange>(sapi::RequestHead(), sapi::RequestBody(), owner,
                                                   loop, sapi::Exchange::DirectSend());
  std::thread script([exchange] {
    exchange->SetHead({});
    for (int i = 0; i < 100; ++i) {
      exchange->Write("0123456789");
      exchange->Flush();
    }
    exchange->Finish(sapi::Ending::kComplete);
  });
  loop.Run();
  script.join();
  EXPECT_EQ(owner.body.size(), 1000U);
  EXPECT_EQ(owner.thread, std::this_thread::get_id());
}

TEST(EventLoop, KeepsTheTimeOfSteadyClock) {
  EventLoop loop;
  loop.RunOnce();
  const auto difference = EventLoop::Clock::now() - loop.now();
  EXPECT_GE(difference, std::chrono::seconds(0));
  EXPECT_LT(difference, std::chrono::seconds(30));
}

}  // namespace
}  // namespace ephpm::server
