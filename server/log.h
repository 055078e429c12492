#pragma once

#include <memory>

#include "config/config.h"
#include "server/access_log.h"

namespace ephpm::server {

class LogSink;

/// The process's loggers, written by background threads so that neither loops nor PHP threads wait
/// for a disk.
///
/// Made first and destroyed last by main; what was logged is written before the destructor returns.
/// In spdlog's registry stand "ephpm", the default one, for the server's own messages, and "php"
/// for lines that scripts log: those are written as they are, without prefix and at any length.
class Logging {
 public:
  /// Throws std::runtime_error if a file cannot be opened.
  explicit Logging(const config::LogConfig& config);
  ~Logging();
  Logging(const Logging&) = delete;
  Logging& operator=(const Logging&) = delete;

  AccessLog& access() { return *access_; }
  /// Writes what waits, and from then on whatever is logged at once: before an end without
  /// destructors.
  void Flush();
  /// Opens the files anew at their paths: after somebody moved them away. Safe from any thread.
  void Reopen();

 private:
  struct Threads;
  std::unique_ptr<Threads> threads_;
  std::shared_ptr<LogSink> messages_;
  std::shared_ptr<LogSink> scripts_;
  std::shared_ptr<LogSink> requests_;
  std::unique_ptr<AccessLog> access_;
};

}  // namespace ephpm::server
