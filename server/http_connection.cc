#include "server/http_connection.h"

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <variant>

#include "server/admin.h"

namespace ephpm::server {
namespace {

/// Logged for a client that went away before there was an answer, as nginx does.
constexpr int kClientGone = 499;

}  // namespace

HttpConnection::HttpConnection(const HttpServices& services, Owner& owner, sapi::UniqueFd socket,
                               sapi::Peers peers)
    : services_(services),
      owner_(owner),
      peers_(std::move(peers)),
      stream_(services.loop, std::move(socket), *this),
      parser_(services.config.limits),
      writer_(stream_, services.encoder),
      deadline_(services.loop.now() + services.config.timeouts.header) {
  stream_.SetReading(Stream::Reading::kOn);
}

HttpConnection::~HttpConnection() {
  AbortExchange();  // before the socket is closed: the PHP thread may be about to write to it
}

void HttpConnection::AbortExchange() {
  // After its end a script may still be at work (fastcgi_finish_request); it is left in peace.
  if (exchange_ && !writer_.ended()) exchange_->Abort();
}

// ---- Bytes of requests.

bool HttpConnection::AwaitsRequest() const {
  return state_ == State::kIdle || state_ == State::kHead || state_ == State::kBody;
}

void HttpConnection::OnBytes(std::string_view bytes) {
  if (AwaitsRequest()) bytes = Parse(bytes);
  if (stream_.ended() && AwaitsRequest()) OnEnd();
  if (state_ != State::kRunning && state_ != State::kWriting) return;
  held_.append(bytes);
  if (held_.size() >= kPipelineLimit) stream_.SetReading(Stream::Reading::kOff);
}

/// Returns what belongs to later requests.
std::string_view HttpConnection::Parse(std::string_view bytes) {
  parsing_ = true;
  while (AwaitsRequest() && !bytes.empty()) {
    const HttpParser::Step step = parser_.Feed(bytes);
    bytes.remove_prefix(step.consumed);
    if (state_ == State::kIdle && parser_.started()) BeginRequest();
    if (state_ == State::kBody) {
      deadline_ = services_.loop.now() + services_.config.timeouts.body;
      if (!AppendBody()) break;
    }
    if (step.event == HttpParser::Event::kError) {
      if (state_ != State::kBody) request_ = parser_.TakeHead();
      Refuse(parser_.error().status, parser_.error().why);
    } else if (step.event == HttpParser::Event::kHead) {
      OnHead(!bytes.empty());
    } else if (step.event == HttpParser::Event::kComplete) {
      OnRequestComplete();
    }
  }
  parsing_ = false;
  return bytes;
}

void HttpConnection::ParseHeldBytes() {
  std::string bytes = std::exchange(held_, {});
  stream_.SetReading(Stream::Reading::kOn);
  OnBytes(bytes);
}

void HttpConnection::BeginRequest() {
  state_ = State::kHead;
  began_ = Clock::now();
  began_at_ = std::chrono::system_clock::now();
  deadline_ = services_.loop.now() + services_.config.timeouts.header;
}

void HttpConnection::OnHead(bool body_bytes_follow) {
  request_ = parser_.TakeHead();
  request_.peers = peers_;
  request_complete_ = !parser_.has_body();
  const Readiness readiness =
      services_.encoder.draining() ? Readiness::kDraining : Readiness::kReady;
  if (const auto answer = AnswerAdmin(request_.method, request_.target, readiness)) {
    Answer(*answer, persistence_after_request());
    return;
  }
  Route route = services_.router.Resolve(request_.method, request_.target);
  std::visit([this](auto& goal) { Serve(goal); }, route);
  if (state_ != State::kBody || !parser_.expects_continue() || body_bytes_follow) return;
  stream_.Write(std::string(kContinue));
  if (stream_.Flush() == Stream::FlushResult::kBroken) Close();
}

void HttpConnection::OnRequestComplete() {
  request_complete_ = true;
  Submit();
}

bool HttpConnection::AppendBody() {
  for (const std::string_view piece : parser_.body()) {
    if (body_.Append(piece)) continue;
    spdlog::error("cannot keep a request body in {}: {}", services_.config.php.temp_dir,
                  std::strerror(errno));
    Refuse(500, "request body cannot be kept");
    return false;
  }
  return true;
}

void HttpConnection::OnEnd() {
  if (state_ == State::kIdle || state_ == State::kLingering) {
    Close();
  } else if (state_ == State::kHead || state_ == State::kBody) {
    if (state_ == State::kHead) request_ = parser_.TakeHead();
    Refuse(400, "the request ends early");
  }
  // Otherwise the client has only ended its half and waits for the answer.
}

// ---- Answers.

void HttpConnection::Serve(StaticFile& file) {
  StaticResponse response = DescribeStaticFile(file, request_);
  writer_.Start(request_, response.head, response.length, persistence_after_request());
  writer_.File(std::move(file.file), response.offset, response.length);
  writer_.End(sapi::Ending::kComplete);
  FlushResponse();
}

void HttpConnection::Serve(PhpScript& script) {
  request_.script = std::move(script.script);
  request_.query = std::move(script.query);
  if (request_complete_) {
    body_ = sapi::RequestBody();
    Submit();
    return;
  }
  state_ = State::kBody;
  deadline_ = services_.loop.now() + services_.config.timeouts.body;
  body_ = sapi::RequestBody(services_.config.limits.body_memory, services_.config.php.temp_dir);
}

void HttpConnection::Serve(Redirect& redirect) {
  Answer(RedirectPage(redirect.status, redirect.location), persistence_after_request());
}

void HttpConnection::Serve(Reject& reject) {
  Answer(ErrorPage(reject.status, reject.allow), persistence_after_request());
}

Persistence HttpConnection::persistence_after_request() const {
  // A body that nobody reads would have to be read over before the next request.
  return request_complete_ ? Persistence::kKeepAlive : Persistence::kClose;
}

void HttpConnection::Answer(const BuiltInResponse& response, Persistence wanted) {
  writer_.Start(request(), response.head, response.body.size(), wanted);
  writer_.Body(response.body);
  writer_.End(sapi::Ending::kComplete);
  FlushResponse();
}

void HttpConnection::Refuse(int status, std::string_view why) {
  spdlog::debug("{} for {}: {}", status, peers_.remote_address, why);
  request_.peers = peers_;
  request_complete_ = false;
  Answer(ErrorPage(status), Persistence::kClose);
}

void HttpConnection::Submit() {
  // Only if nothing is queued: else the PHP thread's bytes would overtake.
  sapi::Exchange::DirectSend direct;
  if (stream_.drained()) direct = {stream_.socket(), &services_.encoder};
  state_ = State::kRunning;
  sapi::ExchangeOwner& owner = *this;
  exchange_ = std::make_shared<sapi::Exchange>(std::move(request_), std::move(body_), owner,
                                               services_.loop, direct);
  if (services_.handler.Submit(exchange_)) return;
  Answer(ErrorPage(503), Persistence::kKeepAlive);
}

void HttpConnection::OnExchangeReady(sapi::Exchange& exchange) {
  if (state_ != State::kRunning) return;  // the end was taken together with what came before it
  sapi::Exchange::Output output = exchange.Take();
  if (output.sent_directly) {
    writer_.NoteDirect(exchange.request(), output.head, output.body_size);
    stream_.Write(std::move(output.wire));
  } else {
    unacknowledged_ += output.body.size();
    if (output.has_head) StartScriptResponse(output);
    if (writer_.started()) writer_.Body(std::move(output.body));
    if (output.finished) writer_.End(output.ending);
  }
  if (writer_.ended()) exchange.Release();
  FlushResponse();
}

void HttpConnection::StartScriptResponse(sapi::Exchange::Output& output) {
  const bool broken = output.finished && output.ending == sapi::Ending::kBroken;
  std::optional<std::uint64_t> size;
  if (output.finished && !(broken && output.committed)) size = output.body.size();
  if (broken && !output.committed) {
    // Nothing has left yet, so the truth can still be told: it is an error, with what there is.
    if (output.head.status < 400) {
      output.head.status = 500;
      output.head.reason.clear();
    }
    output.head.headers.Remove("Content-Length");
    output.ending = sapi::Ending::kComplete;
  }
  writer_.Start(exchange_->request(), output.head, size, Persistence::kKeepAlive);
}

// ---- Ends.

void HttpConnection::FlushResponse() {
  switch (stream_.Flush()) {
    case Stream::FlushResult::kBroken:
      OnBroken();
      return;
    case Stream::FlushResult::kPending:
      if (!std::exchange(client_waited_for_, true)) {
        stalled_since_ = services_.loop.now();
        sent_at_last_tick_ = stream_.sent();
      }
      if (writer_.ended()) state_ = State::kWriting;
      return;
    case Stream::FlushResult::kDrained:
      OnDrained();
  }
}

void HttpConnection::OnDrained() {
  client_waited_for_ = false;
  if (exchange_ && unacknowledged_ > 0) exchange_->Sent(std::exchange(unacknowledged_, 0));
  if (writer_.ended()) FinishResponse();
}

void HttpConnection::FinishResponse() {
  LogRequest(writer_.status());
  exchange_.reset();
  const bool reset = writer_.needs_reset();
  const bool next = writer_.persistence() == Persistence::kKeepAlive && request_complete_;
  writer_.Clear();
  if (reset) {
    stream_.ResetOnClose();
    Close();
  } else if (next && !services_.encoder.draining()) {
    NextRequest();
  } else {
    EndConnection();
  }
}

void HttpConnection::NextRequest() {
  served_any_ = true;
  parser_.Restart();
  request_ = {};
  request_complete_ = false;
  state_ = State::kIdle;
  deadline_ = services_.loop.now() + services_.config.timeouts.idle;
  // Within Parse its loop goes on with what is there; otherwise that was put aside.
  if (!parsing_) ParseHeldBytes();
}

void HttpConnection::EndConnection() {
  stream_.EndWriting();
  if (stream_.ended()) {
    Close();
    return;
  }
  // Closing while the client still sends would reset the connection, and the reset may overtake the
  // answer. So what comes is read over until the client has seen the end of this half.
  state_ = State::kLingering;
  held_.clear();
  deadline_ =
      services_.loop.now() + (services_.encoder.draining() ? kLingerTimeAtTheEnd : kLingerTime);
  stream_.SetReading(Stream::Reading::kOn);
}

void HttpConnection::OnBroken() {
  if (state_ == State::kClosed) return;
  if (exchange_ || writer_.started())
    LogRequest(writer_.started() ? writer_.status() : kClientGone);
  Close();
}

void HttpConnection::Drain() {
  // A request that the kernel already has is still served, and so is the first one of a client who
  // has just been let in.
  if (state_ == State::kIdle && served_any_ && !stream_.HasInput()) {
    Close();
  } else if (state_ == State::kIdle || state_ == State::kLingering) {
    deadline_ = services_.loop.now() + kLingerTimeAtTheEnd;
  }
}

void HttpConnection::Close() {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  AbortExchange();
  stream_.SetReading(Stream::Reading::kOff);
  owner_.Retire(*this);
}

void HttpConnection::OnTick(Clock::time_point now) {
  const config::TimeoutsConfig& timeouts = services_.config.timeouts;
  if (!stream_.drained()) {
    if (stream_.sent() != sent_at_last_tick_) {
      sent_at_last_tick_ = stream_.sent();
      stalled_since_ = now;
    } else if (now - stalled_since_ >= timeouts.write) {
      stream_.ResetOnClose();
      OnBroken();
      return;
    }
  }
  if (state_ == State::kRunning && stream_.ended() && stream_.IsLost()) OnBroken();
  if ((!AwaitsRequest() && state_ != State::kLingering) || now < deadline_) return;
  if (state_ == State::kIdle || state_ == State::kLingering) {
    Close();
  } else {
    if (state_ == State::kHead) request_ = parser_.TakeHead();
    Refuse(408, "the client takes too long to send its request");
  }
}

void HttpConnection::LogRequest(int status) {
  AccessRecord record{request(), status, writer_.body_bytes(), began_at_, Clock::now() - began_,
                      {}};
  if (exchange_ && writer_.ended()) record.usage = exchange_->final_usage();
  services_.access_log.Write(record);
}

}  // namespace ephpm::server
