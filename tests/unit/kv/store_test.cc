#include "kv/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/unit/kv/session.h"

namespace ephpm::kv {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Store, KeepsWhatItIsGiven) {
  Session s;
  EXPECT_EQ(s.Get("title"), "(none)");
  EXPECT_EQ(s.store.Set("title", "Hello"), Status::kOk);
  EXPECT_EQ(s.Get("title"), "Hello");
  EXPECT_EQ(s.store.Set("title", "Good bye"), Status::kOk);
  EXPECT_EQ(s.Get("title"), "Good bye");
  EXPECT_TRUE(s.store.Exists("title"));
  EXPECT_TRUE(s.store.Delete("title"));
  EXPECT_FALSE(s.store.Delete("title"));
  EXPECT_FALSE(s.store.Exists("title"));
  EXPECT_EQ(s.Get("title"), "(none)");
}

TEST(Store, IsBinarySafe) {
  Session s;
  const std::string key("k\0\r\n\xff", 5);
  const std::string value("\0\0v", 3);
  s.store.Set(key, value);
  s.store.Set("k", "other");
  s.store.Set("", "of the empty key");
  EXPECT_EQ(s.Get(key), value);
  EXPECT_EQ(s.Get("k"), "other");
  EXPECT_EQ(s.Get(""), "of the empty key");
}

TEST(Store, AddsOnlyWhatIsAbsent) {
  Session s;
  const SetOptions add{.ttl = seconds(10), .condition = Condition::kIfAbsent};
  EXPECT_EQ(s.store.Set("lock", "first", add), Status::kOk);
  EXPECT_EQ(s.store.Set("lock", "second", add), Status::kExists);
  EXPECT_EQ(s.Get("lock"), "first");
  s.Pass(seconds(10));
  EXPECT_EQ(s.store.Set("lock", "second", add), Status::kOk);
  EXPECT_EQ(s.Get("lock"), "second");
}

TEST(Store, ReplacesOnlyWhatIsPresent) {
  Session s;
  const SetOptions replace{.condition = Condition::kIfPresent};
  EXPECT_EQ(s.store.Set("page", "a", replace), Status::kMissing);
  EXPECT_EQ(s.Get("page"), "(none)");
  s.store.Set("page", "a", {.ttl = seconds(1)});
  EXPECT_EQ(s.store.Set("page", "b", replace), Status::kOk);
  EXPECT_EQ(s.Get("page"), "b");
  EXPECT_EQ(s.store.TimeToLive("page"), kForever);
}

TEST(Store, AKeyLivesToTheMillisecond) {
  Session s;
  s.store.Set("token", "t", {.ttl = milliseconds(1500)});
  s.Pass(milliseconds(1499));
  EXPECT_EQ(s.Get("token"), "t");
  EXPECT_EQ(s.store.TimeToLive("token"), milliseconds(1));
  s.Pass(milliseconds(1));
  EXPECT_EQ(s.Get("token"), "(none)");
  EXPECT_FALSE(s.store.Exists("token"));
  EXPECT_FALSE(s.store.Delete("token"));
  EXPECT_EQ(s.store.TimeToLive("token"), std::nullopt);
}

TEST(Store, ANewValueTakesTheExpiryAwayUnlessItIsToStay) {
  Session s;
  s.store.Set("a", "1", {.ttl = seconds(9)});
  s.store.Set("a", "2", {.ttl = kKeepTtl});
  EXPECT_EQ(s.store.TimeToLive("a"), seconds(9));
  s.store.Set("a", "3");
  EXPECT_EQ(s.store.TimeToLive("a"), kForever);
  s.store.Set("b", "1", {.ttl = kKeepTtl});
  EXPECT_EQ(s.store.TimeToLive("b"), kForever);
}

TEST(Store, ExpiryIsSetAndTakenAway) {
  Session s;
  EXPECT_FALSE(s.store.Expire("k", seconds(5)));
  EXPECT_FALSE(s.store.Persist("k"));
  s.store.Set("k", "v");
  EXPECT_FALSE(s.store.Persist("k"));
  EXPECT_TRUE(s.store.Expire("k", seconds(5)));
  EXPECT_TRUE(s.store.Expire("k", seconds(7)));
  EXPECT_EQ(s.store.TimeToLive("k"), seconds(7));
  EXPECT_TRUE(s.store.Persist("k"));
  EXPECT_EQ(s.store.TimeToLive("k"), kForever);
  EXPECT_TRUE(s.store.Expire("k", seconds(5)));
  EXPECT_TRUE(s.store.Expire("k", kForever));
  EXPECT_EQ(s.store.TimeToLive("k"), kForever);
  s.Pass(seconds(60));
  EXPECT_EQ(s.Get("k"), "v");
}

