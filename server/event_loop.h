#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sapi/exchange.h"
#include "server/uv.h"

namespace ephpm::server {

/// One libuv loop, and the way into it for other threads.
///
/// Run, Stop, now and read_buffer belong to its loop's thread; Post and Deliver are safe from any
/// thread. Outlives whatever holds one of its handles and every Exchange that names it.
class EventLoop final : public sapi::Mailbox {
 public:
  using Clock = std::chrono::steady_clock;
  using Task = std::function<void()>;

  /// Throws UvError.
  EventLoop();
  ~EventLoop() override;
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Handles events until Stop.
  void Run();
  /// Makes Run return at the end of this turn.
  void Stop();
  /// Runs what is due and returns without waiting. For tests.
  void RunOnce();

  /// Runs `task` on the loop's thread in a later turn, in the order of the calls.
  void Post(Task task);
  void Deliver(std::shared_ptr<sapi::Exchange> exchange) noexcept override;

  uv_loop_t* uv() { return &loop_; }
  /// The start of this turn, in milliseconds' resolution: what deadlines are measured by.
  Clock::time_point now() const;
  /// Where a connection reads into; its content lives until the next read of any connection.
  std::span<char> read_buffer() { return read_buffer_; }

 private:
  /// Bytes of one read: what a loopback or datacentre client sends at once, and small in a cache.
  static constexpr std::size_t kReadSize = 64 * 1024;

  /// What other threads want done, in two kinds so that a Deliver allocates nothing.
  struct Posted {
    std::vector<std::shared_ptr<sapi::Exchange>> exchanges;
    std::vector<Task> tasks;
    bool empty() const { return exchanges.empty() && tasks.empty(); }
  };

  void HandlePosted();

  uv_loop_t loop_;
  UvHandle<uv_async_t> wake_;
  std::vector<char> read_buffer_ = std::vector<char>(kReadSize);
  Posted handling_;  // loop thread only; keeps its capacity from turn to turn

  std::mutex posted_mutex_;  // leaf
  Posted posted_;            // guarded by posted_mutex_
};

}  // namespace ephpm::server
