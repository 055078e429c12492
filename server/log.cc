#include "server/log.h"

#include <spdlog/async.h>
#include <spdlog/formatter.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include "server/log_sink.h"
#include "server/log_text.h"

namespace ephpm::server {
namespace {

/// Messages that may wait for the disk. Whoever logs beyond that waits too: an error is worth it.
constexpr std::size_t kMessagesWaiting = 8192;
/// Access lines that may wait: a second's worth on a fast machine.
constexpr std::size_t kAccessLinesWaiting = 32768;

std::string Timestamp(spdlog::log_clock::time_point at) {
  const std::time_t seconds = spdlog::log_clock::to_time_t(at);
  const auto since = at.time_since_epoch();
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(since).count() % 1000;
  std::tm parts;
  ::gmtime_r(&seconds, &parts);
  char text[40];
  const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::string fraction = std::to_string(1000 + milliseconds).substr(1);
  return std::string(text, size) + "." + fraction + "Z";
}

std::string_view View(spdlog::string_view_t text) { return {text.data(), text.size()}; }

/// One line a message: what came from outside cannot start another one.
class MessageFormatter final : public spdlog::formatter {
 public:
  explicit MessageFormatter(config::LogFormat format) : format_(format) {}

  void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override {
    const std::string_view level = View(spdlog::level::to_string_view(message.level));
    std::string line;
    if (format_ == config::LogFormat::kJson) {
      line.append("{\"time\":\"").append(Timestamp(message.time));
      line.append("\",\"level\":\"").append(level).append("\",\"message\":\"");
      AppendJson(line, View(message.payload));
      line.append("\"}\n");
    } else {
      line.append(Timestamp(message.time)).append(" ").append(level).append(" ");
      AppendLine(line, View(message.payload));
      line.push_back('\n');
    }
    out.append(line.data(), line.data() + line.size());
  }

  std::unique_ptr<spdlog::formatter> clone() const override {
    return std::make_unique<MessageFormatter>(format_);
  }

 private:
  config::LogFormat format_;
};

spdlog::level::level_enum ToSpdlog(config::LogLevel level) {
  switch (level) {
    case config::LogLevel::kDebug:
      return spdlog::level::debug;
    case config::LogLevel::kInfo:
      return spdlog::level::info;
    case config::LogLevel::kWarn:
      return spdlog::level::warn;
    case config::LogLevel::kError:
      break;
  }
  return spdlog::level::err;
}

std::shared_ptr<LogSink> OpenSink(const std::string& path, int fallback) {
  return path.empty() ? std::make_shared<LogSink>(fallback) : std::make_shared<LogSink>(path);
}

std::unique_ptr<spdlog::formatter> RawLines() {
  return std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::local, "\n");
}

}  // namespace

/// Two queues: a flood of access lines must not push out, or hold up, an error message.
struct Logging::Threads {
  std::shared_ptr<spdlog::details::thread_pool> messages =
      std::make_shared<spdlog::details::thread_pool>(kMessagesWaiting, 1);
  std::shared_ptr<spdlog::details::thread_pool> requests =
      std::make_shared<spdlog::details::thread_pool>(kAccessLinesWaiting, 1);
};

Logging::Logging(const config::LogConfig& config) : threads_(std::make_unique<Threads>()) {
  messages_ = OpenSink(config.file, STDERR_FILENO);
  messages_->set_formatter(std::make_unique<MessageFormatter>(config.format));
  auto messages = std::make_shared<spdlog::async_logger>("ephpm", messages_, threads_->messages,
                                                         spdlog::async_overflow_policy::block);
  messages->set_level(ToSpdlog(config.level));
  spdlog::set_default_logger(std::move(messages));

  // The same file or descriptor through a sink of its own, which has its own format.
  scripts_ = OpenSink(config.file, STDERR_FILENO);
  scripts_->set_formatter(RawLines());
  auto scripts = std::make_shared<spdlog::async_logger>("php", scripts_, threads_->messages,
                                                        spdlog::async_overflow_policy::block);
  scripts->set_level(spdlog::level::trace);
  spdlog::register_logger(std::move(scripts));

  std::shared_ptr<spdlog::async_logger> requests;
  if (config.access) {
    requests_ = OpenSink(config.access_file, STDOUT_FILENO);
    requests_->set_formatter(RawLines());
    requests = std::make_shared<spdlog::async_logger>(
        "access", requests_, threads_->requests, spdlog::async_overflow_policy::overrun_oldest);
  }
  access_ = std::make_unique<AccessLog>(std::move(requests), config.format);
}

Logging::~Logging() { Flush(); }

void Logging::Flush() {
  if (!threads_) return;
  spdlog::drop("php");
  // What is logged later, while the process ends, is written by whoever logs it.
  auto last = std::make_shared<spdlog::logger>("ephpm", messages_);
  last->set_level(spdlog::default_logger_raw()->level());
  spdlog::set_default_logger(std::move(last));
  threads_.reset();  // writes what waits
}

void Logging::Reopen() {
  messages_->Reopen();
  scripts_->Reopen();
  if (requests_) requests_->Reopen();
}

}  // namespace ephpm::server
