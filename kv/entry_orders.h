#pragma once

#include <cstddef>
#include <vector>

#include "kv/entry.h"

namespace ephpm::kv {

/// Entries from the least to the most recently used. Borrows them. Not thread-safe.
class RecencyList {
 public:
  /// Requires: the entry is in no list.
  void AddNewest(Entry& entry);
  /// Requires: the entry is in this list.
  void Remove(Entry& entry);
  /// Null if the list is empty.
  Entry* oldest() const { return oldest_; }

 private:
  Entry* oldest_ = nullptr;
  Entry* newest_ = nullptr;
};

/// The entries that expire, the soonest on top. Borrows them. Not thread-safe.
class ExpiryHeap {
 public:
  /// Requires: the entry is not in the heap and has an expiry.
  void Add(Entry& entry);
  /// Requires: the entry is in the heap and has the expiry that it was added with.
  void Remove(Entry& entry);
  /// The entry that expires first, `spared` (may be null) left aside; null if there is none.
  Entry* Soonest(const Entry* spared = nullptr) const;
  std::size_t size() const { return heap_.size(); }

 private:
  void Place(Entry& entry, std::size_t position);
  void Raise(Entry& entry, std::size_t position);
  void Sink(Entry& entry, std::size_t position);

  std::vector<Entry*> heap_;  // binary; each entry knows its position
};

}  // namespace ephpm::kv
