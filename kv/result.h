#pragma once

#include <utility>
#include <variant>

namespace ephpm::kv {

/// How a call went. All but kOk leave the store's value as it was.
enum class Status {
  kOk,
  kExists,      ///< the key is there and was to be absent
  kMissing,     ///< the key is not there and was to be present
  kKeyTooLong,  ///< longer than kMaxKeyBytes
  kFull,        ///< it can never fit, or the eviction policy has nothing to give up for it
  kNotANumber,  ///< the value is not a decimal 64-bit integer
  kOverflow,    ///< the sum does not fit 64 bits
};

/// A T, or the reason why there is none. Value type.
template <typename T>
class Result {
 public:
  Result(T value) : outcome_(std::in_place_index<0>, std::move(value)) {}
  /// Requires: `status` is not kOk.
  Result(Status status) : outcome_(std::in_place_index<1>, status) {}

  bool ok() const { return outcome_.index() == 0; }
  Status status() const { return ok() ? Status::kOk : std::get<1>(outcome_); }
  /// Requires: ok().
  const T& value() const { return std::get<0>(outcome_); }

 private:
  std::variant<T, Status> outcome_;
};

}  // namespace ephpm::kv
