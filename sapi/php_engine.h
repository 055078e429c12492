#pragma once

#include <memory>
#include <string>

#include "config/config.h"

namespace ephpm::sapi {

class Environment;

/// The PHP interpreter: started once a process, before any PHP thread, and ended after the last.
///
/// Belongs to the main thread. The constructor throws std::runtime_error with one line that says
/// what PHP could not do: a php.ini that cannot be read, an engine that does not start, an OPcache
/// that was asked for and does not run.
class PhpEngine {
 public:
  explicit PhpEngine(const config::PhpConfig& config);
  PhpEngine(const PhpEngine&) = delete;
  PhpEngine& operator=(const PhpEngine&) = delete;
  ~PhpEngine();

  /// The process's environment as PHP sees it. Lives as long as the engine.
  const Environment& environment() const { return *environment_; }

  /// PHP's version, its extensions, and the state of OPcache and JIT, one line each.
  std::string Describe() const;

 private:
  struct OpcacheState {
    bool running = false;
    bool jit = false;
  };
  static OpcacheState AskOpcache();
  void Start(const config::PhpConfig& config);
  void Stop();

  std::string ini_entries_;  // PHP borrows it
  std::string ini_file_;     // PHP borrows it
  OpcacheState opcache_;
  std::unique_ptr<Environment> environment_;
};

}  // namespace ephpm::sapi
