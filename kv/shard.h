#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kv/entry.h"
#include "kv/entry_orders.h"
#include "kv/result.h"
#include "kv/table.h"

namespace ephpm::kv {

/// Long enough for a URL as a key, short enough that listing keys stays cheap.
inline constexpr std::size_t kMaxKeyBytes = 64 * 1024;

/// A lifetime without end.
inline constexpr std::chrono::milliseconds kForever = std::chrono::milliseconds::max();
/// As SetOptions::ttl: what the key has left to live stays; a new key lives for ever.
inline constexpr std::chrono::milliseconds kKeepTtl = std::chrono::milliseconds::min();

/// Who leaves when the memory is full; the names are Redis's.
enum class Eviction {
  kNoEviction,     ///< nobody: the write fails with kFull
  kAllKeysLru,     ///< the key that was used longest ago
  kVolatileLru,    ///< of the keys with an expiry, the one that was used longest ago
  kVolatileTtl,    ///< the key that expires soonest
  kAllKeysRandom,  ///< any
};

/// What Set asks of the key.
enum class Condition { kAny, kIfAbsent, kIfPresent };

struct SetOptions {
  std::chrono::milliseconds ttl = kForever;  ///< zero or less: the key is gone at once
  Condition condition = Condition::kAny;
};

struct ShardOptions {
  std::size_t max_bytes = 0;  ///< of entries, as Entry::Bytes counts; bounds a value too
  Eviction eviction = Eviction::kAllKeysLru;
  int hash_bits = 52;             ///< keys' hashes are below 2^hash_bits
  std::uint32_t random_seed = 1;  ///< for kAllKeysRandom
};

/// Counts since the start, but for the first two. Value type.
struct Stats {
  std::size_t keys = 0;   ///< expired ones too, until they are removed
  std::size_t bytes = 0;  ///< memory, as Entry::Bytes counts it
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;  ///< Gets that found nothing
  std::uint64_t expired = 0;
  std::uint64_t evicted = 0;

  Stats& operator+=(const Stats& other);
};

/// One part of the store: a table of binary-safe keys and values with expiry, accounting of
/// memory, and eviction. Time is a parameter; it may stand still or go back. An expired key is as
/// good as absent. Not thread-safe.
class Shard {
 public:
  explicit Shard(const ShardOptions& options);

  /// Nothing if absent. Counts as a use.
  std::optional<std::string> Get(const Key& key, TimePoint now);
  /// kOk, kExists, kMissing, kKeyTooLong or kFull. On kOk `value` holds what the caller may free
  /// at leisure: the replaced value, or nothing.
  Status Set(const Key& key, std::string& value, const SetOptions& options, TimePoint now);
  /// Adds to a decimal number; an absent key counts as 0. The expiry stays. Returns the sum.
  Result<std::int64_t> Increment(const Key& key, std::int64_t delta, TimePoint now);
  /// Adds bytes at the end; an absent key counts as empty. The expiry stays. Returns the length.
  Result<std::size_t> Append(const Key& key, std::string_view tail, TimePoint now);
  /// False if absent.
  bool Delete(const Key& key, TimePoint now);
  /// False if absent. Does not count as a use.
  bool Exists(const Key& key, TimePoint now);
  /// A `ttl` of zero or less deletes the key; kForever takes its expiry away. False if absent.
  bool Expire(const Key& key, std::chrono::milliseconds ttl, TimePoint now);
  /// Takes the expiry away. False if absent or without one.
  bool Persist(const Key& key, TimePoint now);
  /// Nothing if absent, kForever without expiry. Does not count as a use.
  std::optional<std::chrono::milliseconds> TimeToLive(const Key& key, TimePoint now);

  /// Appends the keys from `position` on to `keys`, at least `least` if there are as many. Returns
  /// where to go on; nothing at the end. Walks as Table::Walk does. Does not count as a use.
  std::optional<std::uint64_t> Scan(std::uint64_t position, std::size_t least, TimePoint now,
                                    std::vector<std::string>& keys) const;

  /// Removes up to `most` expired keys. Returns how many.
  std::size_t RemoveExpired(std::size_t most, TimePoint now);
  /// Removes all keys. The caller frees what is returned, at leisure.
  [[nodiscard]] Table Clear();
  Stats stats() const;

 private:
  Entry* Find(const Key& key, TimePoint now);
  Status Insert(const Key& key, std::string& value, TimePoint expires_at, TimePoint now);
  bool MakeRoom(std::size_t growth, const Entry* kept, TimePoint now);
  bool MakeRoomForValue(std::size_t capacity, const Entry& entry, TimePoint now);
  Entry* Victim(const Entry* kept);
  Entry* LeastRecentlyUsed(const Entry* kept) const;
  Entry* AnyEntry(const Entry* kept);
  RecencyList& RecencyOf(const Entry& entry);
  void Touch(Entry& entry);
  void SetExpiry(Entry& entry, TimePoint expires_at);
  void Remove(Entry& entry);

  const ShardOptions options_;
  Table table_;
  RecencyList lasting_;   // entries without expiry
  RecencyList volatile_;  // entries with one
  ExpiryHeap expiring_;   // the same entries as volatile_
  std::size_t bytes_ = 0;
  std::uint64_t uses_ = 0;
  Stats counts_;  // keys and bytes are unused
  std::minstd_rand random_;
};

}  // namespace ephpm::kv
