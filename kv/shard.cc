#include "kv/shard.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

namespace ephpm::kv {
namespace {

/// Expired keys that a write removes on its way. A write adds one key at most, so with more than
/// one removed the dead never pile up; more than a few would make single writes slow.
constexpr std::size_t kExpiredPerWrite = 4;

/// When something that is to live for `ttl` expires. Past the end of time means never.
TimePoint ExpiryAfter(TimePoint now, std::chrono::milliseconds ttl) {
  return ttl >= kNever - now ? kNever : now + ttl;
}

/// Only what Increment itself would write: no blanks, no plus, no leading zeros.
std::optional<std::int64_t> ParseNumber(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (std::to_string(number) != text) return std::nullopt;
  return number;
}

}  // namespace

Stats& Stats::operator+=(const Stats& other) {
  keys += other.keys;
  bytes += other.bytes;
  hits += other.hits;
  misses += other.misses;
  expired += other.expired;
  evicted += other.evicted;
  return *this;
}

Shard::Shard(const ShardOptions& options)
    : options_(options), table_(options.hash_bits), random_(options.random_seed) {}

std::optional<std::string> Shard::Get(const Key& key, TimePoint now) {
  Entry* entry = Find(key, now);
  if (entry == nullptr) {
    ++counts_.misses;
    return std::nullopt;
  }
  ++counts_.hits;
  Touch(*entry);
  return entry->value;
}

Status Shard::Set(const Key& key, std::string& value, const SetOptions& options, TimePoint now) {
  Entry* entry = Find(key, now);
  if (entry != nullptr && options.condition == Condition::kIfAbsent) return Status::kExists;
  if (entry == nullptr && options.condition == Condition::kIfPresent) return Status::kMissing;

  TimePoint expires_at = entry != nullptr ? entry->expires_at : kNever;
  if (options.ttl != kKeepTtl) expires_at = ExpiryAfter(now, options.ttl);
  if (entry == nullptr) return Insert(key, value, expires_at, now);
  if (expires_at <= now) {
    Remove(*entry);
    return Status::kOk;
  }
  Touch(*entry);
  if (!MakeRoomForValue(value.capacity(), *entry, now)) return Status::kFull;
  bytes_ -= entry->Bytes();
  entry->value.swap(value);
  bytes_ += entry->Bytes();
  if (expires_at != entry->expires_at) SetExpiry(*entry, expires_at);
  return Status::kOk;
}

Result<std::int64_t> Shard::Increment(const Key& key, std::int64_t delta, TimePoint now) {
  Entry* entry = Find(key, now);
  const std::optional<std::int64_t> number = entry != nullptr ? ParseNumber(entry->value) : 0;
  if (!number) return Status::kNotANumber;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*number, delta, &sum)) return Status::kOverflow;
  std::string text = std::to_string(sum);
  const Status status = Set(key, text, {.ttl = kKeepTtl}, now);
  if (status != Status::kOk) return status;
  return sum;
}

Result<std::size_t> Shard::Append(const Key& key, std::string_view tail, TimePoint now) {
  Entry* entry = Find(key, now);
  if (entry == nullptr) {
    std::string value(tail);
    const Status status = Insert(key, value, kNever, now);
    if (status != Status::kOk) return status;
    return tail.size();
  }
  Touch(*entry);
  std::string& value = entry->value;
  const std::size_t enough = value.size() + tail.size();
  if (enough > value.capacity()) {
    // Doubling keeps a log that grows line by line from being copied with each line.
    const std::size_t capacity = std::max(enough, 2 * value.capacity());
    if (!MakeRoomForValue(capacity, *entry, now)) return Status::kFull;
    bytes_ -= entry->Bytes();
    value.reserve(capacity);
    bytes_ += entry->Bytes();
  }
  value.append(tail);
  return enough;
}

bool Shard::Delete(const Key& key, TimePoint now) {
  Entry* entry = Find(key, now);
  if (entry != nullptr) Remove(*entry);
  return entry != nullptr;
}

bool Shard::Exists(const Key& key, TimePoint now) { return Find(key, now) != nullptr; }

bool Shard::Expire(const Key& key, std::chrono::milliseconds ttl, TimePoint now) {
  Entry* entry = Find(key, now);
  if (entry == nullptr) return false;
  const TimePoint expires_at = ExpiryAfter(now, ttl);
  if (expires_at <= now) {
    Remove(*entry);
  } else {
    SetExpiry(*entry, expires_at);
  }
  return true;
}

bool Shard::Persist(const Key& key, TimePoint now) {
  Entry* entry = Find(key, now);
  if (entry == nullptr || entry->expires_at == kNever) return false;
  SetExpiry(*entry, kNever);
  return true;
}

std::optional<std::chrono::milliseconds> Shard::TimeToLive(const Key& key, TimePoint now) {
  const Entry* entry = Find(key, now);
  if (entry == nullptr) return std::nullopt;
  return entry->expires_at == kNever ? kForever : entry->expires_at - now;
}

std::optional<std::uint64_t> Shard::Scan(std::uint64_t position, std::size_t least, TimePoint now,
                                         std::vector<std::string>& keys) const {
  return table_.Walk(position, least, [&](const Entry& entry) {
    if (!entry.ExpiredAt(now)) keys.push_back(entry.key);
  });
}

