#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sapi/unique_fd.h"

namespace ephpm::sapi {

/// The bytes that a client sent after the request head: in memory while they are few, else in an
/// unnamed temporary file, so that a slow upload costs a connection and never a PHP thread.
///
/// The loop thread appends until the body is complete; afterwards its PHP thread reads. The two
/// never overlap. Value type, move only.
class RequestBody {
 public:
  /// A body that keeps up to `memory_limit` bytes in memory and spills into a file in `directory`.
  RequestBody(std::size_t memory_limit, std::string directory);
  /// A complete body in memory.
  explicit RequestBody(std::string bytes = {});

  /// Adds bytes at the end. False if the temporary file cannot be made or written (errno says why).
  bool Append(std::string_view bytes);

  /// Copies up to `size` bytes from where the last call stopped. 0 at the end, -1 on an I/O error.
  std::ptrdiff_t Read(char* out, std::size_t size);

  std::uint64_t size() const { return size_; }
  bool spilled() const { return static_cast<bool>(file_); }

 private:
  bool Spill();

  std::size_t memory_limit_;
  std::string directory_;
  std::string memory_;
  UniqueFd file_;
  std::uint64_t size_ = 0;
  std::uint64_t read_ = 0;
};

}  // namespace ephpm::sapi
