#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/kv/session.h"

namespace ephpm::kv {
namespace {

using testing::UnorderedElementsAre;

/// Keys and values so short that each entry costs the same.
const std::size_t kEntry = Entry::BytesFor(0, 0);

/// One shard with room for `entries` short ones.
StoreOptions RoomFor(std::size_t entries, Eviction eviction) {
  return {.shards = 1, .max_bytes = entries * kEntry, .eviction = eviction};
}

TEST(Eviction, AllKeysLruGivesUpWhatWasUsedLongestAgo) {
  Session s(RoomFor(3, Eviction::kAllKeysLru));
  s.store.Set("a", "1");
  s.store.Set("b", "2", {.ttl = seconds(1)});
  s.store.Set("c", "3");
  s.Get("a");
  s.store.Set("d", "4");
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("a", "c", "d"));
  s.store.Set("e", "5");
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("a", "d", "e"));
  EXPECT_EQ(s.store.stats().evicted, 2u);
}

TEST(Eviction, LookingIsNoUse) {
  Session s(RoomFor(2, Eviction::kAllKeysLru));
  s.store.Set("a", "1");
  s.store.Set("b", "2");
  s.store.Exists("a");
  s.store.TimeToLive("a");
  s.Scan();
  s.store.Set("c", "3");
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("b", "c"));
}

TEST(Eviction, VolatileLruSparesKeysWithoutExpiry) {
  Session s(RoomFor(3, Eviction::kVolatileLru));
  s.store.Set("a", "1");
  s.store.Set("b", "2", {.ttl = seconds(1)});
  s.store.Set("c", "3", {.ttl = seconds(9)});
  s.Get("b");
  s.store.Set("d", "4");
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("a", "b", "d"));
  s.store.Persist("b");
  EXPECT_EQ(s.store.Set("e", "5"), Status::kFull);
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("a", "b", "d"));
}

TEST(Eviction, VolatileTtlGivesUpWhatWouldGoFirst) {
  Session s(RoomFor(4, Eviction::kVolatileTtl));
  s.store.Set("a", "1");
  s.store.Set("b", "2", {.ttl = seconds(5)});
  s.store.Set("c", "3", {.ttl = seconds(2)});
  s.store.Set("d", "4", {.ttl = seconds(9)});
  s.Get("c");
  s.store.Set("e", "5");
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("a", "b", "d", "e"));
  s.store.Expire("b", seconds(20));
  s.store.Set("f", "6");
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("a", "b", "e", "f"));
}

TEST(Eviction, NoEvictionRefusesWhatWouldGrow) {
  Session s(RoomFor(2, Eviction::kNoEviction));
  s.store.Set("a", "1");
  s.store.Set("b", "2", {.ttl = seconds(1)});
  EXPECT_EQ(s.store.Set("c", "3"), Status::kFull);
  EXPECT_EQ(s.store.Increment("c").status(), Status::kFull);
  EXPECT_EQ(s.store.Append("c", "3").status(), Status::kFull);
  EXPECT_EQ(s.store.Append("a", " and so much that it moves out").status(), Status::kFull);
  EXPECT_EQ(s.store.Set("a", "something longer than an entry holds"), Status::kFull);
  EXPECT_EQ(s.Get("a"), "1");
  EXPECT_EQ(s.store.Set("a", "one"), Status::kOk);
  EXPECT_EQ(s.store.Increment("b").value(), 3);
  s.Pass(seconds(1));
  EXPECT_EQ(s.store.Set("c", "3"), Status::kOk);
  EXPECT_THAT(s.Scan(), UnorderedElementsAre("a", "c"));
}

TEST(Eviction, AllKeysRandomGivesUpSomebodyElse) {
  Session s(RoomFor(10, Eviction::kAllKeysRandom));
  std::size_t survived = 0;
  for (int number = 0; number < 1000; ++number) {
    const std::string key = std::to_string(number);
    ASSERT_EQ(s.store.Set(key, "v"), Status::kOk);
    ASSERT_TRUE(s.store.Exists(key));
    if (number > 10) survived += s.store.Exists(std::to_string(number - 10));
  }
  EXPECT_EQ(s.store.stats().keys, 10u);
  EXPECT_EQ(s.store.stats().evicted, 990u);
  // Neither always the oldest, as a list would choose, nor never.
  EXPECT_GT(survived, 100u);
  EXPECT_LT(survived, 900u);
}

