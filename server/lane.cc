#include "server/lane.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace ephpm::server {
namespace {

/// How often deadlines are looked at, in milliseconds: they are seconds long, and a sweep over ten
/// thousand connections takes well under a millisecond.
constexpr std::uint64_t kTickMilliseconds = 250;

}  // namespace

Lane::Lane(const HttpServices& services, std::atomic<int>& open_connections)
    : services_(services), open_connections_(open_connections) {
  ticker_ = UvHandle<uv_timer_t>([this](uv_timer_t* handle) {
    handle->data = this;
    return uv_timer_init(services_.loop.uv(), handle);
  });
  const auto tick = [](uv_timer_t* timer) noexcept { static_cast<Lane*>(timer->data)->OnTick(); };
  uv_timer_start(ticker_.get(), tick, kTickMilliseconds, kTickMilliseconds);
}

Lane::~Lane() = default;

void Lane::Listen(sapi::UniqueFd socket) {
  Listener::Owner& owner = *this;
  listeners_.push_back(std::make_unique<Listener>(services_.loop, std::move(socket), owner));
}

void Lane::OnAccepted(sapi::UniqueFd socket, sapi::Peers peers) {
  try {
    HttpConnection::Owner& owner = *this;
    auto connection =
        std::make_unique<HttpConnection>(services_, owner, std::move(socket), std::move(peers));
    connections_.emplace(connection.get(), std::move(connection));
    ++open_connections_;
    if (IsFull()) {
      for (const auto& listener : listeners_) listener->Rest();
    }
  } catch (const UvError& error) {
    spdlog::error("a connection cannot be served: {}", error.what());
  }
}

void Lane::OnOutOfDescriptors() {
  spdlog::error("no descriptor is left for another connection; raise the limit (ulimit -n)");
}

bool Lane::IsFull() const {
  return open_connections_.load() >= services_.config.server.max_connections;
}

void Lane::Resume() {
  if (IsFull()) return;
  for (const auto& listener : listeners_) listener->Resume();
}

void Lane::Retire(HttpConnection& connection) {
  services_.loop.Post([this, gone = &connection] {
    connections_.erase(gone);
    --open_connections_;
    Resume();
    StopIfDone();
  });
}

void Lane::OnTick() {
  const auto now = services_.loop.now();
  Resume();  // also for room that another lane has made, and for descriptors
  for (const auto& [connection, owned] : connections_) connection->OnTick(now);
  if (draining_ && now >= drain_deadline_ && !connections_.empty()) {
    spdlog::warn("{} connections are cut: the time for shutting down is over", connections_.size());
    CloseAll();
  }
}

void Lane::Drain() {
  draining_ = true;
  drain_deadline_ = services_.loop.now() + services_.config.timeouts.shutdown;
  listeners_.clear();
  for (const auto& [connection, owned] : connections_) connection->Drain();
  StopIfDone();
}

void Lane::CloseAll() {
  for (const auto& [connection, owned] : connections_) connection->Close();
}

void Lane::StopIfDone() {
  if (draining_ && connections_.empty()) services_.loop.Stop();
}

}  // namespace ephpm::server
