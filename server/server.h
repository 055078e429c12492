#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "sapi/exchange.h"
#include "server/access_log.h"
#include "server/bound_address.h"
#include "server/event_loop.h"
#include "server/http_encoder.h"
#include "server/lane.h"
#include "server/router.h"

namespace ephpm::server {

/// Serves a site: owns the loops, the listeners and, through its lanes, the connections.
///
/// Belongs to the main thread, whose loop is the first; Drain is safe from any thread. It outlives
/// the RequestHandler, because a PHP thread may still deliver to a loop that no longer runs.
class Server {
 public:
  /// Takes the addresses; clients wait in the kernel until Start. Throws one clear line for an
  /// address that cannot be had and for what Router refuses.
  Server(const config::Config& config, AccessLog& access_log);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Where it listens, in the order of the settings: "ADDR:PORT" with the real port, "unix:/path".
  std::vector<std::string> addresses() const;
  /// The main thread's loop, for signals.
  EventLoop& loop() { return *loops_.front(); }

  /// Lets clients in. Requires: not called before.
  void Start(sapi::RequestHandler& handler);
  /// Serves until a drain is complete. Requires: Start.
  void Run();
  /// Ends in good order: no new connection, no new request on an old one, what runs is finished
  /// within timeouts.shutdown. A second call ends at once.
  void Drain();
  /// How long work that goes on after a drain may still take: what Run left of timeouts.shutdown.
  /// Requires: Run has returned.
  std::chrono::milliseconds time_left() const;

 private:
  const config::Config& config_;
  AccessLog& access_log_;
  Router router_;
  HttpEncoder encoder_;
  std::atomic<int> open_connections_{0};
  std::atomic<int> drains_{0};
  std::atomic<EventLoop::Clock::time_point> drain_began_{};
  std::vector<std::unique_ptr<EventLoop>> loops_;
  std::vector<BoundAddress> addresses_;
  std::vector<std::unique_ptr<Lane>> lanes_;  // one a loop, after Start
};

}  // namespace ephpm::server
