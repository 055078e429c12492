#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "kv/store.h"

namespace ephpm::kv {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 3000;

template <typename Body>
void InThreads(Body body) {
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number) threads.emplace_back(body, number);
  for (std::thread& thread : threads) thread.join();
}

TEST(StoreAcrossThreads, LosesNoIncrementAndNoAppend) {
  Store store;
  InThreads([&](int) {
    for (int round = 0; round < kRounds; ++round) {
      store.Increment("count:" + std::to_string(round % 7));
      store.Append("log", "x");
    }
  });
  std::int64_t sum = 0;
  for (int counter = 0; counter < 7; ++counter) {
    sum += store.Increment("count:" + std::to_string(counter), 0).value();
  }
  EXPECT_EQ(sum, kThreads * kRounds);
  EXPECT_EQ(store.Get("log")->size(), std::size_t{kThreads * kRounds});
}

TEST(StoreAcrossThreads, OneThreadWinsEachAdd) {
  Store store;
  std::atomic<int> wins = 0;
  InThreads([&](int) {
    for (int round = 0; round < kRounds; ++round) {
      const SetOptions add{.condition = Condition::kIfAbsent};
      if (store.Set(std::to_string(round), "mine", add) == Status::kOk) ++wins;
    }
  });
  EXPECT_EQ(wins, kRounds);
}

TEST(StoreAcrossThreads, ReadersSeeWholeValuesInATinyStore) {
  Store store({.shards = 4, .max_bytes = 200'000});
  std::atomic<int> torn = 0;
  InThreads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const std::string key = std::to_string((round * 31 + thread) % 500);
      store.Set(key, std::string(1000, static_cast<char>('a' + thread)),
                {.ttl = std::chrono::milliseconds(1 + round % 50)});
      const std::optional<std::string> value = store.Get(key);
      if (value && *value != std::string(1000, value->front())) ++torn;
      if (round % 5 == 0) store.Delete(key);
      if (round % 7 == 0) store.Expire(key, std::chrono::milliseconds(2));
      if (round % 100 == 0) store.RemoveExpired();
      if (round % 1000 == 0) store.Clear();
      if (store.stats().bytes > 200'000) ++torn;
    }
  });
  EXPECT_EQ(torn, 0);
}

TEST(StoreAcrossThreads, AScanMeetsLastingKeysWhileOthersWrite) {
  Store store;
  for (int number = 0; number < 300; ++number) store.Set("old:" + std::to_string(number), "v");
  std::atomic<int> wrong = 0;
  InThreads([&](int thread) {
    for (int round = 0; round < kRounds && thread != 0; ++round) {
      store.Set("new:" + std::to_string(round * kThreads + thread), "v");
    }
    for (int round = 0; round < 20 && thread == 0; ++round) {
      std::multiset<std::string> met;
      std::uint64_t cursor = 0;
      do {
        ScanPage page = store.Scan(cursor, "old:*", 50);
        met.insert(page.keys.begin(), page.keys.end());
        cursor = page.cursor;
      } while (cursor != 0);
      if (met.size() != 300 || std::set(met.begin(), met.end()).size() != 300) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace ephpm::kv
