#include "kv/hash.h"

#include <gtest/gtest.h>

#include <string>

namespace ephpm::kv {
namespace {

std::string Counting(int bytes) {
  std::string counting;
  for (int byte = 0; byte < bytes; ++byte) counting.push_back(static_cast<char>(byte));
  return counting;
}

// The expected words are those of CPython's hash(bytes), also SipHash-1-3, under PYTHONHASHSEED=0.
TEST(Hash, IsSipHash13) {
  EXPECT_EQ(Hash("a", {}), 0x407448d2b89b1813);
  EXPECT_EQ(Hash("wp:options:alloptions", {}), 0xecde0b1f568904b1);
  EXPECT_EQ(Hash(Counting(8), {}), 0xead411e67ebe2eea);
  EXPECT_EQ(Hash(Counting(15), {}), 0xf30eb725bb91c9ea);
  EXPECT_EQ(Hash(Counting(63), {}), 0x385d3e39e5f37359);
}

TEST(Hash, DependsOnBothHalvesOfTheSecret) {
  EXPECT_NE(Hash("key", {1, 2}), Hash("key", {2, 2}));
  EXPECT_NE(Hash("key", {1, 2}), Hash("key", {1, 1}));
}

TEST(Hash, SecretsDiffer) {
  const HashSecret one = RandomHashSecret();
  const HashSecret other = RandomHashSecret();
  EXPECT_NE(Hash("key", one), Hash("key", other));
}

}  // namespace
}  // namespace ephpm::kv
