#include "server/event_loop.h"

#include <cassert>
#include <utility>

namespace ephpm::server {

EventLoop::EventLoop() {
  if (const int code = uv_loop_init(&loop_); code < 0) throw UvError("event loop", code);
  wake_ = UvHandle<uv_async_t>([this](uv_async_t* handle) {
    handle->data = this;
    return uv_async_init(&loop_, handle, [](uv_async_t* async) noexcept {
      static_cast<EventLoop*>(async->data)->HandlePosted();
    });
  });
}

EventLoop::~EventLoop() {
  wake_.Reset();
  uv_run(&loop_, UV_RUN_DEFAULT);  // the close callbacks of the handles that are gone
  [[maybe_unused]] const int code = uv_loop_close(&loop_);
  assert(code == 0);
}

void EventLoop::Run() { uv_run(&loop_, UV_RUN_DEFAULT); }

void EventLoop::Stop() { uv_stop(&loop_); }

void EventLoop::RunOnce() { uv_run(&loop_, UV_RUN_NOWAIT); }

void EventLoop::Post(Task task) {
  {
    std::lock_guard lock(posted_mutex_);
    const bool woken = !posted_.empty();
    posted_.tasks.push_back(std::move(task));
    if (woken) return;
  }
  uv_async_send(wake_.get());
}

void EventLoop::Deliver(std::shared_ptr<sapi::Exchange> exchange) noexcept {
  {
    std::lock_guard lock(posted_mutex_);
    const bool woken = !posted_.empty();
    posted_.exchanges.push_back(std::move(exchange));
    if (woken) return;
  }
  uv_async_send(wake_.get());
}

void EventLoop::HandlePosted() {
  {
    std::lock_guard lock(posted_mutex_);
    std::swap(handling_, posted_);
  }
  for (auto& exchange : handling_.exchanges) exchange->NotifyOwner();
  for (Task& task : handling_.tasks) task();
  handling_.exchanges.clear();
  handling_.tasks.clear();
}

EventLoop::Clock::time_point EventLoop::now() const {
  // uv_now counts from the same origin as steady_clock: CLOCK_MONOTONIC.
  return Clock::time_point(std::chrono::milliseconds(uv_now(&loop_)));
}

}  // namespace ephpm::server
