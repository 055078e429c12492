#include <gtest/gtest.h>
#include <malloc.h>

#include "tests/unit/kv/session.h"

namespace ephpm::kv {
namespace {

/// What the allocator has given out, in bytes; 0 under a sanitizer, whose allocator does not say.
std::size_t InUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(Memory, TheStoreAdmitsWhatItTakes) {
  const std::size_t before = InUse();
  if (before == 0) GTEST_SKIP() << "the allocator does not tell";
  for (const std::size_t length : {5, 50, 1000}) {
    Session s;
    const std::size_t empty = InUse();
    for (int number = 0; number < 30'000; ++number) {
      std::string key = "wp_cache:posts:" + std::to_string(number);
      const milliseconds ttl = number % 2 == 0 ? seconds(number + 1) : kForever;
      s.store.Set(key, std::string(length, 'v'), {.ttl = ttl});
    }
    const double taken = static_cast<double>(InUse() - empty);
    const double admitted = static_cast<double>(s.store.stats().bytes);
    EXPECT_NEAR(admitted / taken, 1.0, 0.1) << "values of " << length << " bytes";
  }
}

TEST(Memory, WhatLeavesIsGivenBackInTheBooks) {
  Session s;
  for (int number = 0; number < 1000; ++number) {
    const std::string key = std::to_string(number);
    s.store.Set(key, std::string(number, 'v'), {.ttl = seconds(1 + number % 3)});
    s.store.Append(key, std::string(number, 'w'));
    s.store.Set(key, "short", {.ttl = kKeepTtl});
    if (number % 2 == 0) s.store.Delete(key);
  }
  EXPECT_EQ(s.store.stats().bytes, 500 * Entry::BytesFor(0, 0));
  s.Pass(seconds(3));
  s.store.RemoveExpired();
  EXPECT_EQ(s.store.stats().bytes, 0u);
}

}  // namespace
}  // namespace ephpm::kv
