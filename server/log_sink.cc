#include "server/log_sink.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace ephpm::server {
namespace {

/// Writes everything. What a full disk or a closed pipe does not take is lost: there is nobody to
/// tell.
void WriteFully(int descriptor, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      // Somebody who shares the terminal or pipe made it non-blocking.
      pollfd state{descriptor, POLLOUT, 0};
      ::poll(&state, 1, -1);
      continue;
    }
    if (written <= 0) return;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

}  // namespace

LogSink::LogSink(std::string path) : path_(std::move(path)) {
  if (!Open()) {
    throw std::runtime_error("cannot open log file \"" + path_ + "\": " + std::strerror(errno));
  }
}

bool LogSink::Open() {
  sapi::UniqueFd file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!file) return false;
  file_ = std::move(file);
  descriptor_ = file_.get();
  return true;
}

void LogSink::Reopen() {
  std::lock_guard lock(mutex_);
  if (!path_.empty()) Open();
}

void LogSink::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  WriteFully(descriptor_, line.data(), line.size());
}

}  // namespace ephpm::server
