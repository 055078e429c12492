#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sapi/exchange.h"
#include "sapi/http_head.h"
#include "server/http_encoder.h"
#include "server/stream.h"

namespace ephpm::server {

/// Puts one response after the other on a stream, each in the framing that its head announced.
///
/// Belongs to its connection. It queues; the connection flushes. It never sends more body than was
/// announced, and remembers what the connection may do when the response is out.
class ResponseWriter {
 public:
  ResponseWriter(Stream& stream, const HttpEncoder& encoder) : stream_(stream), encoder_(encoder) {}

  /// Begins a response. `body_size` is the length of the body if it is known.
  /// Requires: the response before it has ended and Clear was called.
  void Start(const sapi::RequestHead& request, const sapi::ResponseHead& response,
             std::optional<std::uint64_t> body_size, Persistence wanted);
  /// Adds to the body; what the response cannot carry is dropped.
  void Body(std::string bytes);
  void File(sapi::UniqueFd file, std::uint64_t offset, std::uint64_t size);
  /// Ends the response. A broken one ends so that the client sees that bytes lack.
  void End(sapi::Ending ending);

  /// Takes note of a response that the PHP thread sent itself.
  void NoteDirect(const sapi::RequestHead& request, const sapi::ResponseHead& response,
                  std::uint64_t body_size);

  bool started() const { return started_; }
  bool ended() const { return ended_; }
  int status() const { return status_; }
  /// Body bytes of the response, without chunk frames.
  std::uint64_t body_bytes() const { return body_bytes_; }
  /// What the connection does afterwards. Valid once ended().
  Persistence persistence() const { return persistence_; }
  /// The end of the connection must be a reset, as an orderly one would look like a complete body.
  bool needs_reset() const { return needs_reset_; }
  void Clear();

 private:
  Stream& stream_;
  const HttpEncoder& encoder_;
  Framing framing_ = Framing::kNoBody;
  Persistence persistence_ = Persistence::kClose;
  std::uint64_t left_ = 0;  // with kLength: announced bytes that were not given yet
  std::uint64_t body_bytes_ = 0;
  int status_ = 0;
  bool started_ = false;
  bool ended_ = false;
  bool overlong_ = false;  // the script gave more than it had declared
  bool needs_reset_ = false;
};

}  // namespace ephpm::server
