#pragma once

#include <atomic>
#include <cstddef>

namespace ephpm::sapi {

class Environment;
class RequestQueue;

/// What a request may know of the pool that serves it. Value type; outlives no pool.
struct PoolView {
  const Environment& environment;
  const RequestQueue& queue;
  std::size_t threads;              ///< PHP threads that serve the site
  const std::atomic<bool>& ending;  ///< the server ends: a script that runs is to stop as by exit()
};

}  // namespace ephpm::sapi
