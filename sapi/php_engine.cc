#include "sapi/php_engine.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "sapi/environment.h"
#include "sapi/guard.h"
#include "sapi/php_ini.h"
#include "sapi/sapi_module.h"

namespace ephpm::sapi {
namespace {

void SetIniDefaults(HashTable* settings) {
  for (const IniDefault* entry = kIniDefaults; entry->name != nullptr; ++entry) {
    zval value;
    ZVAL_NEW_STR(&value, zend_string_init(entry->value, std::strlen(entry->value), 1));
    zend_hash_str_update(settings, entry->name, std::strlen(entry->name), &value);
  }
}

}  // namespace

PhpEngine::PhpEngine(const config::PhpConfig& config)
    : ini_entries_(BuildIniEntries(config)), ini_file_(config.ini_file) {
  if (!ini_file_.empty() && ::access(ini_file_.c_str(), R_OK) != 0) {
    throw std::runtime_error("php.ini_file: cannot read " + ini_file_ + ": " +
                             std::strerror(errno));
  }
  Start(config);
}

PhpEngine::~PhpEngine() { Stop(); }

void PhpEngine::Start(const config::PhpConfig& config) {
  sapi_module_struct& module = SapiModule();
  module.ini_defaults = SetIniDefaults;
  module.php_ini_path_override = ini_file_.empty() ? nullptr : ini_file_.data();
  module.php_ini_ignore = ini_file_.empty() ? 1 : 0;
  module.php_ini_ignore_cwd = 1;
  php_tsrm_startup();
  sapi_startup(&module);
  module.ini_entries = ini_entries_.c_str();  // sapi_startup clears it
  if (module.startup(&module) != SUCCESS) {
    sapi_shutdown();
    tsrm_shutdown();
    throw std::runtime_error("PHP does not start; its own messages are above");
  }
  InstallEngineHooks();
  environment_ = std::make_unique<Environment>();
  opcache_ = AskOpcache();
  const bool loaded = zend_get_extension("Zend OPcache") != nullptr;
  const bool declined = loaded && INI_INT("opcache.enable") == 0;
  if (config.opcache && !declined && !opcache_.running) {
    Stop();
    throw std::runtime_error(
        "OPcache was asked for (php.opcache, opcache.enable) and does not run; PHP's messages "
        "above "
        "say why. Set php.opcache = false to go without");
  }
}

void PhpEngine::Stop() {
  environment_.reset();
  SapiModule().shutdown(&SapiModule());
  sapi_shutdown();
  tsrm_shutdown();
}

PhpEngine::OpcacheState PhpEngine::AskOpcache() {
  constexpr char kQuestion[] =
      "function_exists('opcache_get_status') && ($s = opcache_get_status(false)) "
      "? ($s['opcache_enabled'] ? 1 : 0) + (($s['jit']['on'] ?? false) ? 2 : 0) : 0";
  zend_long answer = 0;
  Guarded([&] {
    if (php_request_startup() != SUCCESS) return;
    zval result;
    ZVAL_UNDEF(&result);
    if (zend_eval_stringl(kQuestion, sizeof(kQuestion) - 1, &result, "opcache state") == SUCCESS) {
      answer = zval_get_long(&result);
    }
  });
  Guarded([] { php_request_shutdown(nullptr); });
  return {(answer & 1) != 0, (answer & 2) != 0};
}

std::string PhpEngine::Describe() const {
  std::string text = "PHP " PHP_VERSION " (ZTS)\nextensions:";
  zval* module;
  ZEND_HASH_FOREACH_VAL(&module_registry, module) {
    text.append(" ").append(static_cast<zend_module_entry*>(Z_PTR_P(module))->name);
  }
  ZEND_HASH_FOREACH_END();
  text += "\nOPcache: ";
  text += opcache_.running ? "on" : "off";
  text += "\nJIT: ";
  text += opcache_.jit ? "on" : "off";
  text += "\n";
  return text;
}

}  // namespace ephpm::sapi
