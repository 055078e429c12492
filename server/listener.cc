#include "server/listener.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "server/bound_address.h"

namespace ephpm::server {
namespace {

/// Connections taken in one turn, so that those that are served get their share of the loop.
constexpr int kAcceptsPerTurn = 64;
/// Connections taken when the listener ends: an end even if clients come as fast as they are taken.
constexpr int kAcceptsAtTheEnd = 4096;

bool IsPassing(int error) {
  // accept reports the errors of a connection that died in the queue; the next one may be sound.
  return error == ECONNABORTED || error == EINTR || error == EPROTO || error == EPERM ||
         error == ENETDOWN || error == EHOSTDOWN || error == EHOSTUNREACH || error == ENETUNREACH;
}

}  // namespace

Listener::Listener(EventLoop& loop, sapi::UniqueFd socket, Owner& owner)
    : owner_(owner), socket_(std::move(socket)), poll_([&](uv_poll_t* handle) {
        handle->data = this;
        return uv_poll_init(loop.uv(), handle, socket_.get());
      }) {
  resting_ = true;
  Resume();
}

Listener::~Listener() {
  for (int i = 0; i < kAcceptsAtTheEnd && !resting_; ++i) {
    if (AcceptOne() == Waiting::kNone) return;
  }
}

void Listener::Resume() {
  if (!std::exchange(resting_, false)) return;
  uv_poll_start(poll_.get(), UV_READABLE, [](uv_poll_t* handle, int, int) noexcept {
    static_cast<Listener*>(handle->data)->AcceptSome();
  });
}

void Listener::Rest() {
  resting_ = true;
  uv_poll_stop(poll_.get());
}

void Listener::AcceptSome() {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    if (resting_ || AcceptOne() == Waiting::kNone) return;
  }
}

Listener::Waiting Listener::AcceptOne() {
  sockaddr_storage remote{};
  socklen_t size = sizeof remote;
  sapi::UniqueFd socket(::accept4(socket_.get(), reinterpret_cast<sockaddr*>(&remote), &size,
                                  SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket) {
    if (IsPassing(errno)) return Waiting::kMaybe;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      Rest();
      owner_.OnOutOfDescriptors();
    }
    return Waiting::kNone;
  }
  sapi::Peers peers;
  DescribeAddress(remote, peers.remote_address, peers.remote_port);
  if (remote.ss_family != AF_UNIX) {
    sockaddr_storage local{};
    size = sizeof local;
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&local), &size);
    DescribeAddress(local, peers.local_address, peers.local_port);
  }
  owner_.OnAccepted(std::move(socket), std::move(peers));
  return Waiting::kMaybe;
}

}  // namespace ephpm::server
