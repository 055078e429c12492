#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sapi/unique_fd.h"
#include "server/event_loop.h"
#include "server/http_connection.h"
#include "server/listener.h"
#include "server/uv.h"

namespace ephpm::server {

/// A loop's share of the server: its listeners and its connections.
///
/// Belongs to its loop's thread once the loop runs; the loop outlives it.
class Lane final : private Listener::Owner, private HttpConnection::Owner {
 public:
  /// `open_connections` counts those of all lanes. Throws UvError.
  Lane(const HttpServices& services, std::atomic<int>& open_connections);
  ~Lane() override;

  /// Accepts clients of a listening socket. Throws UvError.
  void Listen(sapi::UniqueFd socket);

  /// Stops accepting, ends idle connections, and gives the others `timeouts.shutdown`. The loop
  /// stops when the last one is gone.
  void Drain();
  /// Ends every connection at once.
  void CloseAll();

 private:
  void OnAccepted(sapi::UniqueFd socket, sapi::Peers peers) override;
  void OnOutOfDescriptors() override;
  void Retire(HttpConnection& connection) override;

  void OnTick();
  bool IsFull() const;
  void Resume();
  void StopIfDone();

  const HttpServices services_;
  std::atomic<int>& open_connections_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::unordered_map<HttpConnection*, std::unique_ptr<HttpConnection>> connections_;
  UvHandle<uv_timer_t> ticker_;
  EventLoop::Clock::time_point drain_deadline_;
  bool draining_ = false;
};

}  // namespace ephpm::server
