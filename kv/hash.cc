#include "kv/hash.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <random>

namespace ephpm::kv {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

constexpr std::size_t kWord = sizeof(std::uint64_t);

std::uint64_t ReadWord(const char* bytes, std::size_t size) {
  std::uint64_t word = 0;
  if (size != 0) std::memcpy(&word, bytes, size);
  return word;
}

/// The four words that SipHash stirs.
struct State {
  std::uint64_t a, b, c, d;

  void Stir() {
    a += b;
    c += d;
    b = std::rotl(b, 13) ^ a;
    d = std::rotl(d, 16) ^ c;
    a = std::rotl(a, 32);
    c += b;
    a += d;
    b = std::rotl(b, 17) ^ c;
    d = std::rotl(d, 21) ^ a;
    c = std::rotl(c, 32);
  }
  void Absorb(std::uint64_t word) {
    d ^= word;
    Stir();
    a ^= word;
  }
};

}  // namespace

HashSecret RandomHashSecret() {
  std::random_device random;
  const auto word = [&] { return std::uint64_t{random()} << 32 | random(); };
  return {word(), word()};
}

std::uint64_t Hash(std::string_view bytes, const HashSecret& secret) {
  // The constants are the algorithm's: "somepseudorandomlygeneratedbytes" in ASCII.
  State state{secret.first ^ 0x736f6d6570736575, secret.second ^ 0x646f72616e646f6d,
              secret.first ^ 0x6c7967656e657261, secret.second ^ 0x7465646279746573};
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  for (; static_cast<std::size_t>(end - at) >= kWord; at += kWord) {
    state.Absorb(ReadWord(at, kWord));
  }
  state.Absorb(ReadWord(at, end - at) | std::uint64_t{bytes.size()} << 56);
  state.c ^= 0xff;
  for (int round = 0; round < 3; ++round) state.Stir();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace ephpm::kv
