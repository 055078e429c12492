#include "kv/entry_orders.h"

#include <algorithm>

namespace ephpm::kv {

void RecencyList::AddNewest(Entry& entry) {
  entry.older = newest_;
  entry.newer = nullptr;
  (newest_ != nullptr ? newest_->newer : oldest_) = &entry;
  newest_ = &entry;
}

void RecencyList::Remove(Entry& entry) {
  (entry.older != nullptr ? entry.older->newer : oldest_) = entry.newer;
  (entry.newer != nullptr ? entry.newer->older : newest_) = entry.older;
}

void ExpiryHeap::Add(Entry& entry) {
  heap_.push_back(&entry);
  Raise(entry, heap_.size() - 1);
}

void ExpiryHeap::Remove(Entry& entry) {
  Entry& last = *heap_.back();
  heap_.pop_back();
  if (&last != &entry) {
    if (last.expires_at < entry.expires_at) {
      Raise(last, entry.expiry_position);
    } else {
      Sink(last, entry.expiry_position);
    }
  }
  if (heap_.size() < heap_.capacity() / 4) heap_.shrink_to_fit();
}

Entry* ExpiryHeap::Soonest(const Entry* spared) const {
  if (heap_.empty()) return nullptr;
  if (heap_[0] != spared) return heap_[0];
  if (heap_.size() == 1) return nullptr;
  if (heap_.size() == 2) return heap_[1];
  return heap_[1]->expires_at <= heap_[2]->expires_at ? heap_[1] : heap_[2];
}

void ExpiryHeap::Place(Entry& entry, std::size_t position) {
  heap_[position] = &entry;
  entry.expiry_position = position;
}

void ExpiryHeap::Raise(Entry& entry, std::size_t position) {
  while (position != 0) {
    Entry& parent = *heap_[(position - 1) / 2];
    if (parent.expires_at <= entry.expires_at) break;
    const std::size_t above = parent.expiry_position;
    Place(parent, position);
    position = above;
  }
  Place(entry, position);
}

void ExpiryHeap::Sink(Entry& entry, std::size_t position) {
  while (true) {
    std::size_t below = 2 * position + 1;
    if (below >= heap_.size()) break;
    if (below + 1 < heap_.size() && heap_[below + 1]->expires_at < heap_[below]->expires_at) {
      ++below;
    }
    if (entry.expires_at <= heap_[below]->expires_at) break;
    Place(*heap_[below], position);
    position = below;
  }
  Place(entry, position);
}

}  // namespace ephpm::kv
