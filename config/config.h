#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ephpm::config {

/// Where the server listens and how a URL becomes a file. Section [server].
struct ServerConfig {
  std::vector<std::string> listen = {"0.0.0.0:8080"};  ///< as ParseListenAddress reads them
  int io_threads = 1;                                  ///< event loops; 0: one a CPU
  int backlog = 1024;  ///< connections that the kernel holds for accept
  int max_connections = 10000;
  std::string document_root = ".";
  std::vector<std::string> index_files = {"index.php", "index.html"};
  std::vector<std::string> fallback = {"$uri", "$uri/", "/index.php?$query_string"};
  bool missing_static_404 = true;  ///< a missing file of a static type is 404 without waking PHP
  std::vector<std::string> static_extensions = {
      "css", "js",  "mjs",  "map", "png",   "jpg", "jpeg", "gif", "webp", "avif",
      "svg", "ico", "woff", "ttf", "woff2", "otf", "eot",  "mp4", "webm", "mp3"};
};

/// What a client may send. Section [limits].
struct LimitsConfig {
  std::size_t request_line = 16UL * 1024;    ///< bytes; longer: 414
  std::size_t header_bytes = 64UL * 1024;    ///< all header fields together; more: 431
  std::size_t header_count = 128;            ///< more: 431
  std::uint64_t body = 128UL * 1024 * 1024;  ///< bytes; more: 413
  std::size_t body_memory = 64UL * 1024;     ///< a longer body waits in a temporary file
};

/// How long a client may take. Section [timeouts].
struct TimeoutsConfig {
  std::chrono::milliseconds header{30'000};    ///< from the first byte to the end of the head
  std::chrono::milliseconds body{60'000};      ///< between two reads of a body
  std::chrono::milliseconds idle{75'000};      ///< keep-alive connection without a request
  std::chrono::milliseconds write{60'000};     ///< client takes no byte of a response
  std::chrono::milliseconds shutdown{30'000};  ///< after SIGTERM, for what is running
};

enum class Mode { kRequest, kWorker };

/// The interpreters. Section [php].
struct PhpConfig {
  Mode mode = Mode::kRequest;
  int workers = 0;           ///< PHP threads; 0: two a CPU
  std::size_t queue = 1024;  ///< requests that may wait for a thread; more: 503
  bool opcache = true;       ///< load OPcache; without it the server refuses to start
  std::string ini_file;      ///< php.ini to read; empty: none
  std::size_t stack_size = 16UL * 1024 * 1024;  ///< bytes of C stack a PHP thread
  std::string temp_dir = "/tmp";                ///< uploads and long bodies
  std::map<std::string, std::string> ini;       ///< table [php.ini] and -d key=value
};

enum class LogFormat { kText, kJson };
enum class LogLevel { kDebug, kInfo, kWarn, kError };

/// Section [log].
struct LogConfig {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
  std::string file;  ///< empty: standard error
  bool access = true;
  std::string access_file;  ///< empty: standard output
};

/// Everything that an operator can set, with its defaults. Value type.
struct Config {
  ServerConfig server;
  LimitsConfig limits;
  TimeoutsConfig timeouts;
  PhpConfig php;
  LogConfig log;
};

/// What stands for a file where there is none.
inline constexpr std::string_view kEnvironment = "environment";
inline constexpr std::string_view kCommandLine = "command line";

/// Where a setting was written. Value type.
struct Place {
  std::string file;  ///< a path, kEnvironment or kCommandLine
  int line = 0;      ///< from 1; 0 where there is none
  int column = 0;    ///< from 1; 0 where it says nothing
};

/// A setting that cannot be used. what() is one line: where, which key, why.
class ConfigError : public std::runtime_error {
 public:
  ConfigError(const Place& place, std::string key, const std::string& why);
  ConfigError(std::string file, int line, std::string key, const std::string& why);
  const std::string& file() const { return place_.file; }
  int line() const { return place_.line; }
  int column() const { return place_.column; }
  const std::string& key() const { return key_; }  ///< dotted, e.g. "limits.body"; may be empty

 private:
  Place place_;
  std::string key_;
};

/// One effective setting for `ephpmd check`: its TOML value and who set it.
struct Setting {
  std::string key;
  std::string value;
  std::string origin;  ///< "default", "FILE:LINE", "environment" or "command line"
};

struct LoadedConfig {
  Config config;
  std::vector<Setting> settings;  ///< every key, in the order of the reference
};

/// "NAME=value" strings of the environment that begin with EPHPM_.
using Environment = std::vector<std::string>;
/// Dotted key and value, as the command line gave them, in order.
using Flags = std::vector<std::pair<std::string, std::string>>;

/// Reads the settings: flags win over the environment, that over the file, that over the defaults.
/// `path` may be empty: no file. Throws ConfigError for whatever cannot be used.
///
/// Relative paths in the file start at the file's folder, all others at the working directory.
/// Whether a path exists is not looked at: that is for whoever opens it.
LoadedConfig LoadConfig(const std::string& path, const Environment& environment,
                        const Flags& flags);

/// What LoadConfig wants of a process's environment. `variables` ends with a null pointer.
Environment ReadEnvironment(const char* const* variables);

/// The flag for `-d key=value`, a php.ini setting; `-d key` alone sets it to "1".
std::pair<std::string, std::string> IniFlag(const std::string& assignment);

/// The effective settings as a TOML file, with the origin of each in a comment behind it.
std::string DescribeSettings(const LoadedConfig& loaded);

}  // namespace ephpm::config
