#include "server/stream.h"

#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <utility>

namespace ephpm::server {
namespace {

/// Pieces of one sendmsg: chunk frames and bodies of several hand-overs, well under IOV_MAX.
constexpr std::size_t kPiecesPerSend = 16;
/// Bytes of one sendfile call.
constexpr std::size_t kFilePiece = 256 * 1024;
/// Bytes of a file after which other connections get their turn.
constexpr std::uint64_t kFileTurn = 1024 * 1024;

}  // namespace

Stream::Stream(EventLoop& loop, sapi::UniqueFd socket, Owner& owner)
    : loop_(loop), owner_(owner), socket_(std::move(socket)), poll_([&](uv_poll_t* handle) {
        handle->data = this;
        return uv_poll_init(loop.uv(), handle, socket_.get());
      }) {}

void Stream::SetReading(Reading reading) {
  reading_ = reading == Reading::kOn;
  UpdateInterest();
}

void Stream::Write(std::string bytes) {
  if (!bytes.empty()) queue_.emplace_back(Bytes{std::move(bytes)});
}

void Stream::WriteFile(sapi::UniqueFd file, std::uint64_t offset, std::uint64_t size) {
  if (size > 0) queue_.emplace_back(FilePiece{std::move(file), offset, size});
}

Stream::FlushResult Stream::Flush() {
  const std::uint64_t before = sent_;
  while (!broken_ && !queue_.empty()) {
    const Sent sent = std::holds_alternative<Bytes>(queue_.front()) ? SendBytes() : SendFile();
    if (sent == Sent::kFailed) broken_ = true;
    if (sent == Sent::kSocketFull || sent_ - before >= kFileTurn) break;
  }
  UpdateInterest();
  if (broken_) return FlushResult::kBroken;
  return queue_.empty() ? FlushResult::kDrained : FlushResult::kPending;
}

Stream::Sent Stream::SendBytes() {
  std::array<iovec, kPiecesPerSend> pieces;
  std::size_t count = 0;
  std::size_t wanted = 0;
  for (auto& element : queue_) {
    Bytes* piece = std::get_if<Bytes>(&element);
    if (piece == nullptr || count == pieces.size()) break;
    pieces[count++] = {piece->bytes.data() + piece->sent, piece->bytes.size() - piece->sent};
    wanted += piece->bytes.size() - piece->sent;
  }
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = count;
  // What follows is a file: let the kernel put its start into the same packet as the head.
  const int more = count < queue_.size() ? MSG_MORE : 0;
  ssize_t sent;
  do {
    sent = ::sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL | more);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0) {
    return errno == EAGAIN || errno == EWOULDBLOCK ? Sent::kSocketFull : Sent::kFailed;
  }
  sent_ += static_cast<std::uint64_t>(sent);
  std::size_t left = static_cast<std::size_t>(sent);
  while (left > 0) {
    Bytes& piece = std::get<Bytes>(queue_.front());
    const std::size_t taken = std::min(left, piece.bytes.size() - piece.sent);
    piece.sent += taken;
    left -= taken;
    if (piece.sent == piece.bytes.size()) queue_.pop_front();
  }
  return static_cast<std::size_t>(sent) == wanted ? Sent::kAll : Sent::kSocketFull;
}

Stream::Sent Stream::SendFile() {
  FilePiece& piece = std::get<FilePiece>(queue_.front());
  off_t offset = static_cast<off_t>(piece.offset);
  const std::size_t wanted =
      static_cast<std::size_t>(std::min<std::uint64_t>(piece.size, kFilePiece));
  ssize_t sent;
  do {
    sent = ::sendfile(socket_.get(), piece.file.get(), &offset, wanted);
  } while (sent < 0 && errno == EINTR);
  if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Sent::kSocketFull;
  // Zero: the file became shorter than its announced length. The client must see that bytes lack.
  if (sent <= 0) return Sent::kFailed;
  sent_ += static_cast<std::uint64_t>(sent);
  piece.offset += static_cast<std::uint64_t>(sent);
  piece.size -= static_cast<std::uint64_t>(sent);
  if (piece.size == 0) queue_.pop_front();
  return Sent::kAll;
}

bool Stream::HasInput() const {
  pollfd state{socket_.get(), POLLIN, 0};
  return !broken_ && ::poll(&state, 1, 0) > 0;
}

bool Stream::IsLost() const {
  if (broken_) return true;
  pollfd state{socket_.get(), 0, 0};
  // POLLHUP alone is no loss: it also stands for two halves that ended in good order.
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLNVAL)) != 0;
}

void Stream::EndWriting() {
  assert(drained());
  ::shutdown(socket_.get(), SHUT_WR);
}

void Stream::ResetOnClose() {
  const linger reset{1, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
}

void Stream::OnEvents(int status, int events) {
  if (status < 0) {
    broken_ = true;
    UpdateInterest();
    owner_.OnBroken();
    return;
  }
  if ((events & UV_WRITABLE) != 0 && !queue_.empty()) {
    const FlushResult result = Flush();
    if (result == FlushResult::kBroken) {
      owner_.OnBroken();
      return;
    }
    if (result == FlushResult::kDrained) owner_.OnDrained();
  }
  if ((events & UV_DISCONNECT) != 0) hung_up_ = true;
  if ((events & UV_READABLE) != 0 && reading_) ReadSome();
  UpdateInterest();
}

void Stream::ReadSome() {
  const auto buffer = loop_.read_buffer();
  ssize_t count;
  do {
    count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count > 0) {
    owner_.OnBytes({buffer.data(), static_cast<std::size_t>(count)});
  } else if (count == 0) {
    ended_ = true;
    owner_.OnEnd();
  } else if (errno != EAGAIN && errno != EWOULDBLOCK) {
    broken_ = true;
    owner_.OnBroken();
  }
}

void Stream::UpdateInterest() {
  int wanted = 0;
  if (!broken_) {
    if (reading_ && !ended_) {
      wanted |= UV_READABLE;
    } else if (!ended_ && !hung_up_) {
      wanted |= UV_DISCONNECT;  // so that a reset is noticed while nobody reads
    }
    if (!queue_.empty()) wanted |= UV_WRITABLE;
  }
  if (wanted == interest_) return;
  interest_ = wanted;
  if (wanted == 0) {
    uv_poll_stop(poll_.get());
    return;
  }
  uv_poll_start(poll_.get(), wanted, [](uv_poll_t* handle, int status, int events) noexcept {
    static_cast<Stream*>(handle->data)->OnEvents(status, events);
  });
}

}  // namespace ephpm::server
