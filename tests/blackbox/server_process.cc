#include "tests/blackbox/server_process.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace ephpm::blackbox {
namespace {

constexpr std::string_view kReadyLine = "ready http=";

/// The first complete line of `text` that starts with `start`; empty if there is none.
std::string FindLine(const std::string& text, std::string_view start) {
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (text.compare(begin, start.size(), start) == 0) return text.substr(begin, end - begin);
  }
  return {};
}

/// "ready http=ADDR http=ADDR": the addresses.
std::vector<Endpoint> ParseReadyLine(const std::string& line) {
  std::vector<Endpoint> endpoints;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word.starts_with("http=")) endpoints.push_back(Endpoint::Parse(word.substr(5)));
  }
  return endpoints;
}

std::size_t ResidentBytesOfTree(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  std::size_t bytes = 0;
  std::ifstream statm(folder + "/statm");
  std::size_t total_pages = 0;
  std::size_t resident_pages = 0;
  if (statm >> total_pages >> resident_pages) {
    bytes = resident_pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  }
  std::error_code ignored;
  for (const auto& task : std::filesystem::directory_iterator(folder + "/task", ignored)) {
    std::ifstream children(task.path() / "children");
    for (pid_t child; children >> child;) bytes += ResidentBytesOfTree(child);
  }
  return bytes;
}

}  // namespace

std::string ServerBinary() {
  const char* binary = std::getenv("EPHPM_BINARY");
  return binary != nullptr ? binary : EPHPM_BINARY;
}

std::filesystem::path ScriptsFolder() { return EPHPM_SCRIPTS; }

ChildProcess::Command ServerCommand(const ServerOptions& options, const TemporaryFolder& folder) {
  ChildProcess::Command command{
      .arguments = {ServerBinary()}, .environment = options.environment, .folder = folder.path()};
  std::vector<std::string>& arguments = command.arguments;
  if (!options.config.empty()) {
    arguments.insert(arguments.end(), {"--config", folder.Write("ephpm.toml", options.config)});
  }
  for (const std::string& listen : options.listen) {
    arguments.insert(arguments.end(), {"--listen", listen});
  }
  arguments.insert(arguments.end(), {"--root", options.root.string(), "--mode", options.mode,
                                     "--workers", std::to_string(options.workers)});
  // The scripts here say when they send; the buffer that is on by default would hold it back.
  if (options.buffering == Buffering::kOff) {
    arguments.insert(arguments.end(), {"-d", "output_buffering=0"});
  }
  for (const std::string& ini : options.ini) arguments.insert(arguments.end(), {"-d", ini});
  return command;
}

ProgramResult RunServerProgram(const ChildProcess::Command& command) {
  ChildProcess process(command);
  const std::optional<int> exit_code = process.Wait();
  if (!exit_code) {
    throw std::runtime_error("the program still runs; it wrote\n" + process.Output() +
                             process.Errors());
  }
  return {*exit_code, process.Output(), process.Errors()};
}

ProgramResult RunServerProgram(const std::vector<std::string>& arguments) {
  ChildProcess::Command command{.arguments = {ServerBinary()}, .environment = {}, .folder = {}};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return RunServerProgram(command);
}

ServerProcess::ServerProcess(const ServerOptions& options)
    : process_(ServerCommand(options, folder_)) {
  std::string ready;
  process_.WaitForOutput([&](const std::string& output, const std::string&) {
    ready = FindLine(output, kReadyLine);
    return !ready.empty();
  });
  if (ready.empty()) throw std::runtime_error("the server did not become ready:\n" + Log());
  endpoints_ = ParseReadyLine(ready);
}

std::size_t ServerProcess::ResidentBytes() const { return ResidentBytesOfTree(process_.pid()); }

int ServerProcess::Stop(int signal) {
  process_.Signal(signal);
  return process_.Wait().value_or(255);
}

std::vector<std::string> ServerProcess::ErrorLines() const {
  static const std::regex error_level(
      R"re(^\S+Z (error|critical) |"level":"(error|critical)"|PHP (Fatal|Parse) error)re");
  std::vector<std::string> found;
  std::istringstream lines(process_.Errors());
  for (std::string line; std::getline(lines, line);) {
    // The level stands near the start; what an application logs may be very long.
    if (std::regex_search(line.substr(0, 200), error_level)) found.push_back(line);
  }
  return found;
}

std::string ServerProcess::Log() const {
  return "--- standard output\n" + process_.Output() + "--- standard error\n" + process_.Errors();
}

}  // namespace ephpm::blackbox