TEST(Store, ALifetimeThatIsOverDeletes) {
  Session s;
  s.store.Set("k", "v");
  EXPECT_EQ(s.store.Set("k", "w", {.ttl = milliseconds(0)}), Status::kOk);
  EXPECT_FALSE(s.store.Exists("k"));
  EXPECT_EQ(s.store.Set("k", "w", {.ttl = milliseconds(-5)}), Status::kOk);
  EXPECT_FALSE(s.store.Exists("k"));
  s.store.Set("k", "v");
  EXPECT_TRUE(s.store.Expire("k", milliseconds(-1)));
  EXPECT_FALSE(s.store.Exists("k"));
  EXPECT_EQ(s.store.stats().keys, 0u);
}

TEST(Store, ALifetimePastTheEndOfTimeIsForEver) {
  Session s;
  s.store.Set("k", "v", {.ttl = kForever - milliseconds(1)});
  EXPECT_EQ(s.store.TimeToLive("k"), kForever);
}

TEST(Store, Counts) {
  Session s;
  EXPECT_EQ(s.store.Increment("hits").value(), 1);
  EXPECT_EQ(s.store.Increment("hits", 41).value(), 42);
  EXPECT_EQ(s.store.Increment("hits", -50).value(), -8);
  EXPECT_EQ(s.Get("hits"), "-8");
  s.store.Expire("hits", seconds(5));
  s.store.Increment("hits");
  EXPECT_EQ(s.store.TimeToLive("hits"), seconds(5));
  s.Pass(seconds(5));
  EXPECT_EQ(s.store.Increment("hits").value(), 1);
  EXPECT_EQ(s.store.TimeToLive("hits"), kForever);
}

TEST(Store, RefusesToCountPastTheRange) {
  Session s;
  EXPECT_EQ(s.store.Increment("n", kMax).value(), kMax);
  EXPECT_EQ(s.store.Increment("n").status(), Status::kOverflow);
  EXPECT_EQ(s.Get("n"), std::to_string(kMax));
  EXPECT_EQ(s.store.Increment("m", kMin).value(), kMin);
  EXPECT_EQ(s.store.Increment("m", -1).status(), Status::kOverflow);
  EXPECT_EQ(s.Get("m"), std::to_string(kMin));
}

TEST(Store, RefusesToCountWhatIsNoNumber) {
  Session s;
  for (const char* text :
       {"", "x", "1x", " 1", "1 ", "+1", "01", "-0", "1.5", "1e3", "0x1", "9223372036854775808"}) {
    s.store.Set("k", text);
    EXPECT_EQ(s.store.Increment("k").status(), Status::kNotANumber) << text;
    EXPECT_EQ(s.Get("k"), text);
  }
}

TEST(Store, Appends) {
  Session s;
  EXPECT_EQ(s.store.Append("log", "one").value(), 3u);
  s.store.Expire("log", seconds(5));
  EXPECT_EQ(s.store.Append("log", "").value(), 3u);
  EXPECT_EQ(s.store.Append("log", ", a line that needs new memory").value(), 33u);
  EXPECT_EQ(s.Get("log"), "one, a line that needs new memory");
  EXPECT_EQ(s.store.TimeToLive("log"), seconds(5));
  s.Pass(seconds(5));
  EXPECT_EQ(s.store.Append("log", "two").value(), 3u);
}

TEST(Store, RefusesKeysBeyondTheLimit) {
  Session s;
  const std::string longest(kMaxKeyBytes, 'k');
  EXPECT_EQ(s.store.Set(longest, "v"), Status::kOk);
  EXPECT_EQ(s.Get(longest), "v");
  const std::string longer = longest + "k";
  EXPECT_EQ(s.store.Set(longer, "v"), Status::kKeyTooLong);
  EXPECT_EQ(s.store.Increment(longer).status(), Status::kKeyTooLong);
  EXPECT_EQ(s.store.Append(longer, "v").status(), Status::kKeyTooLong);
  EXPECT_EQ(s.Get(longer), "(none)");
  EXPECT_EQ(s.store.stats().keys, 1u);
}

TEST(Store, AScanMeetsEveryKeyOnce) {
  Session s;
  std::vector<std::string> keys;
  for (int number = 0; number < 1000; ++number) {
    keys.push_back("key:" + std::to_string(number));
    s.store.Set(keys.back(), "v");
  }
  for (const std::size_t count : {0, 1, 10, 333, 5000}) {
    EXPECT_THAT(s.Scan("*", count), testing::UnorderedElementsAreArray(keys));
  }
}

TEST(Store, AScanMeetsLastingKeysOnceWhileOthersComeAndGo) {
  Session s({.shards = 4});
  for (int number = 0; number < 200; ++number) s.store.Set("old:" + std::to_string(number), "v");
  std::vector<std::string> met;
  std::uint64_t cursor = 0;
  int step = 0;
  do {
    const ScanPage page = s.store.Scan(cursor, "old:*", 3);
    met.insert(met.end(), page.keys.begin(), page.keys.end());
    cursor = page.cursor;
    EXPECT_LT(cursor, std::uint64_t{1} << 53);
    for (int number = 0; number < 100; ++number) {
      const std::string key = "new:" + std::to_string(step / 2 * 100 + number);
      step % 2 == 0 && step < 40 ? void(s.store.Set(key, "v")) : void(s.store.Delete(key));
    }
    ++step;
  } while (cursor != 0);
  std::sort(met.begin(), met.end());
  EXPECT_EQ(std::unique(met.begin(), met.end()), met.end());
  EXPECT_EQ(met.size(), 200u);
}

