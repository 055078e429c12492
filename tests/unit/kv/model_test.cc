// The store against the plainest thing that means the same: a std::map, a scan through all of it
// for each question, and the same clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "tests/unit/kv/session.h"

namespace ephpm::kv {
namespace {

/// Operations a run. Enough for each pair of them to meet on each key many times.
constexpr int kOperations = 100'000;

/// Entries in a bounded run, and their longest value: even as a number that gains a digit it costs
/// nothing beside its entry, so that the model need not know what memory costs.
constexpr std::size_t kCapacity = 40;
constexpr std::size_t kShortValue = 14;

class Model {
 public:
  struct Item {
    std::string value;
    TimePoint expires_at = kNever;
    int used = 0;
  };

  Model(const TimePoint& now, std::optional<Eviction> bound) : now_(now), bound_(bound) {}

  std::map<std::string, Item>& live() {
    std::erase_if(items_, [&](const auto& item) { return item.second.expires_at <= now_; });
    return items_;
  }
  Item* Find(const std::string& key) {
    const auto found = live().find(key);
    return found == items_.end() ? nullptr : &found->second;
  }
  /// Null if there is no room.
  Item* Use(const std::string& key) {
    Item* item = Find(key);
    if (item == nullptr) {
      if (bound_ && items_.size() == kCapacity && !Evict()) return nullptr;
      item = &items_[key];
    }
    item->used = ++uses_;
    return item;
  }
  void Delete(const std::string& key) { items_.erase(key); }

 private:
  bool Evict() {
    auto victim = items_.end();
    for (auto item = items_.begin(); item != items_.end(); ++item) {
      if (*bound_ != Eviction::kAllKeysLru && item->second.expires_at == kNever) continue;
      if (*bound_ == Eviction::kNoEviction) continue;
      if (victim == items_.end() || Before(item->second, victim->second)) victim = item;
    }
    if (victim == items_.end()) return false;
    items_.erase(victim);
    return true;
  }
  bool Before(const Item& one, const Item& other) const {
    return *bound_ == Eviction::kVolatileTtl ? one.expires_at < other.expires_at
                                             : one.used < other.used;
  }

  const TimePoint& now_;
  const std::optional<Eviction> bound_;
  std::map<std::string, Item> items_;
  int uses_ = 0;
};

/// Plays one operation after another on both, and compares their answers.
class Duel {
 public:
  Duel(int seed, std::optional<Eviction> bound)
      : bounded_(bound.has_value()),
        session_(bound ? StoreOptions{.shards = 1,
                                      .max_bytes = kCapacity * Entry::BytesFor(0, 0),
                                      .eviction = *bound}
                       : StoreOptions{.shards = 4}),
        model_(session_.now, bound),
        random_(seed) {}

  void Step() {
    const std::string key = RandomKey();
    switch (Below(12)) {
      case 0:
      case 1:
      case 2:
        return Set(key);
      case 3:
      case 4:
        return Get(key);
      case 5:
        return Delete(key);
      case 6:
        return Increment(key);
      case 7:
        return Append(key);
      case 8:
        return Expire(key);
      case 9:
        return Persist(key);
      case 10:
        return Look(key);
      case 11:
        return session_.Pass(milliseconds(Below(200)));
    }
  }

  void CompareAll() {
    std::vector<std::string> keys;
    for (const auto& [key, item] : model_.live()) keys.push_back(key);
    std::vector<std::string> scanned = session_.Scan("*", 1 + Below(50));
    std::sort(scanned.begin(), scanned.end());
    ASSERT_EQ(scanned, keys);
    while (session_.store.RemoveExpired() != 0) continue;
    ASSERT_EQ(session_.store.stats().keys, keys.size());
  }

  void Clear() {
    session_.store.Clear();
    model_.live().clear();
  }

 private:
  int Below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

