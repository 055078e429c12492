#include "tests/apps/wordpress_site.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <random>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "tests/blackbox/child_process.h"

namespace ephpm::apps {
namespace {

constexpr const char* kRootName = "site";
constexpr const char* kMailName = "mail";
/// With this code the script says that something cannot be had.
constexpr int kUnavailable = 77;
/// The first download may come from a slow mirror.
constexpr std::chrono::seconds kDownloadPatience{180};

std::string RandomText() {
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device device;
  std::uniform_int_distribution<std::size_t> any(0, kLetters.size() - 1);
  std::string text;
  for (int i = 0; i < 64; ++i) text.push_back(kLetters[any(device)]);
  return text;
}

/// wp-config.php: nothing happens by itself and nobody else is asked, so that pages stay the same.
std::string Config(const std::filesystem::path& database) {
  std::ostringstream config;
  const auto define = [&](std::string_view name, const std::string& value) {
    config << "define('" << name << "', " << value << ");\n";
  };
  const auto quote = [](const std::string& text) { return '\'' + text + '\''; };
  config << "<?php\n";
  for (const char* name : {"AUTH_KEY", "SECURE_AUTH_KEY", "LOGGED_IN_KEY", "NONCE_KEY", "AUTH_SALT",
                           "SECURE_AUTH_SALT", "LOGGED_IN_SALT", "NONCE_SALT"}) {
    define(name, quote(RandomText()));
  }
  define("DB_NAME", quote("wordpress"));
  for (const char* name : {"DB_USER", "DB_PASSWORD", "DB_HOST", "DB_COLLATE"}) {
    define(name, quote(""));
  }
  define("DB_CHARSET", quote("utf8mb4"));
  define("DB_DIR", quote(database.string()));
  define("DB_FILE", quote("site.sqlite"));
  define("FS_METHOD", quote("direct"));
  for (const char* name :
       {"DISABLE_WP_CRON", "WP_HTTP_BLOCK_EXTERNAL", "AUTOMATIC_UPDATER_DISABLED"}) {
    define(name, "true");
  }
  define("WP_DEBUG", "false");
  config << "$table_prefix = 'wp_';\n"
         << "if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');\n"
         << "require_once ABSPATH . 'wp-settings.php';\n";
  return config.str();
}

bool ContainsAny(std::string_view line, std::span<const std::string_view> marks) {
  return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) {
    return line.find(mark) != std::string_view::npos;
  });
}

bool IsComplaint(std::string_view line) {
  static constexpr std::array<std::string_view, 6> kMarks = {
      "PHP Warning:",    "PHP Fatal error:", "PHP Parse error:",
      "PHP Recoverable", "PHP Startup",      "WordPress database error"};
  return ContainsAny(line, kMarks);
}

/// Debian's change to the installer (its bug 430781) reads two variables that are never set.
bool IsKnown(std::string_view line) {
  static constexpr std::array<std::string_view, 2> kVariables = {
      "Undefined variable $upload_path in", "Undefined variable $upload_url_path in"};
  return ContainsAny(line, kVariables) &&
         line.find("/wp-admin/install.php on line") != std::string_view::npos;
}

std::vector<std::string> ComplaintsOf(const blackbox::ServerProcess& server) {
  std::vector<std::string> complaints = server.ErrorLines();
  std::istringstream lines(server.Log());
  for (std::string line; std::getline(lines, line);) {
    if (IsComplaint(line)) complaints.push_back(line);
  }
  std::erase_if(complaints, IsKnown);
  return complaints;
}

}  // namespace

WordPressSite::WordPressSite() {
  const std::filesystem::path root = folder_.path() / kRootName;
  blackbox::ChildProcess script({.arguments = {EPHPM_APPS "/fetch_wordpress.sh", root.string()},
                                 .environment = {},
                                 .folder = {}});
  const std::optional<int> code = script.Wait(kDownloadPatience);
  if (!code) throw WordPressUnavailable("fetch_wordpress.sh takes too long:\n" + script.Errors());
  if (code == kUnavailable) throw WordPressUnavailable(script.Errors());
  if (code != 0) throw std::runtime_error("fetch_wordpress.sh failed:\n" + script.Errors());
  const std::filesystem::path database = folder_.path() / "database";
  std::filesystem::create_directory(database);
  Write("wp-config.php", Config(database));
}

void WordPressSite::Start(int workers) {
  const std::string mail = (folder_.path() / kMailName).string();
  const std::string sendmail = folder_.Write("sendmail", "cat >> '" + mail + "'\n");
  blackbox::ServerOptions options;
  options.root = folder_.path() / kRootName;
  options.workers = workers;
  // PHP's usual limit of 30 seconds is of real time and not for a machine that does other things.
  options.ini = {"display_errors=0", "log_errors=1", "max_execution_time=120",
                 "sendmail_path=sh " + sendmail};
  server_ = std::make_unique<blackbox::ServerProcess>(options);
}

int WordPressSite::Stop() {
  const int code = server_->Stop();
  earlier_complaints_ = Complaints();
  server_.reset();
  return code;
}

Browser WordPressSite::Visitor(CookieJar cookies) const {
  return Browser(endpoint(), kAuthority, std::move(cookies));
}

std::vector<std::string> WordPressSite::Complaints() const {
  std::vector<std::string> complaints = earlier_complaints_;
  if (server_) {
    for (std::string& line : ComplaintsOf(*server_)) complaints.push_back(std::move(line));
  }
  return complaints;
}

std::string WordPressSite::Mail() const { return blackbox::ReadFile(folder_.path() / kMailName); }

void WordPressSite::Write(const std::string& name, const std::string& content) const {
  folder_.Write(kRootName + ('/' + name), content);
}

}  // namespace ephpm::apps
