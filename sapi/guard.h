#pragma once

#include <type_traits>

#include "sapi/zend.h"

namespace ephpm::sapi {

/// Runs `body` so that a jump out of the engine (zend_bailout: fatal errors, exit in odd places,
/// time-outs, "client gone") ends here. False if it jumped.
///
/// Belongs to the PHP thread that calls it. Jumps skip destructors, so what has one lives outside:
/// `body` captures by reference and declares nothing with a destructor across calls into PHP.
/// Requires: not nested inside a call from PHP, which must see its own bailout.
template <class Body>
[[gnu::noinline]] bool Guarded(Body body) noexcept {
  static_assert(std::is_trivially_destructible_v<Body>, "a jump would skip the destructor");
  volatile bool completed = false;
  zend_try {
    body();
    completed = true;
  }
  zend_end_try();
  return completed;
}

}  // namespace ephpm::sapi
