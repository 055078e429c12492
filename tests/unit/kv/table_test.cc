#include "kv/table.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

namespace ephpm::kv {
namespace {

constexpr int kHashBits = 40;

/// Keys whose hashes are spread evenly, so that a test knows where each one lies.
std::uint64_t Spread(int number) {
  return (std::uint64_t{static_cast<unsigned>(number)} * 0x9e3779b97f4a7c15) >> (64 - kHashBits);
}

struct Session {
  Table table{kHashBits};

  void Insert(const std::string& key, std::uint64_t hash) {
    table.Insert(std::make_unique<Entry>(Key{key, hash}, "value of " + key));
  }
  void Insert(int number) { Insert(std::to_string(number), Spread(number)); }
  Entry* Find(int number) {
    const std::string key = std::to_string(number);
    return table.Find({key, Spread(number)});
  }
};

TEST(Table, FindsWhatWasInsertedWhileItGrowsAndShrinks) {
  Session session;
  const std::size_t empty = session.table.bucket_count();
  for (int number = 0; number < 5000; ++number) session.Insert(number);
  EXPECT_EQ(session.table.size(), 5000u);
  EXPECT_GE(session.table.bucket_count(), 5000u);
  for (int number = 0; number < 5000; ++number) {
    ASSERT_NE(session.Find(number), nullptr) << number;
    EXPECT_EQ(session.Find(number)->value, "value of " + std::to_string(number));
  }
  EXPECT_EQ(session.Find(5000), nullptr);

  for (int number = 0; number < 5000; ++number) {
    session.table.Remove(*session.Find(number));
    ASSERT_EQ(session.Find(number), nullptr) << number;
    ASSERT_EQ(session.Find(4999) != nullptr, number < 4999) << number;
  }
  EXPECT_EQ(session.table.size(), 0u);
  EXPECT_EQ(session.table.bucket_count(), empty);
}

TEST(Table, TellsKeysOfOneHashApart) {
  Session session;
  for (int number = 0; number < 100; ++number) session.Insert(std::to_string(number), 7);
  session.table.Remove(*session.table.Find({"50", 7}));
  for (int number = 0; number < 100; ++number) {
    const std::string key = std::to_string(number);
    EXPECT_EQ(session.table.Find({key, 7}) != nullptr, number != 50) << key;
  }
  int visits = 0;
  EXPECT_EQ(session.table.Walk(0, 1000, [&](Entry&) { ++visits; }), std::nullopt);
  EXPECT_EQ(visits, 99);
}

TEST(Table, TakesTheLowestAndTheHighestHash) {
  Session session;
  const std::uint64_t highest = (std::uint64_t{1} << kHashBits) - 1;
  session.Insert("low", 0);
  session.Insert("high", highest);
  EXPECT_NE(session.table.Find({"low", 0}), nullptr);
  EXPECT_NE(session.table.Find({"high", highest}), nullptr);
}

TEST(Table, AWalkMeetsEachLastingEntryOnceWhateverHappensBetweenItsSteps) {
  for (const bool grows : {true, false}) {
    Session session;
    for (int number = 0; number < 1000; ++number) session.Insert(number);
    if (!grows) {
      for (int number = 1000; number < 20'000; ++number) session.Insert(number);
    }
    const std::size_t buckets = session.table.bucket_count();

    std::map<std::string, int> met;
    int passing = grows ? 1000 : 19'999;
    std::optional<std::uint64_t> position = 0;
    while (position) {
      position = session.table.Walk(*position, 10, [&](Entry& entry) { ++met[entry.key]; });
      for (int change = 0; change < 300; ++change) {
        if (grows && passing < 20'000) session.Insert(passing++);
        if (!grows && passing >= 1000) session.table.Remove(*session.Find(passing--));
      }
    }
    EXPECT_NE(session.table.bucket_count(), buckets);
    for (int number = 0; number < 1000; ++number) EXPECT_EQ(met[std::to_string(number)], 1);
  }
}

}  // namespace
}  // namespace ephpm::kv
