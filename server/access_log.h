#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "config/config.h"
#include "sapi/exchange.h"
#include "sapi/http_head.h"

namespace spdlog {
class logger;
}

namespace ephpm::server {

/// One answered request. Borrowed for the time of a call.
struct AccessRecord {
  const sapi::RequestHead& request;
  int status = 0;           ///< 499: the client went away before there was an answer
  std::uint64_t bytes = 0;  ///< of the body
  std::chrono::system_clock::time_point at;  ///< when the first byte of the request came
  std::chrono::nanoseconds total{0};         ///< from there until the kernel had the answer
  sapi::Usage usage;                         ///< zero if PHP had no part in it
};

/// A line in the combined format of Apache and nginx, followed by request, PHP and queue seconds,
/// peak memory in bytes, and the host.
std::string CombinedLine(const AccessRecord& record);
/// The same facts as one JSON object.
std::string JsonLine(const AccessRecord& record);

/// Writes a line for each answered request. Safe from any thread; never blocks: if the disk is
/// slower than the clients, the oldest lines that wait are given up.
class AccessLog {
 public:
  /// A null `logger` writes nothing.
  AccessLog(std::shared_ptr<spdlog::logger> logger, config::LogFormat format);
  void Write(const AccessRecord& record);

 private:
  std::shared_ptr<spdlog::logger> logger_;
  config::LogFormat format_;
};

}  // namespace ephpm::server
