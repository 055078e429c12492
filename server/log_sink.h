#pragma once

#include <spdlog/sinks/base_sink.h>

#include <mutex>
#include <string>

#include "sapi/unique_fd.h"

namespace ephpm::server {

/// Writes each line with one system call to a file or an inherited descriptor, so that lines of
/// several processes do not mix. Safe from any thread.
class LogSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  /// Appends to the file at `path`. Throws std::runtime_error.
  explicit LogSink(std::string path);
  /// Writes to `descriptor`, which stays open.
  explicit LogSink(int descriptor) : descriptor_(descriptor) {}

  /// Opens the file anew at its path. If that fails, the old file stays: it is better than none.
  void Reopen();

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}

 private:
  bool Open();

  std::string path_;  // empty for an inherited descriptor
  sapi::UniqueFd file_;
  int descriptor_ = -1;
};

}  // namespace ephpm::server
