#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sapi/exchange.h"
#include "sapi/php_thread.h"
#include "sapi/request_queue.h"

namespace ephpm::sapi {

class PhpEngine;

/// The PHP threads that serve the site, and the queue in front of them.
///
/// Submit is safe from any thread; the rest belongs to the main thread. The engine outlives the
/// pool.
class PhpPool : public RequestHandler, public PhpThreadObserver {
 public:
  struct Options {
    std::size_t threads = 1;
    std::size_t queue = 1024;    ///< requests that may wait
    std::size_t stack_size = 0;  ///< bytes of C stack a thread
  };
  /// Starts the threads. Throws std::system_error if they cannot be had.
  PhpPool(const PhpEngine& engine, const Options& options);
  PhpPool(const PhpPool&) = delete;
  PhpPool& operator=(const PhpPool&) = delete;
  /// Requires: Stop returned true.
  ~PhpPool() override;

  bool Submit(std::shared_ptr<Exchange> exchange) override;

  /// Takes no more requests, waits up to `patience` for what runs, then interrupts it. False if
  /// some thread is still inside PHP or stays behind poisoned: the process has to end without
  /// tidying up.
  bool Stop(std::chrono::milliseconds patience);

  void OnThreadEnded(std::size_t index, Reason reason) noexcept override;

 private:
  std::unique_ptr<PhpThread> StartThread(std::size_t index);
  /// Requires: mutex_ is held. False if no thread can be had; `trouble` says why.
  bool Replace(std::size_t index, std::string& trouble);

  const PhpEngine& engine_;
  const Options options_;
  RequestQueue queue_;
  std::mutex mutex_;  // leaf
  std::condition_variable ended_;
  std::vector<std::unique_ptr<PhpThread>> threads_;   // guarded by mutex_
  std::vector<std::unique_ptr<PhpThread>> poisoned_;  // guarded by mutex_
  std::size_t alive_ = 0;                             // guarded by mutex_: slots that serve
};

}  // namespace ephpm::sapi
