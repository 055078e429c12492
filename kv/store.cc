#include "kv/store.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "kv/glob.h"

namespace ephpm::kv {
namespace {

/// Bits of a hash in use. A cursor is a hash, and the numbers of JavaScript and of Lua, in which
/// it may have to fit, are exact to 53 bits.
constexpr int kHashBits = 52;

/// Keys that RemoveExpired removes of a shard while it holds the lock: well below a millisecond.
constexpr std::size_t kExpiredPerSweep = 1000;

/// Gives back what a buffer that grew while it was filled holds in vain. An eighth is not worth
/// the copy.
void Trim(std::string& value) {
  constexpr std::size_t kLeast = 32;
  if (value.capacity() - value.size() > kLeast + value.size() / 8) value.shrink_to_fit();
}

StoreOptions Checked(StoreOptions options) {
  if (!std::has_single_bit(options.shards) || options.shards > kMaxShards) {
    throw std::invalid_argument("the number of shards must be a power of two up to " +
                                std::to_string(kMaxShards));
  }
  if (options.max_bytes / options.shards < Entry::BytesFor(0, 0)) {
    throw std::invalid_argument("the memory is too small for one key a shard");
  }
  if (!options.clock) throw std::invalid_argument("the store needs a clock");
  return options;
}

}  // namespace

Store::Store(StoreOptions options)
    : options_(Checked(std::move(options))),
      secret_(RandomHashSecret()),
      hash_bits_(kHashBits - std::countr_zero(options_.shards)) {
  for (std::size_t number = 0; number < options_.shards; ++number) {
    slots_.emplace_back(ShardOptions{
        .max_bytes = options_.max_bytes / options_.shards,
        .eviction = options_.eviction,
        .hash_bits = hash_bits_,
        .random_seed = static_cast<std::uint32_t>(number + 1),
    });
  }
}

template <typename Method, typename... Arguments>
auto Store::Call(Method method, std::string_view key, Arguments&&... arguments) {
  const std::uint64_t hash = Hash(key, secret_) >> (64 - kHashBits);
  const Key within{key, hash & ((std::uint64_t{1} << hash_bits_) - 1)};
  const TimePoint now = options_.clock();
  Slot& slot = slots_[hash >> hash_bits_];
  std::lock_guard lock(slot.mutex);
  return (slot.shard.*method)(within, std::forward<Arguments>(arguments)..., now);
}

std::optional<std::string> Store::Get(std::string_view key) { return Call(&Shard::Get, key); }

Status Store::Set(std::string_view key, std::string value, const SetOptions& options) {
  Trim(value);
  // The replaced value comes back in `value`, which is freed without the lock.
  return Call(&Shard::Set, key, value, options);
}

Result<std::int64_t> Store::Increment(std::string_view key, std::int64_t delta) {
  return Call(&Shard::Increment, key, delta);
}

Result<std::size_t> Store::Append(std::string_view key, std::string_view tail) {
  return Call(&Shard::Append, key, tail);
}

bool Store::Delete(std::string_view key) { return Call(&Shard::Delete, key); }

bool Store::Exists(std::string_view key) { return Call(&Shard::Exists, key); }

bool Store::Expire(std::string_view key, std::chrono::milliseconds ttl) {
  return Call(&Shard::Expire, key, ttl);
}

bool Store::Persist(std::string_view key) { return Call(&Shard::Persist, key); }

std::optional<std::chrono::milliseconds> Store::TimeToLive(std::string_view key) {
  return Call(&Shard::TimeToLive, key);
}

ScanPage Store::Scan(std::uint64_t cursor, std::string_view pattern, std::size_t count) {
  count = std::max<std::size_t>(count, 1);
  const TimePoint now = options_.clock();
  ScanPage page;
  std::size_t number = cursor >> hash_bits_;
  std::uint64_t position = cursor & ((std::uint64_t{1} << hash_bits_) - 1);
  while (number < slots_.size() && page.keys.size() < count) {
    const std::size_t wanted = count - page.keys.size();
    std::unique_lock lock(slots_[number].mutex);
    const auto next = slots_[number].shard.Scan(position, wanted, now, page.keys);
    lock.unlock();
    if (!next) ++number;
    position = next.value_or(0);
  }
  if (number < slots_.size()) page.cursor = std::uint64_t{number} << hash_bits_ | position;
  // A glob may be slow, so it is tried on copies, without the lock.
  std::erase_if(page.keys, [&](const std::string& key) { return !GlobMatch(pattern, key); });
  return page;
}

void Store::Clear() {
  for (Slot& slot : slots_) {
    std::unique_lock lock(slot.mutex);
    const Table removed = slot.shard.Clear();
    lock.unlock();
  }
}

std::size_t Store::RemoveExpired() {
  const TimePoint now = options_.clock();
  std::size_t removed = 0;
  for (Slot& slot : slots_) {
    std::lock_guard lock(slot.mutex);
    removed += slot.shard.RemoveExpired(kExpiredPerSweep, now);
  }
  return removed;
}

Stats Store::stats() const {
  Stats stats;
  for (const Slot& slot : slots_) {
    std::lock_guard lock(slot.mutex);
    stats += slot.shard.stats();
  }
  return stats;
}

}  // namespace ephpm::kv
