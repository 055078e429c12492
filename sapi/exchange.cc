#include "sapi/exchange.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

namespace ephpm::sapi {
namespace {

/// Sends head and body with one call. Returns the bytes that the socket took; 0 if it took none or
/// is broken, in which case the loop finds out when it writes the rest.
std::size_t SendNow(int socket, std::string_view head, std::string_view body) {
  iovec parts[2] = {{const_cast<char*>(head.data()), head.size()},
                    {const_cast<char*>(body.data()), body.size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = body.empty() ? 1 : 2;
  ssize_t sent;
  do {
    sent = ::sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

}  // namespace

Exchange::Exchange(RequestHead request, RequestBody body, ExchangeOwner& owner, Mailbox& mailbox,
                   DirectSend direct)
    : request_(std::move(request)),
      body_(std::move(body)),
      mailbox_(mailbox),
      direct_(direct),
      owner_(&owner) {}

void Exchange::SetHead(ResponseHead head) {
  assert(!has_head_);
  head_ = std::move(head);
  has_head_ = true;
}

bool Exchange::Write(std::string_view bytes) {
  if (finish_called_) return true;
  pending_.append(bytes);
  if (pending_.size() >= kHandOverSize) return HandOver(std::nullopt);
  return !client_gone();
}

bool Exchange::Flush() {
  if (finish_called_) return true;
  if (!has_head_) return !client_gone();
  return HandOver(std::nullopt);
}

bool Exchange::HandOver(std::optional<Ending> ending) {
  assert(has_head_);
  {
    std::unique_lock lock(state_);
    writable_.wait(lock,
                   [&] { return client_gone() || out_.body.size() + in_flight_ <= kUnsentLimit; });
    if (client_gone()) {
      pending_.clear();
      return false;
    }
    if (!std::exchange(handed_over_, true)) {
      out_.has_head = true;
      out_.head = std::move(head_);
      out_.committed = !ending;
    } else if (pending_.empty() && !ending) {
      return true;
    }
    if (out_.body.empty()) {
      out_.body.swap(pending_);
    } else {
      out_.body.append(pending_);
    }
    pending_.clear();
    if (ending) {
      out_.finished = true;
      out_.ending = *ending;
    }
    if (std::exchange(notified_, true)) return true;
  }
  Notify();
  return true;
}

void Exchange::Finish(Ending ending) {
  if (std::exchange(finish_called_, true)) return;
  assert(has_head_);
  if (!handed_over_ && direct_.socket >= 0 && ending == Ending::kComplete) {
    SendDirectly();
  } else {
    HandOver(ending);
  }
}

void Exchange::SendDirectly() {
  std::string wire = direct_.encoder->EncodeHead(request_, head_, pending_.size());
  const std::size_t to_send = direct_.encoder->BodyToSend(request_, head_, pending_.size());
  const std::string_view body = std::string_view(pending_).substr(0, to_send);
  {
    std::lock_guard lock(state_);
    if (client_gone()) return;
    // Under the lock, because Abort promises that the socket is not touched afterwards.
    std::size_t sent = SendNow(direct_.socket, wire, body);
    const std::size_t from_head = std::min(sent, wire.size());
    wire.erase(0, from_head);
    sent -= from_head;
    if (sent < body.size()) wire.append(body.substr(sent));
    out_.sent_directly = true;
    out_.body_size = pending_.size();
    out_.head = std::move(head_);
    out_.wire = std::move(wire);
    out_.finished = true;
    notified_ = true;
  }
  Notify();
}

void Exchange::Notify() { mailbox_.Deliver(shared_from_this()); }

void Exchange::NotifyOwner() {
  {
    std::lock_guard lock(state_);
    notified_ = false;
  }
  if (owner_ != nullptr) owner_->OnExchangeReady(*this);
}

Exchange::Output Exchange::Take() {
  std::lock_guard lock(state_);
  in_flight_ += out_.body.size();
  Output taken = std::move(out_);
  out_ = Output{};
  out_.finished = taken.finished;
  out_.ending = taken.ending;
  return taken;
}

void Exchange::Sent(std::size_t bytes) {
  {
    std::lock_guard lock(state_);
    assert(bytes <= in_flight_);
    in_flight_ -= bytes;
  }
  writable_.notify_one();
}

void Exchange::Abort() {
  owner_ = nullptr;
  {
    std::lock_guard lock(state_);
    aborted_.store(true, std::memory_order_relaxed);
  }
  writable_.notify_one();
}

}  // namespace ephpm::sapi
