#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>

#include "sapi/unique_fd.h"
#include "server/event_loop.h"
#include "server/uv.h"

namespace ephpm::server {

/// A client's bytes: a non-blocking socket with a queue of what it has not taken yet.
///
/// Belongs to its loop's thread. Writing is asked for in two steps, Write and Flush, so that a
/// head, a body and a chunk's frame leave with one system call.
class Stream {
 public:
  /// What happens on the socket. The stream must not be destroyed inside these calls.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// Bytes came. The view ends with the call.
    virtual void OnBytes(std::string_view bytes) = 0;
    /// The client sends no more; it may still read.
    virtual void OnEnd() = 0;
    /// The queue was not empty after a Flush, and is now.
    virtual void OnDrained() = 0;
    /// The connection is lost: nothing can be read or written.
    virtual void OnBroken() = 0;
  };

  enum class Reading { kOff, kOn };
  enum class FlushResult {
    kDrained,  ///< everything that was written is with the kernel
    kPending,  ///< OnDrained or OnBroken will be called
    kBroken,   ///< the connection is lost; OnBroken is not called for it
  };

  /// Throws UvError if the socket cannot be watched. Reading is off.
  Stream(EventLoop& loop, sapi::UniqueFd socket, Owner& owner);

  void SetReading(Reading reading);
  /// Queues bytes.
  void Write(std::string bytes);
  /// Queues `size` bytes of `file` from `offset` on.
  void WriteFile(sapi::UniqueFd file, std::uint64_t offset, std::uint64_t size);
  /// Sends what the socket takes without waiting.
  FlushResult Flush();

  /// Nothing waits to be written.
  bool drained() const { return queue_.empty(); }
  /// The client ended its half: OnEnd was called.
  bool ended() const { return ended_; }
  /// Bytes that the socket took since the stream was made; when it stands still, the client stalls.
  std::uint64_t sent() const { return sent_; }
  int socket() const { return socket_.get(); }
  /// Asks the kernel whether bytes, or the end, wait to be read.
  bool HasInput() const;
  /// Asks the kernel whether a connection that is not being read is lost.
  bool IsLost() const;

  /// Ends this half after what the kernel has taken. Requires: drained().
  void EndWriting();
  /// The connection will end with a reset when it is destroyed, not with an orderly end.
  void ResetOnClose();

 private:
  struct FilePiece {
    sapi::UniqueFd file;
    std::uint64_t offset;
    std::uint64_t size;
  };
  struct Bytes {
    std::string bytes;
    std::size_t sent = 0;
  };

  enum class Sent { kAll, kSocketFull, kFailed };
  Sent SendBytes();
  Sent SendFile();
  void OnEvents(int status, int events);
  void ReadSome();
  void UpdateInterest();

  EventLoop& loop_;
  Owner& owner_;
  sapi::UniqueFd socket_;
  UvHandle<uv_poll_t> poll_;  // after socket_: destroyed before the descriptor is closed
  std::deque<std::variant<Bytes, FilePiece>> queue_;
  std::uint64_t sent_ = 0;
  int interest_ = 0;
  bool reading_ = false;
  bool ended_ = false;
  bool hung_up_ = false;  // the kernel has the client's end, perhaps behind bytes that wait unread
  bool broken_ = false;
};

}  // namespace ephpm::server
