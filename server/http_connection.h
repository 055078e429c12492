#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "config/config.h"
#include "sapi/exchange.h"
#include "sapi/http_head.h"
#include "sapi/request_body.h"
#include "server/access_log.h"
#include "server/error_page.h"
#include "server/event_loop.h"
#include "server/http_encoder.h"
#include "server/http_parser.h"
#include "server/response_writer.h"
#include "server/router.h"
#include "server/stream.h"

namespace ephpm::server {

/// What the connections of a loop work with. Everything in it outlives them.
struct HttpServices {
  EventLoop& loop;
  const config::Config& config;
  const Router& router;
  const HttpEncoder& encoder;
  sapi::RequestHandler& handler;
  AccessLog& access_log;
};

/// HTTP/1.1 and 1.0 with one client: one request at a time, each answered exactly once.
///
/// Belongs to its loop's thread. A request is parsed, routed and answered here (files, redirects,
/// errors) or handed to the RequestHandler as an Exchange; what the client sends meanwhile waits.
/// It never destroys itself: it asks its owner to, once.
class HttpConnection final : private Stream::Owner, private sapi::ExchangeOwner {
 public:
  using Clock = EventLoop::Clock;

  class Owner {
   public:
    virtual ~Owner() = default;
    /// Destroy `connection` in a later turn of the loop.
    virtual void Retire(HttpConnection& connection) = 0;
  };

  /// Throws UvError if the socket cannot be watched.
  HttpConnection(const HttpServices& services, Owner& owner, sapi::UniqueFd socket,
                 sapi::Peers peers);
  ~HttpConnection() override;

  /// Ends what has taken too long. To be called a few times a second.
  void OnTick(Clock::time_point now);
  /// No further request is wanted: ends at once if none is under way, else after its response.
  void Drain();
  /// Ends at once. The client sees that an unfinished response lacks bytes.
  void Close();

 private:
  /// How long a client may go on sending after an answer that it did not wait for.
  static constexpr std::chrono::milliseconds kLingerTime{5000};
  /// The same, and how long a new client may take to begin, while the server ends.
  static constexpr std::chrono::milliseconds kLingerTimeAtTheEnd{500};
  /// Bytes of further requests that wait in memory; beyond that the client's TCP window waits.
  static constexpr std::size_t kPipelineLimit = 64 * 1024;

  enum class State {
    kIdle,       ///< no byte of a request yet
    kHead,       ///< within a request head
    kBody,       ///< within the body of a request for a script
    kRunning,    ///< the handler has the exchange
    kWriting,    ///< a complete response waits for the client to take it
    kLingering,  ///< answered; reading on so that the client gets to read the answer
    kClosed,     ///< the owner was asked to destroy
  };

  void OnBytes(std::string_view bytes) override;
  void OnEnd() override;
  void OnDrained() override;
  void OnBroken() override;
  void OnExchangeReady(sapi::Exchange& exchange) override;

  bool AwaitsRequest() const;
  std::string_view Parse(std::string_view bytes);
  void ParseHeldBytes();
  void BeginRequest();
  void OnHead(bool body_bytes_follow);
  void OnRequestComplete();
  bool AppendBody();

  void Serve(StaticFile& file);
  void Serve(PhpScript& script);
  void Serve(Redirect& redirect);
  void Serve(Reject& reject);
  void Answer(const BuiltInResponse& response, Persistence wanted);
  void Refuse(int status, std::string_view why);
  void Submit();
  void StartScriptResponse(sapi::Exchange::Output& output);

  void FlushResponse();
  void FinishResponse();
  void NextRequest();
  void EndConnection();
  void AbortExchange();
  void LogRequest(int status);
  const sapi::RequestHead& request() const { return exchange_ ? exchange_->request() : request_; }
  Persistence persistence_after_request() const;

  const HttpServices& services_;
  Owner& owner_;
  const sapi::Peers peers_;
  Stream stream_;
  HttpParser parser_;
  ResponseWriter writer_;

  State state_ = State::kIdle;
  Clock::time_point deadline_;       // of kIdle, kHead, kBody, kLingering
  Clock::time_point stalled_since_;  // the client takes nothing since then
  std::uint64_t sent_at_last_tick_ = 0;
  std::string held_;  // bytes of further requests
  bool parsing_ = false;
  bool served_any_ = false;
  bool client_waited_for_ = false;  // bytes are queued since the last time that none were

  // Of the request under way.
  sapi::RequestHead request_;  // until it moves into exchange_
  sapi::RequestBody body_;
  std::shared_ptr<sapi::Exchange> exchange_;
  std::size_t unacknowledged_ = 0;  // body bytes taken from exchange_, not yet Sent
  bool request_complete_ = false;   // every byte of it was read
  Clock::time_point began_;
  std::chrono::system_clock::time_point began_at_;
};

}  // namespace ephpm::server