std::size_t Shard::RemoveExpired(std::size_t most, TimePoint now) {
  std::size_t removed = 0;
  for (; removed < most; ++removed) {
    Entry* entry = expiring_.Soonest();
    if (entry == nullptr || !entry->ExpiredAt(now)) break;
    Remove(*entry);
  }
  counts_.expired += removed;
  return removed;
}

Table Shard::Clear() {
  lasting_ = {};
  volatile_ = {};
  expiring_ = {};
  bytes_ = 0;
  return std::exchange(table_, Table(options_.hash_bits));
}

Stats Shard::stats() const {
  Stats stats = counts_;
  stats.keys = table_.size();
  stats.bytes = bytes_;
  return stats;
}

Entry* Shard::Find(const Key& key, TimePoint now) {
  Entry* entry = table_.Find(key);
  if (entry == nullptr || !entry->ExpiredAt(now)) return entry;
  Remove(*entry);
  ++counts_.expired;
  return nullptr;
}

Status Shard::Insert(const Key& key, std::string& value, TimePoint expires_at, TimePoint now) {
  if (key.bytes.size() > kMaxKeyBytes) return Status::kKeyTooLong;
  if (expires_at <= now) return Status::kOk;
  auto entry = std::make_unique<Entry>(key, std::move(value));
  value.clear();
  if (!MakeRoom(entry->Bytes(), nullptr, now)) return Status::kFull;
  bytes_ += entry->Bytes();
  entry->expires_at = expires_at;
  if (expires_at != kNever) expiring_.Add(*entry);
  entry->used = ++uses_;
  RecencyOf(*entry).AddNewest(*entry);
  table_.Insert(std::move(entry));
  return Status::kOk;
}

/// Lets others than `kept` (may be null) go until `growth` more bytes fit.
bool Shard::MakeRoom(std::size_t growth, const Entry* kept, TimePoint now) {
  RemoveExpired(kExpiredPerWrite, now);
  // What can never fit must not cost everybody else their place first.
  if ((kept != nullptr ? kept->Bytes() : 0) + growth > options_.max_bytes) return false;
  while (bytes_ + growth > options_.max_bytes) {
    if (RemoveExpired(1, now) != 0) continue;
    Entry* victim = Victim(kept);
    if (victim == nullptr) return false;
    Remove(*victim);
    ++counts_.evicted;
  }
  return true;
}

/// The same for a value of that capacity in place of the entry's own.
bool Shard::MakeRoomForValue(std::size_t capacity, const Entry& entry, TimePoint now) {
  const std::size_t before = entry.Bytes();
  const std::size_t after = Entry::BytesFor(entry.key.capacity(), capacity);
  return after <= before || MakeRoom(after - before, &entry, now);
}

/// Whom the policy gives up next, but not `kept` (may be null). Null if there is nobody.
Entry* Shard::Victim(const Entry* kept) {
  switch (options_.eviction) {
    case Eviction::kNoEviction:
      return nullptr;
    case Eviction::kAllKeysLru:
      return LeastRecentlyUsed(kept);
    case Eviction::kVolatileLru:
      return volatile_.oldest() != kept ? volatile_.oldest() : nullptr;
    case Eviction::kVolatileTtl:
      return expiring_.Soonest(kept);
    case Eviction::kAllKeysRandom:
      return AnyEntry(kept);
  }
  return nullptr;
}

/// `kept` was just used, so if it is the oldest of a list it is alone there.
Entry* Shard::LeastRecentlyUsed(const Entry* kept) const {
  Entry* lasting = lasting_.oldest() != kept ? lasting_.oldest() : nullptr;
  Entry* mortal = volatile_.oldest() != kept ? volatile_.oldest() : nullptr;
  if (lasting == nullptr) return mortal;
  if (mortal == nullptr) return lasting;
  return lasting->used < mortal->used ? lasting : mortal;
}

/// The first entry from a random position on. A bucket may be empty, so some are chosen a little
/// more often than others, which no cache minds.
Entry* Shard::AnyEntry(const Entry* kept) {
  std::uniform_int_distribution<std::uint64_t> positions(
      0, (std::uint64_t{1} << options_.hash_bits) - 1);
  Entry* chosen = nullptr;
  const auto choose = [&](Entry& entry) {
    if (&entry != kept) chosen = &entry;
  };
  std::optional<std::uint64_t> next = positions(random_);
  while (next && chosen == nullptr) next = table_.Walk(*next, 1, choose);
  next = 0;
  while (next && chosen == nullptr) next = table_.Walk(*next, 1, choose);
  return chosen;
}

RecencyList& Shard::RecencyOf(const Entry& entry) {
  return entry.expires_at == kNever ? lasting_ : volatile_;
}

void Shard::Touch(Entry& entry) {
  RecencyList& list = RecencyOf(entry);
  list.Remove(entry);
  entry.used = ++uses_;
  list.AddNewest(entry);
}

/// Counts as a use.
void Shard::SetExpiry(Entry& entry, TimePoint expires_at) {
  RecencyOf(entry).Remove(entry);
  if (entry.expires_at != kNever) expiring_.Remove(entry);
  entry.expires_at = expires_at;
  if (expires_at != kNever) expiring_.Add(entry);
  entry.used = ++uses_;
  RecencyOf(entry).AddNewest(entry);
}

void Shard::Remove(Entry& entry) {
  bytes_ -= entry.Bytes();
  RecencyOf(entry).Remove(entry);
  if (entry.expires_at != kNever) expiring_.Remove(entry);
  table_.Remove(entry);
}

}  // namespace ephpm::kv