TEST(Eviction, ExpiredKeysLeaveBeforeLivingOnes) {
  for (const Eviction policy : {Eviction::kAllKeysLru, Eviction::kVolatileLru,
                                Eviction::kVolatileTtl, Eviction::kAllKeysRandom}) {
    Session s(RoomFor(20, policy));
    for (int number = 0; number < 10; ++number) s.store.Set("live" + std::to_string(number), "v");
    for (int number = 0; number < 10; ++number) {
      s.store.Set("dead" + std::to_string(number), "v", {.ttl = seconds(1)});
    }
    s.Pass(seconds(1));
    for (int number = 0; number < 10; ++number) s.store.Set("new" + std::to_string(number), "v");
    EXPECT_EQ(s.store.stats().evicted, 0u);
    EXPECT_EQ(s.store.stats().keys, 20u);
  }
}

TEST(Eviction, AWriteRemovesAsManyExpiredKeysAsItNeeds) {
  Session s(RoomFor(20, Eviction::kNoEviction));
  for (int number = 0; number < 20; ++number) {
    s.store.Set(std::to_string(number), "v", {.ttl = seconds(1)});
  }
  s.Pass(seconds(1));
  EXPECT_EQ(s.store.Set("big", std::string(15 * kEntry, 'v')), Status::kOk);
  EXPECT_EQ(s.store.stats().evicted, 0u);
}

TEST(Eviction, WritesLeaveNoHeapOfTheDeadEvenWithRoomForAll) {
  Session s({.shards = 1});
  for (int number = 0; number < 1000; ++number) {
    s.store.Set("dead" + std::to_string(number), "v", {.ttl = seconds(1)});
  }
  s.Pass(seconds(1));
  for (int number = 0; number < 500; ++number) s.store.Set("new" + std::to_string(number), "v");
  EXPECT_EQ(s.store.stats().keys, 500u);
  EXPECT_EQ(s.store.stats().expired, 1000u);
}

TEST(Eviction, AGrowingValueDrivesOthersOutButNotItself) {
  for (const Eviction policy : {Eviction::kAllKeysLru, Eviction::kVolatileLru,
                                Eviction::kVolatileTtl, Eviction::kAllKeysRandom}) {
    Session s(RoomFor(5, policy));
    s.store.Set("big", "v", {.ttl = seconds(1)});
    for (int number = 0; number < 4; ++number) {
      s.store.Set(std::to_string(number), "v", {.ttl = seconds(5)});
    }
    EXPECT_EQ(s.store.Set("big", std::string(3 * kEntry, 'v'), {.ttl = kKeepTtl}), Status::kOk);
    EXPECT_EQ(s.Get("big"), std::string(3 * kEntry, 'v'));
    EXPECT_LE(s.store.stats().bytes, 5 * kEntry);
    EXPECT_EQ(s.store.Append("big", std::string(kEntry, 'w')).status(), Status::kFull);
    EXPECT_EQ(s.Get("big").size(), 3 * kEntry);
  }
}

TEST(Eviction, WhatCanNeverFitCostsNobodyTheirPlace) {
  Session s(RoomFor(5, Eviction::kAllKeysLru));
  for (int number = 0; number < 5; ++number) s.store.Set(std::to_string(number), "v");
  EXPECT_EQ(s.store.Set("huge", std::string(5 * kEntry, 'v')), Status::kFull);
  EXPECT_EQ(s.store.Set("0", std::string(5 * kEntry, 'v')), Status::kFull);
  EXPECT_EQ(s.store.stats().keys, 5u);
  EXPECT_EQ(s.Get("0"), "v");
}

}  // namespace
}  // namespace ephpm::kv
