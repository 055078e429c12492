#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sapi/exchange.h"
#include "sapi/http_head.h"

namespace ephpm::server {

/// How the end of a body is told to the client.
enum class Framing {
  kNoBody,      ///< there is none: HEAD, 204, 304
  kLength,      ///< Content-Length
  kChunked,     ///< chunks; the last one is the proof of completeness
  kUntilClose,  ///< the end of the connection: HTTP/1.0 without a known length
};

/// Whether the connection serves another request after this one.
enum class Persistence { kKeepAlive, kClose };

/// The bytes of a response head, and what they promise.
struct EncodedHead {
  std::string bytes;
  Framing framing = Framing::kNoBody;
  std::uint64_t length = 0;  ///< with kLength: the body bytes that follow
  Persistence persistence = Persistence::kClose;
};

/// What is sent for a script's status: itself, or 500 for an interim (1xx) one, after which a
/// client would wait for the real answer, and for what is no status at all.
int FinalStatus(int status);

/// The standard phrase of a status, "Unknown" if it has none.
std::string_view StandardReason(int status);

/// Whether the client's words allow another request on the connection: the Connection header and
/// the default of the version.
bool WantsKeepAlive(const sapi::RequestHead& request);

/// Turns response heads into HTTP/1 bytes.
///
/// The script's hop-by-hop fields are dropped, as are fields that would break the framing; the
/// framing and Connection are decided here. A Content-Length of the script is kept: if the body has
/// another length the connection does not outlive the response. Safe from any thread.
class HttpEncoder final : public sapi::CompleteEncoder {
 public:
  /// A head whose body is `body_size` bytes long, or of unknown length. `wanted` kClose says
  /// Connection: close whatever the client asked for.
  EncodedHead Encode(const sapi::RequestHead& request, const sapi::ResponseHead& response,
                     std::optional<std::uint64_t> body_size, Persistence wanted) const;

  std::string EncodeHead(const sapi::RequestHead& request, const sapi::ResponseHead& response,
                         std::size_t body_size) const override;
  bool CarriesBody(const sapi::RequestHead& request,
                   const sapi::ResponseHead& response) const override;
  std::size_t BodyToSend(const sapi::RequestHead& request, const sapi::ResponseHead& response,
                         std::size_t body_size) const override;
  /// What the head of EncodeHead promised.
  Persistence CompletePersistence(const sapi::RequestHead& request,
                                  const sapi::ResponseHead& response, std::size_t body_size) const;

  /// From here on every response says Connection: close.
  void StartDraining() { draining_.store(true); }
  bool draining() const { return draining_.load(); }

 private:
  std::atomic<bool> draining_{false};
};

/// The frame before a chunk of `size` bytes. Requires: size > 0.
std::string ChunkStart(std::size_t size);
/// The frame after a chunk.
inline constexpr std::string_view kChunkEnd = "\r\n";
/// The frame after the last chunk.
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";
/// The interim answer to Expect: 100-continue.
inline constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace ephpm::server
