#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "sapi/http_head.h"
#include "sapi/request_body.h"

namespace ephpm::sapi {

class Exchange;

/// How a response ended.
enum class Ending {
  kComplete,  ///< every byte that the script meant to send is there
  kBroken,    ///< the script died after the head was sent: the client must see that bytes lack
};

/// What a request cost. Written by the PHP thread before Finish, read by the loop after it.
struct Usage {
  std::chrono::nanoseconds queued{0};  ///< from Submit until a PHP thread took it
  std::chrono::nanoseconds php{0};     ///< from there until Finish
  std::size_t peak_memory = 0;         ///< bytes, PHP's own measure
};

/// The loop's half of an Exchange. Implemented by a connection; called on its loop thread.
class ExchangeOwner {
 public:
  virtual ~ExchangeOwner() = default;
  /// There is something to Take.
  virtual void OnExchangeReady(Exchange& exchange) = 0;
};

/// Carries an Exchange back to its loop. Safe from any thread; outlives every Exchange.
class Mailbox {
 public:
  virtual ~Mailbox() = default;
  /// The loop will call exchange->NotifyOwner() soon. Never blocks.
  virtual void Deliver(std::shared_ptr<Exchange> exchange) noexcept = 0;
};

/// Turns a complete response into bytes for the wire. Safe from any thread; outlives every
/// Exchange.
class CompleteEncoder {
 public:
  virtual ~CompleteEncoder() = default;
  /// The encoded head of a response whose whole body is `body_size` bytes.
  virtual std::string EncodeHead(const RequestHead& request, const ResponseHead& response,
                                 std::size_t body_size) const = 0;
  /// False if a response to `request` carries no body (HEAD, 204, 304).
  virtual bool CarriesBody(const RequestHead& request, const ResponseHead& response) const = 0;
  /// How many of the `body_size` bytes follow that head: all of them, unless the response carries
  /// no body or the script declared a smaller Content-Length.
  virtual std::size_t BodyToSend(const RequestHead& request, const ResponseHead& response,
                                 std::size_t body_size) const {
    return CarriesBody(request, response) ? body_size : 0;
  }
};

/// One request and its response, between a loop thread and a PHP thread.
///
/// The only shared object of the two: the loop makes it, Submits it, and Takes output from it; the
/// PHP thread reads the request, writes the response and Finishes. Either side may be gone first:
/// the loop says so with Abort, the PHP thread with Finish. Methods name the thread they belong to.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  using Clock = std::chrono::steady_clock;

  /// Unsent bytes at which Write makes the script wait: enough to keep a fast client's socket busy,
  /// small enough that a thousand slow ones cost 64 MB.
  static constexpr std::size_t kUnsentLimit = 64 * 1024;
  /// Output is handed to the loop in pieces of about this size unless the script flushes.
  static constexpr std::size_t kHandOverSize = 32 * 1024;

  /// How a small complete response goes out without a hop: the PHP thread writes it to this socket.
  /// A socket of -1 (TLS, HTTP/2, tests) sends everything through the loop.
  struct DirectSend {
    int socket = -1;
    const CompleteEncoder* encoder = nullptr;
  };

  Exchange(RequestHead request, RequestBody body, ExchangeOwner& owner, Mailbox& mailbox,
           DirectSend direct);

  // ---- Both sides: unchanging after construction.

  const RequestHead& request() const { return request_; }
  /// When the loop had the whole request, and the same moment as wall-clock time.
  Clock::time_point made() const { return made_; }
  std::chrono::system_clock::time_point made_at() const { return made_at_; }

  // ---- PHP thread.

  RequestBody& body() { return body_; }
  Usage& usage() { return usage_; }
  /// Sets the head. It travels with the first output, with Flush, or with Finish.
  /// Requires: not called before.
  void SetHead(ResponseHead head);
  bool has_head() const { return has_head_; }
  /// Adds body bytes. Waits while more than kUnsentLimit bytes are unsent. False: the client is
  /// gone.
  bool Write(std::string_view bytes);
  /// Hands what is written so far, at least the head, to the client. False: the client is gone.
  bool Flush();
  /// Ends the response. Requires: has_head(). Nothing is written afterwards; a second call is
  /// ignored.
  void Finish(Ending ending);
  bool finished() const { return finish_called_; }
  bool client_gone() const { return aborted_.load(std::memory_order_relaxed); }

  // ---- Loop thread.

  /// What the PHP thread produced since the last Take.
  struct Output {
    bool has_head = false;  ///< `head` is set: the first Take of a response that was not sent
    ResponseHead head;
    /// With `head`: the script has sent it on purpose, by flushing or by writing more than is
    /// collected; it cannot be taken back.
    bool committed = false;
    std::string body;             ///< body bytes, not encoded
    std::string wire;             ///< encoded bytes that a direct send could not get rid of
    bool sent_directly = false;   ///< head and body went out by the PHP thread, but for `wire`
    std::uint64_t body_size = 0;  ///< with sent_directly: body bytes that the script wrote
    bool finished = false;
    Ending ending = Ending::kComplete;
  };
  Output Take();
  /// `bytes` of body that were taken have reached the socket: lets a waiting script go on.
  void Sent(std::size_t bytes);
  /// The client is gone, or has been answered otherwise. The script learns at its next Write; the
  /// owner is not called any more, and the socket is not touched any more. May be called twice.
  void Abort();
  /// The response has been taken to its end: the owner is not called any more. What the script does
  /// after its Finish goes on undisturbed.
  void Release() { owner_ = nullptr; }
  /// Called by the loop for a Mailbox delivery.
  void NotifyOwner();
  const Usage& final_usage() const { return usage_; }

 private:
  bool HandOver(std::optional<Ending> ending);
  void SendDirectly();
  void Notify();

  const RequestHead request_;
  RequestBody body_;
  const Clock::time_point made_ = Clock::now();
  const std::chrono::system_clock::time_point made_at_ = std::chrono::system_clock::now();
  Mailbox& mailbox_;
  const DirectSend direct_;
  ExchangeOwner* owner_;  // loop thread only; null after Abort or Release

  // PHP thread only.
  Usage usage_;
  ResponseHead head_;    // moved to out_ at the first hand-over
  std::string pending_;  // written, not yet handed over
  bool has_head_ = false;
  bool handed_over_ = false;
  bool finish_called_ = false;

  // Written by the loop under state_, read by the PHP thread at any time.
  std::atomic<bool> aborted_{false};

  mutable std::mutex state_;  // leaf: held for moves of strings and one non-blocking send
  std::condition_variable writable_;
  Output out_;                 // guarded by state_
  std::size_t in_flight_ = 0;  // guarded by state_: taken, not yet Sent
  bool notified_ = false;      // guarded by state_: a delivery is under way
};

/// Takes submitted requests. Implemented by the PHP pool, and by tests.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  /// Queues the exchange. Safe from any thread; never blocks. False if the queue is full or the
  /// handler is stopping: the exchange was not taken and the caller answers the client.
  virtual bool Submit(std::shared_ptr<Exchange> exchange) = 0;
};

}  // namespace ephpm::sapi
