#pragma once

#include <cstdint>
#include <string_view>

namespace ephpm::kv {

/// What an outsider must not know: with it, keys could be made that all fall into one bucket.
struct HashSecret {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// Throws std::runtime_error if the system has no random numbers.
HashSecret RandomHashSecret();

/// SipHash-1-3: keys come from URLs and cookies, so the hash must hold against chosen ones.
std::uint64_t Hash(std::string_view bytes, const HashSecret& secret);

}  // namespace ephpm::kv
