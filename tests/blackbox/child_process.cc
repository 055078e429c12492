#include "tests/blackbox/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace ephpm::blackbox {
namespace {

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  }
  std::array<int, 2> ends{};
};

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The test's own environment, less what `changes` names, plus `changes`.
std::vector<std::string> Environment(const std::vector<std::string>& changes) {
  std::vector<std::string> environment = changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string variable = *entry;
    const std::string name = variable.substr(0, variable.find('=') + 1);
    bool changed = false;
    for (const std::string& change : changes) changed = changed || change.starts_with(name);
    if (!changed) environment.push_back(variable);
  }
  return environment;
}

}  // namespace

ChildProcess::ChildProcess(const Command& command) {
  const Pipe output;
  const Pipe errors;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, output.ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, errors.ends[1], STDERR_FILENO);
  if (!command.folder.empty()) {
    ::posix_spawn_file_actions_addchdir_np(&actions, command.folder.c_str());
  }
  std::vector<std::string> arguments = command.arguments;
  std::vector<std::string> environment = Environment(command.environment);
  const int error = ::posix_spawn(&pid_, arguments.front().c_str(), &actions, nullptr,
                                  Pointers(arguments).data(), Pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(output.ends[1]);
  ::close(errors.ends[1]);
  if (error != 0) {
    ::close(output.ends[0]);
    ::close(errors.ends[0]);
    throw std::runtime_error("cannot run " + arguments.front() + ": " + std::strerror(error));
  }
  collectors_.emplace_back([this, end = output.ends[0]] { Collect(end, output_); });
  collectors_.emplace_back([this, end = errors.ends[0]] { Collect(end, errors_); });
}

ChildProcess::~ChildProcess() {
  if (!exit_code_) {
    Signal(SIGKILL);
    Wait();
  }
  for (std::thread& collector : collectors_) collector.join();
}

void ChildProcess::Collect(int descriptor, std::string& into) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    const std::lock_guard lock(mutex_);
    if (count <= 0) {
      --open_outputs_;
      break;
    }
    into.append(buffer.data(), static_cast<std::size_t>(count));
    changed_.notify_all();
  }
  ::close(descriptor);
  changed_.notify_all();
}

std::string ChildProcess::Output() const {
  const std::lock_guard lock(mutex_);
  return output_;
}

std::string ChildProcess::Errors() const {
  const std::lock_guard lock(mutex_);
  return errors_;
}

bool ChildProcess::WaitForOutput(
    const std::function<bool(const std::string&, const std::string&)>& done,
    std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return open_outputs_ == 0 || done(output_, errors_); });
  return done(output_, errors_);
}

void ChildProcess::Signal(int signal) const {
  if (!exit_code_) ::kill(pid_, signal);
}

std::optional<int> ChildProcess::Wait(std::chrono::milliseconds patience) {
  if (exit_code_) return exit_code_;
  // The system call itself: glibc of the oldest distribution we build on has no wrapper for it.
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  if (descriptor < 0) throw std::runtime_error("pidfd_open failed");
  pollfd ended{descriptor, POLLIN, 0};
  const int ready = ::poll(&ended, 1, static_cast<int>(patience.count()));
  ::close(descriptor);
  if (ready <= 0) return std::nullopt;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return open_outputs_ == 0; });
  return exit_code_;
}

}  // namespace ephpm::blackbox
