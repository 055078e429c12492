#include "server/server.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <thread>
#include <utility>

#include "config/cpus.h"

namespace ephpm::server {
namespace {

/// Each connection is a descriptor, and the usual soft limit of 1024 is for programs with select().
void RaiseDescriptorLimit() {
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Server::Server(const config::Config& config, AccessLog& access_log)
    : config_(config), access_log_(access_log), router_(config.server) {
  const int threads = config::EffectiveIoThreads(config, config::AvailableCpus());
  for (int i = 0; i < threads; ++i) loops_.push_back(std::make_unique<EventLoop>());
  for (const std::string& address : config.server.listen) {
    addresses_.push_back(BindAddress(address, loops_.size(), config.server.backlog));
  }
}

Server::~Server() = default;

std::vector<std::string> Server::addresses() const {
  std::vector<std::string> names;
  for (const BoundAddress& address : addresses_) names.push_back(address.name);
  return names;
}

void Server::Start(sapi::RequestHandler& handler) {
  RaiseDescriptorLimit();
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    const HttpServices services{*loops_[i], config_, router_, encoder_, handler, access_log_};
    lanes_.push_back(std::make_unique<Lane>(services, open_connections_));
    for (BoundAddress& address : addresses_) lanes_[i]->Listen(std::move(address.sockets[i]));
  }
  for (const BoundAddress& address : addresses_) spdlog::info("listening on {}", address.name);
}

void Server::Run() {
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < loops_.size(); ++i) {
    threads.emplace_back([this, i] { loops_[i]->Run(); });
  }
  loops_.front()->Run();
  for (std::thread& thread : threads) thread.join();
}

void Server::Drain() {
  const bool again = drains_.fetch_add(1) > 0;
  spdlog::info(again ? "ending at once" : "ending after the requests that are under way");
  if (!again) drain_began_.store(EventLoop::Clock::now());
  encoder_.StartDraining();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane* lane = lanes_[i].get();
    loops_[i]->Post([lane, again] { again ? lane->CloseAll() : lane->Drain(); });
  }
}

std::chrono::milliseconds Server::time_left() const {
  if (drains_.load() > 1) return std::chrono::milliseconds(0);
  const auto used = EventLoop::Clock::now() - drain_began_.load();
  return std::max(
      std::chrono::milliseconds(0),
      std::chrono::duration_cast<std::chrono::milliseconds>(config_.timeouts.shutdown - used));
}

}  // namespace ephpm::server
