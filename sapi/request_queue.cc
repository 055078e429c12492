#include "sapi/request_queue.h"

#include <utility>

namespace ephpm::sapi {

bool RequestQueue::Push(std::shared_ptr<Exchange> exchange) {
  {
    std::lock_guard lock(mutex_);
    if (closed_ || requests_.size() >= capacity_) return false;
    requests_.push_back(std::move(exchange));
  }
  filled_.notify_one();
  return true;
}

std::shared_ptr<Exchange> RequestQueue::Pop() {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [&] { return closed_ || !requests_.empty(); });
  if (requests_.empty()) return nullptr;
  std::shared_ptr<Exchange> next = std::move(requests_.front());
  requests_.pop_front();
  return next;
}

void RequestQueue::Close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_all();
}

std::size_t RequestQueue::size() const {
  std::lock_guard lock(mutex_);
  return requests_.size();
}

}  // namespace ephpm::sapi
