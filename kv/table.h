#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kv/entry.h"

namespace ephpm::kv {

/// A hash table whose buckets lie in the order of the hashes: a bucket holds one range of them,
/// and resizing splits or joins neighbours. So a hash is also a position in a walk, which stays
/// right whatever is added, removed or resized between two steps. Owns its entries. Not
/// thread-safe.
class Table {
 public:
  /// Hashes are below 2^hash_bits.
  explicit Table(int hash_bits);

  /// Null if there is none. Valid until it is removed.
  Entry* Find(const Key& key) const;
  /// Requires: no entry has this key.
  Entry& Insert(std::unique_ptr<Entry> entry);
  /// Requires: the entry is in this table.
  std::unique_ptr<Entry> Remove(Entry& entry);

  /// Visits the entries from `position` on, bucket by bucket, until at least `least` are done.
  /// Returns where to go on; nothing once all were visited. Meets each entry that is there from
  /// the first step to the last exactly once. `visit` must not change the table.
  /// Requires: `least` is not 0.
  template <typename Visit>
  std::optional<std::uint64_t> Walk(std::uint64_t position, std::size_t least, Visit visit) const {
    std::size_t visited = 0;
    for (std::size_t bucket = BucketOf(position); bucket < buckets_.size(); ++bucket) {
      if (visited >= least) return std::uint64_t{bucket} << BucketBits();
      for (Entry* entry = buckets_[bucket].get(); entry != nullptr; entry = entry->next.get()) {
        if (entry->hash < position) continue;
        visit(*entry);
        ++visited;
      }
    }
    return std::nullopt;
  }

  std::size_t size() const { return size_; }
  std::size_t bucket_count() const { return buckets_.size(); }

 private:
  /// How many low bits of the hash differ within a bucket.
  int BucketBits() const { return hash_bits_ - index_bits_; }
  std::size_t BucketOf(std::uint64_t hash) const { return hash >> BucketBits(); }
  void Link(std::unique_ptr<Entry> entry);
  void Resize(int index_bits);

  int hash_bits_;
  int index_bits_;  // buckets_.size() is 2^index_bits_
  std::vector<std::unique_ptr<Entry>> buckets_;
  std::size_t size_ = 0;
};

}  // namespace ephpm::kv
