#pragma once

#include "sapi/exchange.h"
#include "sapi/pool_view.h"

namespace ephpm::sapi {

/// What a PHP thread can do after a request.
enum class ThreadState {
  kUsable,
  kPoisoned,  ///< the end of a request was left by a jump: its memory cannot be trusted any more
};

/// Serves each request by a whole script run, as PHP-FPM does. Belongs to its PHP thread.
class RequestMode {
 public:
  explicit RequestMode(const PoolView& pool) : pool_(pool) {}

  /// Runs the script and finishes the exchange, however the script ends.
  ThreadState Serve(Exchange& exchange);

 private:
  const PoolView pool_;
};

}  // namespace ephpm::sapi