TEST(Store, AScanFiltersByGlobAndExpiry) {
  Session s;
  s.store.Set("user:1", "v");
  s.store.Set("user:2", "v", {.ttl = seconds(1)});
  s.store.Set("page:1", "v");
  EXPECT_THAT(s.Scan("user:*"), UnorderedElementsAre("user:1", "user:2"));
  EXPECT_THAT(s.Scan("user:[^1]"), ElementsAre("user:2"));
  s.Pass(seconds(1));
  EXPECT_THAT(s.Scan("*"), UnorderedElementsAre("user:1", "page:1"));
  EXPECT_THAT(s.Scan("nobody"), ElementsAre());
}

TEST(Store, AnyCursorIsTaken) {
  Session s;
  s.store.Set("k", "v");
  for (const std::uint64_t cursor : {std::uint64_t{1} << 52, ~std::uint64_t{0}}) {
    const ScanPage page = s.store.Scan(cursor);
    EXPECT_EQ(page.cursor, 0u);
    EXPECT_THAT(page.keys, ElementsAre());
  }
}

TEST(Store, ClearsAll) {
  Session s;
  for (int number = 0; number < 100; ++number) {
    s.store.Set(std::to_string(number), "v", {.ttl = seconds(number + 1)});
  }
  s.store.Clear();
  EXPECT_EQ(s.store.stats().keys, 0u);
  EXPECT_EQ(s.store.stats().bytes, 0u);
  EXPECT_THAT(s.Scan(), ElementsAre());
  s.Pass(seconds(1000));
  EXPECT_EQ(s.store.RemoveExpired(), 0u);
  s.store.Set("1", "again");
  EXPECT_EQ(s.Get("1"), "again");
}

TEST(Store, RemovesTheExpiredUnasked) {
  Session s;
  for (int number = 0; number < 100; ++number) {
    s.store.Set(std::to_string(number), "v", {.ttl = seconds(number + 1)});
  }
  s.store.Set("lasting", "v");
  s.Pass(seconds(40));
  EXPECT_EQ(s.store.stats().keys, 101u);
  EXPECT_EQ(s.store.RemoveExpired(), 40u);
  EXPECT_EQ(s.store.RemoveExpired(), 0u);
  EXPECT_EQ(s.store.stats().keys, 61u);
  EXPECT_EQ(s.store.stats().expired, 40u);
}

TEST(Store, TellsWhatItDid) {
  Session s;
  s.store.Set("a", "1");
  s.store.Set("b", "2", {.ttl = seconds(1)});
  s.Get("a");
  s.Get("b");
  s.Pass(seconds(1));
  s.Get("b");
  const Stats stats = s.store.stats();
  EXPECT_EQ(stats.keys, 1u);
  EXPECT_EQ(stats.bytes, Entry::BytesFor(0, 0));
  EXPECT_EQ(stats.hits, 2u);
  EXPECT_EQ(stats.misses, 1u);
  EXPECT_EQ(stats.expired, 1u);
  EXPECT_EQ(stats.evicted, 0u);
}

TEST(Store, GivesBackWhatABufferHoldsInVain) {
  Session s;
  std::string value = "a short page";
  value.reserve(100'000);
  s.store.Set("page", std::move(value));
  EXPECT_LT(s.store.stats().bytes, 1000u);
  EXPECT_EQ(s.Get("page"), "a short page");
}

TEST(Store, RefusesOptionsThatCannotBe) {
  EXPECT_THROW(Store({.shards = 0}), std::invalid_argument);
  EXPECT_THROW(Store({.shards = 3}), std::invalid_argument);
  EXPECT_THROW(Store({.shards = 2 * kMaxShards}), std::invalid_argument);
  EXPECT_THROW(Store({.shards = 16, .max_bytes = 100}), std::invalid_argument);
  EXPECT_THROW(Store({.clock = nullptr}), std::invalid_argument);
  EXPECT_NO_THROW(Store({.shards = 1}));
}

TEST(Store, TellsTheTimeByItself) {
  Store store;
  store.Set("k", "v", {.ttl = std::chrono::hours(1)});
  EXPECT_EQ(store.Get("k"), "v");
  EXPECT_LE(*store.TimeToLive("k"), std::chrono::hours(1));
  EXPECT_GT(*store.TimeToLive("k"), std::chrono::minutes(1));
}

}  // namespace
}  // namespace ephpm::kv
