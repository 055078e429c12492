#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ephpm::blackbox {

/// How long a test waits for something that must happen, before it fails.
inline constexpr std::chrono::seconds kPatience{20};

/// A program with both of its outputs captured. Killed, if it still runs, by the destructor.
///
/// Belongs to the test's thread; two threads of its own collect the output.
class ChildProcess {
 public:
  struct Command {
    std::vector<std::string> arguments;         ///< the program's path first
    std::vector<std::string> environment = {};  ///< "NAME=value", over the test's own
    std::filesystem::path folder = {};          ///< where it runs; empty: the test's own
  };

  /// Starts the program. Throws std::runtime_error if it cannot be run.
  explicit ChildProcess(const Command& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  pid_t pid() const { return pid_; }
  /// What it wrote so far.
  std::string Output() const;
  std::string Errors() const;
  /// Waits until `done`, given the two outputs, says true or both outputs have ended. False:
  /// neither happened within `patience`, or the outputs ended without it.
  bool WaitForOutput(const std::function<bool(const std::string&, const std::string&)>& done,
                     std::chrono::milliseconds patience = kPatience);
  void Signal(int signal) const;
  /// Waits for the end: the exit code, or 128 + the signal that ended it; both outputs are complete
  /// then. Nothing: it still runs after `patience`.
  std::optional<int> Wait(std::chrono::milliseconds patience = kPatience);

 private:
  void Collect(int descriptor, std::string& into);

  pid_t pid_ = -1;
  std::optional<int> exit_code_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string output_;    // guarded by mutex_
  std::string errors_;    // guarded by mutex_
  int open_outputs_ = 2;  // guarded by mutex_
  std::vector<std::thread> collectors_;
};

}  // namespace ephpm::blackbox
