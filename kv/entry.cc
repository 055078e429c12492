#include "kv/entry.h"

#include <algorithm>

namespace ephpm::kv {
namespace {

/// What an entry takes in the table's buckets and in the expiry heap: both are half full to full,
/// so it is one pointer to two in each, and not every entry is in the heap.
constexpr std::size_t kSlotBytes = 3 * sizeof(void*);

/// What malloc takes to give `bytes`: glibc adds a word, rounds up to 16 and gives 32 at least.
constexpr std::size_t Allocated(std::size_t bytes) {
  constexpr std::size_t kHeader = 8;
  constexpr std::size_t kStep = 16;
  constexpr std::size_t kLeast = 32;
  return std::max(kLeast, (bytes + kHeader + kStep - 1) / kStep * kStep);
}

/// A short string lies in the entry itself.
std::size_t StringBytes(std::size_t capacity) {
  static const std::size_t kInside = std::string().capacity();
  return capacity <= kInside ? 0 : Allocated(capacity + 1);
}

}  // namespace

std::size_t Entry::BytesFor(std::size_t key_capacity, std::size_t value_capacity) {
  return Allocated(sizeof(Entry)) + kSlotBytes + StringBytes(key_capacity) +
         StringBytes(value_capacity);
}

}  // namespace ephpm::kv
