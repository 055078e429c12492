#include "server/access_log.h"

#include <spdlog/spdlog.h>

#include <cstdio>
#include <ctime>
#include <string_view>
#include <utility>

#include "server/log_text.h"

namespace ephpm::server {
namespace {

using Seconds = std::chrono::duration<double>;

std::string FormatTime(std::chrono::system_clock::time_point at, const char* format) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm parts;
  ::gmtime_r(&seconds, &parts);
  char text[40];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

/// "[06/Nov/1994:08:49:37 +0000]". The month is spelled here because scripts may change the locale.
std::string CombinedTime(std::chrono::system_clock::time_point at) {
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm parts;
  ::gmtime_r(&seconds, &parts);
  return FormatTime(at, "[%d/") + kMonths[parts.tm_mon] + FormatTime(at, "/%Y:%H:%M:%S +0000]");
}

std::string Fixed(std::chrono::nanoseconds duration) {
  char text[32];
  return {text, static_cast<std::size_t>(
                    std::snprintf(text, sizeof text, "%.6f", Seconds(duration).count()))};
}

void AppendQuoted(std::string& out, std::string_view text) {
  out.push_back('"');
  AppendEscaped(out, text.empty() ? std::string_view("-") : text);
  out.push_back('"');
}

void AppendMember(std::string& out, std::string_view name, std::string_view text) {
  out.append(",\"").append(name).append("\":\"");
  AppendJson(out, text);
  out.push_back('"');
}

void AppendNumber(std::string& out, std::string_view name, std::string_view number) {
  out.append(",\"").append(name).append("\":").append(number);
}

}  // namespace

std::string CombinedLine(const AccessRecord& record) {
  const sapi::RequestHead& request = record.request;
  std::string line;
  line.reserve(256);
  line.append(request.peers.remote_address.empty() ? "-" : request.peers.remote_address);
  line.append(" - - ").append(CombinedTime(record.at)).append(" ");
  std::string request_line;
  if (!request.method.empty()) {
    request_line =
        request.method + " " + request.target + " HTTP/1." + std::to_string(request.http_minor);
  }
  AppendQuoted(line, request_line);
  line.append(" ").append(std::to_string(record.status));
  line.append(" ").append(std::to_string(record.bytes)).append(" ");
  AppendQuoted(line, request.headers.Find("referer"));
  line.push_back(' ');
  AppendQuoted(line, request.headers.Find("user-agent"));
  line.append(" ").append(Fixed(record.total));
  line.append(" ").append(Fixed(record.usage.php));
  line.append(" ").append(Fixed(record.usage.queued));
  line.append(" ").append(std::to_string(record.usage.peak_memory)).append(" ");
  AppendQuoted(line, request.host);
  return line;
}

std::string JsonLine(const AccessRecord& record) {
  const sapi::RequestHead& request = record.request;
  std::string line;
  line.reserve(384);
  line.append("{\"time\":\"").append(FormatTime(record.at, "%Y-%m-%dT%H:%M:%SZ")).append("\"");
  AppendMember(line, "remote", request.peers.remote_address);
  AppendMember(line, "method", request.method);
  AppendMember(line, "target", request.target);
  AppendMember(line, "protocol", "HTTP/1." + std::to_string(request.http_minor));
  AppendMember(line, "host", request.host);
  AppendNumber(line, "status", std::to_string(record.status));
  AppendNumber(line, "bytes", std::to_string(record.bytes));
  AppendMember(line, "referer", request.headers.Find("referer"));
  AppendMember(line, "user_agent", request.headers.Find("user-agent"));
  AppendNumber(line, "seconds", Fixed(record.total));
  AppendNumber(line, "php_seconds", Fixed(record.usage.php));
  AppendNumber(line, "queue_seconds", Fixed(record.usage.queued));
  AppendNumber(line, "peak_memory", std::to_string(record.usage.peak_memory));
  line.push_back('}');
  return line;
}

AccessLog::AccessLog(std::shared_ptr<spdlog::logger> logger, config::LogFormat format)
    : logger_(std::move(logger)), format_(format) {}

void AccessLog::Write(const AccessRecord& record) {
  if (!logger_) return;
  logger_->info(spdlog::string_view_t(format_ == config::LogFormat::kJson ? JsonLine(record)
                                                                          : CombinedLine(record)));
}

}  // namespace ephpm::server
