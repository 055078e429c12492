#include "kv/table.h"

#include <utility>

namespace ephpm::kv {
namespace {

constexpr int kMinIndexBits = 4;  // 128 bytes of buckets: an empty shard costs next to nothing

/// A quarter full is the turning point: after halving it is half full, far from growing again.
constexpr std::size_t kShrinkAt = 4;

}  // namespace

Table::Table(int hash_bits)
    : hash_bits_(hash_bits),
      index_bits_(kMinIndexBits),
      buckets_(std::size_t{1} << kMinIndexBits) {}

Entry* Table::Find(const Key& key) const {
  for (Entry* entry = buckets_[BucketOf(key.hash)].get(); entry; entry = entry->next.get()) {
    if (entry->hash == key.hash && entry->key == key.bytes) return entry;
  }
  return nullptr;
}

Entry& Table::Insert(std::unique_ptr<Entry> entry) {
  if (size_ == buckets_.size()) Resize(index_bits_ + 1);
  Entry& inserted = *entry;
  Link(std::move(entry));
  ++size_;
  return inserted;
}

std::unique_ptr<Entry> Table::Remove(Entry& entry) {
  std::unique_ptr<Entry>* link = &buckets_[BucketOf(entry.hash)];
  while (link->get() != &entry) link = &(*link)->next;
  std::unique_ptr<Entry> removed = std::move(*link);
  *link = std::move(removed->next);
  --size_;
  if (index_bits_ > kMinIndexBits && size_ < buckets_.size() / kShrinkAt) Resize(index_bits_ - 1);
  return removed;
}

void Table::Link(std::unique_ptr<Entry> entry) {
  std::unique_ptr<Entry>& head = buckets_[BucketOf(entry->hash)];
  entry->next = std::move(head);
  head = std::move(entry);
}

void Table::Resize(int index_bits) {
  std::vector<std::unique_ptr<Entry>> old(std::size_t{1} << index_bits);
  old.swap(buckets_);
  index_bits_ = index_bits;
  for (std::unique_ptr<Entry>& head : old) {
    while (head) {
      std::unique_ptr<Entry> entry = std::move(head);
      head = std::move(entry->next);
      Link(std::move(entry));
    }
  }
}

}  // namespace ephpm::kv