  std::string RandomKey() {
    std::string key = std::to_string(Below(100));
    if (Below(2) == 0) key.push_back('\0');
    return key;
  }
  std::string RandomValue() {
    if (Below(3) == 0) return std::to_string(Below(1000) - 500);
    return std::string(Below(bounded_ ? kShortValue + 1 : 300), static_cast<char>(Below(256)));
  }
  /// A lifetime whose end is no other key's: which of two goes first is nobody's promise.
  milliseconds RandomTtl() {
    milliseconds ttl(Below(20'000) - 100);
    const auto taken = [&](const auto& item) {
      return item.second.expires_at == session_.now + ttl;
    };
    while (std::ranges::any_of(model_.live(), taken)) ++ttl;
    return ttl;
  }
  TimePoint ExpiryAfter(milliseconds ttl) const {
    return ttl == kForever ? kNever : session_.now + ttl;
  }

  void Set(const std::string& key) {
    SetOptions options;
    options.condition = static_cast<Condition>(Below(3));
    const int lifetime = Below(4);
    if (lifetime == 0) options.ttl = kKeepTtl;
    if (lifetime == 1) options.ttl = RandomTtl();
    const std::string value = RandomValue();
    const Status status = session_.store.Set(key, value, options);

    const Model::Item* before = model_.Find(key);
    if (before != nullptr && options.condition == Condition::kIfAbsent) {
      ASSERT_EQ(status, Status::kExists);
    } else if (before == nullptr && options.condition == Condition::kIfPresent) {
      ASSERT_EQ(status, Status::kMissing);
    } else if (options.ttl != kKeepTtl && options.ttl <= milliseconds(0)) {
      ASSERT_EQ(status, Status::kOk);
      model_.Delete(key);
    } else if (Model::Item* item = model_.Use(key)) {
      ASSERT_EQ(status, Status::kOk);
      item->value = value;
      if (options.ttl != kKeepTtl) item->expires_at = ExpiryAfter(options.ttl);
    } else {
      ASSERT_EQ(status, Status::kFull);
    }
  }

  void Get(const std::string& key) {
    const std::optional<std::string> value = session_.store.Get(key);
    ASSERT_EQ(value.has_value(), model_.Find(key) != nullptr);
    if (!value) return;
    ASSERT_EQ(*value, model_.Use(key)->value);
  }

  void Delete(const std::string& key) {
    ASSERT_EQ(session_.store.Delete(key), model_.Find(key) != nullptr);
    model_.Delete(key);
  }

  void Increment(const std::string& key) {
    const int delta = Below(100) - 50;
    const Result<std::int64_t> sum = session_.store.Increment(key, delta);
    Model::Item* item = model_.Find(key);
    const std::string text = item != nullptr ? item->value : "0";
    // strtoll takes too much, but what it read looks as it did only if it was a plain number.
    const std::int64_t number = std::strtoll(text.c_str(), nullptr, 10);
    if (std::to_string(number) != text) {
      ASSERT_EQ(sum.status(), Status::kNotANumber);
    } else if ((item = model_.Use(key)) != nullptr) {
      ASSERT_EQ(sum.status(), Status::kOk);
      ASSERT_EQ(sum.value(), number + delta);
      item->value = std::to_string(number + delta);
    } else {
      ASSERT_EQ(sum.status(), Status::kFull);
    }
  }

  void Append(const std::string& key) {
    const std::string tail = RandomValue();
    const Model::Item* before = model_.Find(key);
    const std::size_t length = (before != nullptr ? before->value.size() : 0) + tail.size();
    if (length > (bounded_ ? kShortValue : 2000)) return;
    const Result<std::size_t> result = session_.store.Append(key, tail);
    if (Model::Item* item = model_.Use(key)) {
      ASSERT_EQ(result.status(), Status::kOk);
      ASSERT_EQ(result.value(), length);
      item->value += tail;
    } else {
      ASSERT_EQ(result.status(), Status::kFull);
    }
  }

  void Expire(const std::string& key) {
    const milliseconds ttl = Below(10) == 0 ? kForever : RandomTtl();
    const bool found = session_.store.Expire(key, ttl);
    ASSERT_EQ(found, model_.Find(key) != nullptr);
    if (found) model_.Use(key)->expires_at = ExpiryAfter(ttl);
  }

  void Persist(const std::string& key) {
    const Model::Item* item = model_.Find(key);
    const bool mortal = item != nullptr && item->expires_at != kNever;
    ASSERT_EQ(session_.store.Persist(key), mortal);
    if (mortal) model_.Use(key)->expires_at = kNever;
  }

  void Look(const std::string& key) {
    const Model::Item* item = model_.Find(key);
    ASSERT_EQ(session_.store.Exists(key), item != nullptr);
    const std::optional<milliseconds> ttl = session_.store.TimeToLive(key);
    ASSERT_EQ(ttl.has_value(), item != nullptr);
    if (!ttl) return;
    ASSERT_EQ(*ttl, item->expires_at == kNever ? kForever : item->expires_at - session_.now);
  }

  const bool bounded_;
  Session session_;
  Model model_;
  std::mt19937 random_;
};

void Play(int seed, std::optional<Eviction> bound) {
  Duel duel(seed, bound);
  for (int operation = 1; operation <= kOperations; ++operation) {
    duel.Step();
    if (operation % 500 == 0) duel.CompareAll();
    if (operation % 30'000 == 0) duel.Clear();
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "operation " << operation;
  }
}

class SameAsAMap : public testing::TestWithParam<int> {};

TEST_P(SameAsAMap, WithRoomForAll) { Play(GetParam(), std::nullopt); }

INSTANTIATE_TEST_SUITE_P(Seeds, SameAsAMap, testing::Range(1, 4));

class SameVictimsAsAMap : public testing::TestWithParam<Eviction> {};

TEST_P(SameVictimsAsAMap, WithRoomForSome) { Play(4, GetParam()); }

INSTANTIATE_TEST_SUITE_P(Policies, SameVictimsAsAMap,
                         testing::Values(Eviction::kNoEviction, Eviction::kAllKeysLru,
                                         Eviction::kVolatileLru, Eviction::kVolatileTtl));

}  // namespace
}  // namespace ephpm::kv
