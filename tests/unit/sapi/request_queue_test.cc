#include "sapi/request_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ephpm::sapi {
namespace {

class Nobody : public Mailbox, public ExchangeOwner {
  void Deliver(std::shared_ptr<Exchange>) noexcept override {}
  void OnExchangeReady(Exchange&) override {}
};

Nobody nobody;

std::shared_ptr<Exchange> Named(const std::string& target) {
  RequestHead request;
  request.target = target;
  return std::make_shared<Exchange>(std::move(request), RequestBody(), nobody, nobody,
                                    Exchange::DirectSend{});
}

TEST(RequestQueue, HandsOutInOrder) {
  RequestQueue queue(3);
  EXPECT_TRUE(queue.Push(Named("a")));
  EXPECT_TRUE(queue.Push(Named("b")));
  EXPECT_EQ(queue.Pop()->request().target, "a");
  EXPECT_EQ(queue.Pop()->request().target, "b");
}

TEST(RequestQueue, RefusesWhatDoesNotFit) {
  RequestQueue queue(1);
  EXPECT_TRUE(queue.Push(Named("a")));
  EXPECT_FALSE(queue.Push(Named("b")));
  queue.Pop();
  EXPECT_TRUE(queue.Push(Named("c")));
}

TEST(RequestQueue, DrainsAfterClose) {
  RequestQueue queue(2);
  queue.Push(Named("a"));
  queue.Close();
  EXPECT_FALSE(queue.Push(Named("b")));
  EXPECT_EQ(queue.Pop()->request().target, "a");
  EXPECT_EQ(queue.Pop(), nullptr);
}

TEST(RequestQueue, LosesNothingBetweenManyThreads) {
  constexpr int kProducers = 4;
  constexpr int kEach = 2000;
  RequestQueue queue(kProducers * kEach);
  std::atomic<int> popped{0};
  std::vector<std::thread> consumers;
  for (int i = 0; i < 3; ++i) {
    consumers.emplace_back([&] {
      while (queue.Pop() != nullptr) ++popped;
    });
  }
  std::vector<std::thread> producers;
  for (int i = 0; i < kProducers; ++i) {
    producers.emplace_back([&] {
      for (int n = 0; n < kEach; ++n) EXPECT_TRUE(queue.Push(Named("x")));
    });
  }
  for (std::thread& thread : producers) thread.join();
  queue.Close();
  for (std::thread& thread : consumers) thread.join();
  EXPECT_EQ(popped, kProducers * kEach);
}

}  // namespace
}  // namespace ephpm::sapi
