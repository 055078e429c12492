#pragma once

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/blackbox/child_process.h"
#include "tests/blackbox/http_client.h"
#include "tests/blackbox/temporary_folder.h"

namespace ephpm::blackbox {

/// The server's program: EPHPM_BINARY of the environment, else the one that was built.
std::string ServerBinary();
/// The folder of the scripts that tests ask for.
std::filesystem::path ScriptsFolder();

/// How a server is started. Value type.
/// PHP's output_buffering.
enum class Buffering { kOff, kAsConfigured };

struct ServerOptions {
  std::vector<std::string> listen = {"127.0.0.1:0"};
  std::string mode = "request";
  int workers = 2;
  std::filesystem::path root = ScriptsFolder();
  std::string config = {};                    ///< TOML; empty: no --config
  std::vector<std::string> ini = {};          ///< "key=value", each with a -d
  std::vector<std::string> environment = {};  ///< "NAME=value", over the test's own
  Buffering buffering = Buffering::kOff;
};

/// The command line for `options`; a configuration is written to `folder`.
ChildProcess::Command ServerCommand(const ServerOptions& options, const TemporaryFolder& folder);

/// What a finished program left behind. Value type.
struct ProgramResult {
  int exit_code;
  std::string output;
  std::string errors;
};

/// Runs the server's program to its end, in `folder`. Throws if it does not end.
ProgramResult RunServerProgram(const ChildProcess::Command& command);
ProgramResult RunServerProgram(const std::vector<std::string>& arguments);

/// A running server in a folder of its own.
///
/// Belongs to the test's thread; endpoint(), ResidentBytes() and the outputs are safe from any.
class ServerProcess {
 public:
  /// Starts the server and waits until it says that it serves. Throws std::runtime_error with the
  /// server's log if it does not.
  explicit ServerProcess(const ServerOptions& options);

  const TemporaryFolder& folder() const { return folder_; }
  /// Where it listens: one for each `listen` of the options, in their order.
  const std::vector<Endpoint>& endpoints() const { return endpoints_; }
  const Endpoint& endpoint() const { return endpoints_.front(); }
  ChildProcess& process() { return process_; }
  /// Bytes of memory that it and its children hold in RAM.
  std::size_t ResidentBytes() const;
  /// Asks it to end and waits. Its exit code; 128 + signal if it was killed; 255 if it still runs.
  int Stop(int signal = SIGTERM);
  /// The lines of its log that are of level error or above.
  std::vector<std::string> ErrorLines() const;
  /// Both outputs, for a failure message.
  std::string Log() const;

 private:
  TemporaryFolder folder_;
  ChildProcess process_;
  std::vector<Endpoint> endpoints_;
};

}  // namespace ephpm::blackbox
