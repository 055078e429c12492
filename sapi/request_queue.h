#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "sapi/exchange.h"

namespace ephpm::sapi {

/// Requests that wait for a PHP thread: bounded, first in, first out. Safe from any thread.
class RequestQueue {
 public:
  explicit RequestQueue(std::size_t capacity) : capacity_(capacity) {}

  /// False if the queue is full or closed; the exchange was not taken.
  bool Push(std::shared_ptr<Exchange> exchange);
  /// Waits for the next request. Null once the queue is closed and empty.
  std::shared_ptr<Exchange> Pop();
  /// No Push succeeds afterwards; what is queued is still handed out.
  void Close();
  std::size_t size() const;

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;  // leaf
  std::condition_variable filled_;
  std::deque<std::shared_ptr<Exchange>> requests_;  // guarded by mutex_
  bool closed_ = false;                             // guarded by mutex_
};

}  // namespace ephpm::sapi
