#include "sapi/php_ini.h"

#include <map>
#include <stdexcept>
#include <string>

namespace ephpm::sapi {

const IniDefault kIniDefaults[] = {
    // What php.ini-production sets: errors go to the log and never into a page.
    {"display_errors", "0"},
    {"display_startup_errors", "0"},
    {"log_errors", "1"},
    {"error_reporting", "22527"},  // E_ALL & ~E_DEPRECATED: an old library must not fill the log
    {"output_buffering", "4096"},
    {"variables_order", "GPCS"},
    {"request_order", "GP"},
    {"register_argc_argv", "0"},  // on, a query string becomes command-line options of frameworks
    {"short_open_tag", "0"},
    {"zend.exception_ignore_args", "1"},  // arguments in traces leak passwords into logs
    {"zend.exception_string_param_max_len", "0"},
    {"session.gc_divisor", "1000"},
    {"session.use_strict_mode", "1"},
    {"session.cookie_httponly", "1"},
    {"expose_php", "0"},
    {"max_execution_time", "30"},
    // A body is complete before PHP starts, so reading it needs no clock of its own.
    {"max_input_time", "-1"},
    // A plugin or theme archive passes without anybody touching the configuration.
    {"upload_max_filesize", "64M"},
    {"post_max_size", "64M"},
    // One process serves many threads: caches that are small by default are shared by all of them.
    {"realpath_cache_size", "16M"},
    {"realpath_cache_ttl", "120"},
    {"opcache.enable", "1"},
    {"opcache.memory_consumption", "256"},
    {"opcache.interned_strings_buffer", "32"},
    {"opcache.max_accelerated_files", "32531"},
    {nullptr, nullptr},
};

std::string BuildIniEntries(const config::PhpConfig& config) {
  std::string entries;
  if (config.opcache) entries += "zend_extension=opcache\n";
  std::map<std::string, std::string> settings = config.ini;
  // A folder of the operator's choice takes uploads too; the default leaves php.ini's word alone.
  if (config.temp_dir != config::PhpConfig().temp_dir) {
    settings.emplace("upload_tmp_dir", config.temp_dir);
  }
  for (const auto& [name, value] : settings) {
    if (name.find_first_of("\r\n=") != std::string::npos ||
        value.find_first_of("\r\n") != std::string::npos || value.find('\0') != std::string::npos) {
      throw std::runtime_error("php.ini setting '" + name + "': a name or value must be one line");
    }
    entries += name + "=\"";
    // In a quoted ini value only the quote and the backslash before it need escaping.
    for (const char c : value) {
      if (c == '"') entries += '\\';
      entries += c;
    }
    entries += "\"\n";
  }
  return entries;
}

}  // namespace ephpm::sapi
