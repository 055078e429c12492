#pragma once

#include "sapi/zend.h"

namespace ephpm::sapi {

/// The process's environment as it was at start, as strings that PHP threads share without
/// counting references. Safe from any thread: it does not change.
///
/// libc's own environment may not be read while another thread changes it, and copying it for each
/// request costs more than a small script.
class Environment {
 public:
  /// Requires: the engine has started and runs no thread yet.
  Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment();

  /// Adds every variable to a PHP array. May jump.
  void AddTo(HashTable* array) const;

 private:
  HashTable* variables_;
};

}  // namespace ephpm::sapi
