#pragma once

#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

#include "sapi/exchange.h"
#include "sapi/request_queue.h"

struct zend_atomic_bool_s;

namespace ephpm::sapi {

class PhpEngine;

/// Told when a PHP thread leaves its loop. Called on that thread, as its last act.
class PhpThreadObserver {
 public:
  enum class Reason {
    kQueueClosed,  ///< it ended in order; its interpreter is freed
    kPoisoned,  ///< its interpreter cannot be trusted: it stays behind, unused, until the process
                ///< ends
  };
  virtual ~PhpThreadObserver() = default;
  virtual void OnThreadEnded(std::size_t index, Reason reason) noexcept = 0;
};

/// One interpreter on one thread: takes requests from the queue until that is closed.
///
/// The constructor starts the thread and throws std::system_error if it cannot. Interrupt is safe
/// from any thread. The owner destroys it after OnThreadEnded only.
class PhpThread {
 public:
  struct Options {
    std::size_t index = 0;
    std::size_t stack_size = 0;    ///< bytes of C stack
    std::size_t pool_threads = 1;  ///< threads of the whole pool
  };
  PhpThread(const PhpEngine& engine, RequestQueue& queue, PhpThreadObserver& observer,
            const Options& options);
  PhpThread(const PhpThread&) = delete;
  PhpThread& operator=(const PhpThread&) = delete;
  ~PhpThread();

  /// Makes the script that runs, if one does, stop at its next opcode as if it had called exit().
  void Interrupt();

 private:
  static void* Entry(void* self);
  void Main();
  PhpThreadObserver::Reason ServeUntilClosed();

  const PhpEngine& engine_;
  RequestQueue& queue_;
  PhpThreadObserver& observer_;
  const Options options_;
  std::mutex slot_mutex_;  // leaf
  // Where the engine looks for a wish to interrupt; null while the thread has no interpreter.
  zend_atomic_bool_s* slot_ = nullptr;  // guarded by slot_mutex_
  std::atomic<bool> ending_{false};
  pthread_t thread_{};
};

}  // namespace ephpm::sapi
