#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "config/cpus.h"
#include "sapi/php_engine.h"
#include "sapi/php_pool.h"
#include "server/admin.h"
#include "server/log.h"
#include "server/server.h"
#include "server/signals.h"

namespace {

using namespace ephpm;

constexpr int kExitBadStart = 2;

enum class Command { kServe, kCheck, kHealthcheck, kVersion };

struct CommandLine {
  Command command = Command::kServe;
  std::string config_file;
  config::Flags flags;
};

using Flag = std::pair<std::string, std::string>;

/// Adds an option that may be given several times; each value becomes a flag.
void AddFlags(CLI::App& app, CommandLine& line, const std::string& option,
              const std::string& description, std::function<Flag(const std::string&)> to_flag) {
  app.add_option_function<std::vector<std::string>>(
         option,
         [&line, to_flag = std::move(to_flag)](const std::vector<std::string>& values) {
           for (const std::string& value : values) line.flags.push_back(to_flag(value));
         },
         description)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Declare(CLI::App& app, CommandLine& line) {
  constexpr const char* kSettings[][3] = {
      {"--listen", "server.listen", "ADDR:PORT, :PORT or unix:/path; may be given several times"},
      {"--root", "server.document_root", "folder of the site"},
      {"--mode", "php.mode", "request or worker"},
      {"--workers", "php.workers", "number of PHP threads"},
      {"--log-level", "log.level", "debug, info, warn or error"}};
  app.fallthrough();
  app.require_subcommand(0, 1);
  app.add_option("--config,-c", line.config_file, "TOML file with the settings");
  for (const auto& [option, key, description] : kSettings) {
    AddFlags(app, line, option, description,
             [key = std::string(key)](const std::string& value) { return Flag(key, value); });
  }
  AddFlags(app, line, "-d", "php.ini setting, key=value", config::IniFlag);
  const auto select = [&line](Command command) {
    return [&line, command] { line.command = command; };
  };
  app.add_subcommand("serve", "serve the site (the default)")->callback(select(Command::kServe));
  app.add_subcommand("check", "print the settings in effect and where each comes from")
      ->callback(select(Command::kCheck));
  app.add_subcommand("healthcheck", "ask a running server for its health")
      ->callback(select(Command::kHealthcheck));
  app.add_flag_callback("--version", select(Command::kVersion), "print versions and extensions");
}

int Serve(const config::Config& config) {
  server::IgnoreBrokenPipes();
  server::Logging logging(config.log);
  server::Server server(config, logging.access());
  std::optional<server::SignalWatcher> watcher(
      std::in_place, server.loop(), std::vector<int>{SIGTERM, SIGINT, SIGQUIT, SIGUSR1},
      [&](int signal) { signal == SIGUSR1 ? logging.Reopen() : server.Drain(); });

  sapi::PhpEngine engine(config.php);
  sapi::PhpPool::Options options;
  options.threads =
      static_cast<std::size_t>(config::EffectiveWorkers(config, config::AvailableCpus()));
  options.queue = config.php.queue;
  options.stack_size = config.php.stack_size;
  sapi::PhpPool pool(engine, options);

  server.Start(pool);
  std::string ready = "ready";
  for (const std::string& address : server.addresses()) ready += " http=" + address;
  std::puts(ready.c_str());
  std::fflush(stdout);
  server.Run();

  watcher.reset();
  server::ExitOn({SIGTERM, SIGINT, SIGQUIT});  // the loop no longer hears of them
  if (pool.Stop(server.time_left())) return EXIT_SUCCESS;
  // A thread is still inside PHP: nothing that it may use can be taken down.
  logging.Flush();
  ::_exit(EXIT_SUCCESS);
}

int Run(const CommandLine& line) {
  const config::LoadedConfig loaded =
      config::LoadConfig(line.config_file, config::ReadEnvironment(environ), line.flags);
  const config::Config& config = loaded.config;
  switch (line.command) {
    case Command::kCheck:
      std::fputs(config::DescribeSettings(loaded).c_str(), stdout);
      return EXIT_SUCCESS;
    case Command::kHealthcheck: {
      std::string why;
      if (server::AskHealth(config.server.listen.front(), why)) return EXIT_SUCCESS;
      std::fprintf(stderr, "ephpmd: %s\n", why.c_str());
      return EXIT_FAILURE;
    }
    case Command::kVersion:
      std::printf("ephpmd %s\n%s", EPHPM_VERSION, sapi::PhpEngine(config.php).Describe().c_str());
      return EXIT_SUCCESS;
    case Command::kServe:
      break;
  }
  if (config.php.mode == config::Mode::kWorker) {
    throw std::runtime_error("not available in this build: php.mode = \"worker\"");
  }
  return Serve(config);
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  CLI::App app("Serves a PHP site: web server, PHP and cache in one process.", "ephpmd");
  Declare(app, line);
  try {
    app.parse(argc, argv);
    return Run(line);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == EXIT_SUCCESS ? EXIT_SUCCESS : kExitBadStart;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ephpmd: %s\n", error.what());
    return kExitBadStart;
  }
}
