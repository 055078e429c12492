#pragma once

#include <cstdint>

#include "sapi/http_head.h"
#include "sapi/unique_fd.h"
#include "server/event_loop.h"
#include "server/uv.h"

namespace ephpm::server {

/// Takes the connections of one listening socket. Belongs to its loop's thread.
class Listener {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    /// `socket` is non-blocking and not inherited by child processes.
    virtual void OnAccepted(sapi::UniqueFd socket, sapi::Peers peers) = 0;
    /// The process or the machine has no descriptor left: accepting rests until Resume.
    virtual void OnOutOfDescriptors() = 0;
  };

  /// Takes over a listening socket. Throws UvError.
  Listener(EventLoop& loop, sapi::UniqueFd socket, Owner& owner);
  /// Takes what is already waiting, so that nobody who was let in by the kernel is reset, and ends.
  ~Listener();

  /// Accepts nothing until Resume: clients wait in the kernel's backlog.
  void Rest();
  /// Accepts again after Rest or OnOutOfDescriptors.
  void Resume();

 private:
  enum class Waiting { kNone, kMaybe };
  Waiting AcceptOne();
  void AcceptSome();

  Owner& owner_;
  sapi::UniqueFd socket_;
  UvHandle<uv_poll_t> poll_;  // after socket_: destroyed before the descriptor is closed
  bool resting_ = false;
};

}  // namespace ephpm::server
