#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kv/hash.h"
#include "kv/shard.h"

namespace ephpm::kv {

struct StoreOptions {
  /// Parts with a mutex each; a power of two, at most kMaxShards. More than threads that call at
  /// the same moment is enough.
  std::size_t shards = 16;
  /// Memory for entries, split evenly among the shards; so one value may be max_bytes / shards
  /// long.
  std::size_t max_bytes = std::size_t{256} * 1024 * 1024;
  Eviction eviction = Eviction::kAllKeysLru;
  /// Called once a call, by the calling thread. Must be safe from any thread.
  std::function<TimePoint()> clock = [] {
    return std::chrono::time_point_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now());
  };
};

/// Beyond this a shard's share is too small and Stats too slow for any gain.
inline constexpr std::size_t kMaxShards = 1024;

/// One step of a scan.
struct ScanPage {
  std::uint64_t cursor = 0;  ///< for the next step; 0: this was the last
  std::vector<std::string> keys;
};

/// The key-value store of the process: binary-safe keys and values, each with an expiry if wanted.
/// Each call is atomic; those over all keys (Scan, Clear, RemoveExpired, stats) are so shard by
/// shard. What a call means in detail stands at Shard's of the same name. Safe from any thread.
class Store {
 public:
  /// Throws std::invalid_argument for options that cannot be.
  explicit Store(StoreOptions options = {});

  std::optional<std::string> Get(std::string_view key);
  Status Set(std::string_view key, std::string value, const SetOptions& options = {});
  Result<std::int64_t> Increment(std::string_view key, std::int64_t delta = 1);
  Result<std::size_t> Append(std::string_view key, std::string_view tail);
  bool Delete(std::string_view key);
  bool Exists(std::string_view key);
  bool Expire(std::string_view key, std::chrono::milliseconds ttl);
  bool Persist(std::string_view key);
  std::optional<std::chrono::milliseconds> TimeToLive(std::string_view key);

  /// Looks at about `count` keys from `cursor` on (0: the beginning) and returns those that fit
  /// the glob `pattern`; a page may be empty and not the last. A key that is there from the first
  /// step to the last is met exactly once. A cursor that no page gave is no error. Cursors are
  /// below 2^53, so they survive as a number in any client.
  ScanPage Scan(std::uint64_t cursor, std::string_view pattern = "*", std::size_t count = 10);

  void Clear();
  /// Removes expired keys, a bounded number a call. For a timer: reads and writes remove what
  /// they meet, this is for what nobody asks for any more. Returns how many; 0: none are left.
  std::size_t RemoveExpired();
  Stats stats() const;

 private:
  /// Alone in its cache lines, so that neighbours' locks do not slow each other down.
  struct alignas(128) Slot {
    explicit Slot(const ShardOptions& options) : shard(options) {}
    mutable std::mutex mutex;  // leaf
    Shard shard;               // guarded by mutex
  };

  /// Calls the method of the key's shard, locked, with the key, the arguments and the time.
  template <typename Method, typename... Arguments>
  auto Call(Method method, std::string_view key, Arguments&&... arguments);

  const StoreOptions options_;
  const HashSecret secret_;
  const int hash_bits_;  // of a hash within its shard; the bits above number the shard
  std::deque<Slot> slots_;
};

}  // namespace ephpm::kv
