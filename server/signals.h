#pragma once

#include <functional>
#include <vector>

#include "server/event_loop.h"
#include "server/uv.h"

namespace ephpm::server {

/// Calls a function on the loop's thread for each of some signals. Signals that come before the
/// loop runs are kept for it. Belongs to its loop's thread.
class SignalWatcher {
 public:
  using Handler = std::function<void(int signal)>;

  /// Throws UvError.
  SignalWatcher(EventLoop& loop, const std::vector<int>& signals, Handler handler);
  SignalWatcher(const SignalWatcher&) = delete;
  SignalWatcher& operator=(const SignalWatcher&) = delete;

 private:
  Handler handler_;
  std::vector<UvHandle<uv_signal_t>> handles_;
};

/// Lets writes to a closed pipe or socket fail instead of ending the process. Programs that scripts
/// start are not affected.
void IgnoreBrokenPipes();

/// Ends the process successfully, and at once, on each of the signals: for the time after the loop.
void ExitOn(const std::vector<int>& signals);

}  // namespace ephpm::server
