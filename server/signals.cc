#include "server/signals.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>

namespace ephpm::server {

SignalWatcher::SignalWatcher(EventLoop& loop, const std::vector<int>& signals, Handler handler)
    : handler_(std::move(handler)) {
  for (const int signal : signals) {
    handles_.emplace_back([&](uv_signal_t* handle) {
      handle->data = this;
      return uv_signal_init(loop.uv(), handle);
    });
    const auto call = [](uv_signal_t* handle, int number) noexcept {
      static_cast<SignalWatcher*>(handle->data)->handler_(number);
    };
    if (const int code = uv_signal_start(handles_.back().get(), call, signal); code < 0) {
      throw UvError("signal handler", code);
    }
  }
}

void IgnoreBrokenPipes() {
  // A handler, because SIG_IGN would be inherited by programs that scripts start.
  std::signal(SIGPIPE, [](int) {});
}

void ExitOn(const std::vector<int>& signals) {
  for (const int signal : signals) std::signal(signal, [](int) { ::_exit(EXIT_SUCCESS); });
}

}  // namespace ephpm::server
