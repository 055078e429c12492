#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace ephpm::kv {

/// Wall clock, since expiry times are named by clients and outlive the process in a snapshot.
using TimePoint = std::chrono::sys_time<std::chrono::milliseconds>;

/// When an entry without expiry expires.
inline constexpr TimePoint kNever = TimePoint::max();

/// A key as a table looks for it: its hash is calculated once, before any lock is taken.
struct Key {
  std::string_view bytes;
  std::uint64_t hash = 0;
};

/// A stored key, its value, and its places in the shard's orders. Belongs to a Table.
struct Entry {
  Entry(const Key& key, std::string value)
      : hash(key.hash), key(key.bytes), value(std::move(value)) {}

  bool ExpiredAt(TimePoint now) const { return expires_at <= now; }

  /// Memory that this entry takes, in bytes, the allocator's share included.
  std::size_t Bytes() const { return BytesFor(key.capacity(), value.capacity()); }
  /// The same for strings of these capacities.
  static std::size_t BytesFor(std::size_t key_capacity, std::size_t value_capacity);

  std::unique_ptr<Entry> next;      // in its bucket
  Entry* older = nullptr;           // in its RecencyList
  Entry* newer = nullptr;           // in its RecencyList
  std::uint64_t used = 0;           // the shard's count of uses at the last one
  std::uint64_t hash;               // Key::hash
  TimePoint expires_at = kNever;    // not kNever: it is in the ExpiryHeap ...
  std::size_t expiry_position = 0;  // ... here
  std::string key;
  std::string value;
};

}  // namespace ephpm::kv
