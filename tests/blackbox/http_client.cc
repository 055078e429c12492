#include "tests/blackbox/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace ephpm::blackbox {
namespace {

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A socket address of any family that we speak.
struct SocketAddress {
  explicit SocketAddress(const Endpoint& endpoint) {
    if (!endpoint.unix_path.empty()) {
      auto& address = reinterpret_cast<sockaddr_un&>(storage);
      address.sun_family = AF_UNIX;
      endpoint.unix_path.copy(address.sun_path, sizeof(address.sun_path) - 1);
      size = sizeof(address);
    } else if (endpoint.host.find(':') != std::string::npos) {
      auto& address = reinterpret_cast<sockaddr_in6&>(storage);
      address.sin6_family = AF_INET6;
      address.sin6_port = htons(endpoint.port);
      ::inet_pton(AF_INET6, endpoint.host.c_str(), &address.sin6_addr);
      size = sizeof(address);
    } else {
      auto& address = reinterpret_cast<sockaddr_in&>(storage);
      address.sin_family = AF_INET;
      address.sin_port = htons(endpoint.port);
      ::inet_pton(AF_INET, endpoint.host.c_str(), &address.sin_addr);
      size = sizeof(address);
    }
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }

  sockaddr_storage storage{};
  socklen_t size = 0;
};

[[noreturn]] void Fail(const std::string& what) {
  throw std::runtime_error("client: " + what + ": " + std::strerror(errno));
}

}  // namespace

Endpoint Endpoint::Parse(const std::string& text) {
  if (text.starts_with("unix:")) return {.host = {}, .port = 0, .unix_path = text.substr(5)};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) throw std::invalid_argument("not an endpoint: " + text);
  std::string host = text.substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  const int port = std::stoi(text.substr(colon + 1));
  return {.host = host, .port = static_cast<std::uint16_t>(port), .unix_path = {}};
}

std::string Response::Header(std::string_view name) const {
  for (const auto& [known, value] : headers) {
    if (EqualsIgnoringCase(known, name)) return value;
  }
  return {};
}

bool Response::Has(std::string_view name) const { return !All(name).empty(); }

std::vector<std::string> Response::All(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [known, value] : headers) {
    if (EqualsIgnoringCase(known, name)) values.push_back(value);
  }
  return values;
}

std::string Request::Encode() const {
  std::string bytes = method + ' ' + target + " HTTP/1.1\r\n";
  const auto has = [&](std::string_view name) {
    return std::any_of(headers.begin(), headers.end(),
                       [&](const auto& header) { return EqualsIgnoringCase(header.first, name); });
  };
  if (!has("Host")) bytes.append("Host: localhost\r\n");
  for (const auto& [name, value] : headers) bytes.append(name + ": " + value + "\r\n");
  const bool says_length = !body.empty() || method == "POST" || method == "PUT";
  if (says_length && !has("Content-Length") && !has("Transfer-Encoding")) {
    bytes.append("Content-Length: " + std::to_string(body.size()) + "\r\n");
  }
  return bytes + "\r\n" + body;
}

Client::Client(const Endpoint& endpoint) : Client(endpoint, Options()) {}

Client::Client(const Endpoint& endpoint, Options options) : patience_(options.patience) {
  const SocketAddress address(endpoint);
  socket_ = ::socket(address.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) Fail("socket");
  if (options.receive_buffer > 0) {
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &options.receive_buffer,
                 sizeof(options.receive_buffer));
  }
  if (::connect(socket_, address.get(), address.size) != 0) {
    const int error = errno;
    ::close(socket_);
    errno = error;
    Fail("connect");
  }
}

Client::Client(Client&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      patience_(other.patience_),
      input_(std::move(other.input_)),
      reset_(other.reset_),
      remaining_(other.remaining_) {}

Client::~Client() {
  if (socket_ >= 0) ::close(socket_);
}

bool Client::WaitFor(short events, std::chrono::milliseconds patience) const {
  pollfd entry{socket_, events, 0};
  int ready;
  do {
    ready = ::poll(&entry, 1, static_cast<int>(patience.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

void Client::Send(std::string_view bytes) {
  if (!TrySend(bytes)) throw std::runtime_error("client: the server closed while we sent");
}

bool Client::TrySend(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!WaitFor(POLLOUT, patience_)) throw std::runtime_error("client: the server takes nothing");
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Client::FinishSending() { ::shutdown(socket_, SHUT_WR); }

void Client::Reset() {
  const linger now{1, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  ::close(std::exchange(socket_, -1));
}

Client::Received Client::Receive() {
  std::array<char, 65536> buffer;
  for (;;) {
    if (!WaitFor(POLLIN, patience_)) throw std::runtime_error("client: nothing came in time");
    const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) reset_ = true;
    if (count <= 0) return Received::kEnd;
    input_.append(buffer.data(), static_cast<std::size_t>(count));
    return Received::kBytes;
  }
}

std::optional<std::string> Client::ReadLine() {
  std::size_t searched = 0;
  for (;;) {
    const std::size_t end = input_.find("\r\n", searched);
    if (end != std::string::npos) {
      std::string line = input_.substr(0, end);
      input_.erase(0, end + 2);
      return line;
    }
    searched = input_.empty() ? 0 : input_.size() - 1;
    if (Receive() == Received::kEnd) return std::nullopt;
  }
}

Response Client::ReadHead(std::string_view method) {
  Response response;
  const std::optional<std::string> status_line = ReadLine();
  if (!status_line) throw std::runtime_error("client: the server closed instead of answering");
  if (!status_line->starts_with("HTTP/1.") || status_line->size() < 12) {
    throw std::runtime_error("client: not a status line: " + *status_line);
  }
  response.version = status_line->substr(0, 8);
  response.status = std::stoi(status_line->substr(9, 3));
  if (status_line->size() > 13) response.reason = status_line->substr(13);
  for (;;) {
    const std::optional<std::string> line = ReadLine();
    if (!line) throw std::runtime_error("client: the server closed within a head");
    if (line->empty()) break;
    const std::size_t colon = line->find(':');
    if (colon == std::string::npos) throw std::runtime_error("client: not a header: " + *line);
    response.headers.emplace_back(line->substr(0, colon),
                                  std::string(Trim(std::string_view(*line).substr(colon + 1))));
  }
  if (response.status < 200 || response.status == 204 || response.status == 304 ||
      method == "HEAD") {
    response.framing = Framing::kNone;
  } else if (EqualsIgnoringCase(response.Header("Transfer-Encoding"), "chunked")) {
    response.framing = Framing::kChunked;
  } else if (response.Has("Content-Length")) {
    response.framing = Framing::kLength;
    remaining_ = std::stoull(response.Header("Content-Length"));
  } else {
    response.framing = Framing::kUntilClose;
  }
  return response;
}

std::optional<std::string> Client::ReadPiece(Response& head, std::size_t limit) {
  if (head.framing == Framing::kNone) return std::nullopt;
  if (head.framing == Framing::kChunked) {
    const std::optional<std::string> size_line = ReadLine();
    if (!size_line) {
      head.cut = true;
      return std::nullopt;
    }
    const std::size_t size = std::stoull(*size_line, nullptr, 16);
    while (input_.size() < size + 2) {
      if (Receive() == Received::kEnd) {
        head.cut = true;
        return std::exchange(input_, {});
      }
    }
    std::string chunk = input_.substr(0, size);
    if (input_.compare(size, 2, "\r\n") != 0) throw std::runtime_error("client: chunk without end");
    input_.erase(0, size + 2);
    if (size == 0) return std::nullopt;
    return chunk;
  }
  if (head.framing == Framing::kLength && remaining_ == 0) return std::nullopt;
  if (input_.empty() && Receive() == Received::kEnd) {
    head.cut = head.framing == Framing::kLength || reset_;
    return std::nullopt;
  }
  std::size_t size = std::min(limit, input_.size());
  if (head.framing == Framing::kLength) size = std::min<std::uint64_t>(size, remaining_);
  std::string piece = input_.substr(0, size);
  input_.erase(0, size);
  if (head.framing == Framing::kLength) remaining_ -= size;
  return piece;
}

Response Client::ReadResponse(std::string_view method) {
  Response response = ReadHead(method);
  while (response.status < 200 && response.status != 101) response = ReadHead(method);
  while (const std::optional<std::string> piece = ReadPiece(response)) {
    response.body.append(*piece);
    if (response.cut) break;
  }
  return response;
}

Response Client::Exchange(const Request& request) {
  Send(request.Encode());
  return ReadResponse(request.method);
}

std::string Client::ReadToEnd() {
  while (Receive() == Received::kBytes) {
  }
  return std::exchange(input_, {});
}

bool Client::IsClosed() {
  if (!input_.empty()) return false;
  return WaitFor(POLLIN, patience_) && Receive() == Received::kEnd;
}

bool Client::HasInput(std::chrono::milliseconds wait) {
  return !input_.empty() || WaitFor(POLLIN, wait);
}

Response Fetch(const Endpoint& endpoint, const Request& request) {
  return Client(endpoint).Exchange(request);
}

Response Get(const Endpoint& endpoint, const std::string& target, Headers headers) {
  return Fetch(endpoint, {.target = target, .headers = std::move(headers)});
}

void InParallel(int count, const std::function<void(int)>& work) {
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

std::vector<Response> FetchInParallel(const Endpoint& endpoint, const Request& request, int count) {
  std::vector<Response> responses(static_cast<std::size_t>(count));
  InParallel(count,
             [&](int i) { responses[static_cast<std::size_t>(i)] = Fetch(endpoint, request); });
  return responses;
}

MultipartBody& MultipartBody::Field(std::string_view name, std::string_view value) {
  parts_.append("--").append(kBoundary).append("\r\nContent-Disposition: form-data; name=\"");
  parts_.append(name).append("\"\r\n\r\n").append(value).append("\r\n");
  return *this;
}

MultipartBody& MultipartBody::File(std::string_view name, std::string_view file_name,
                                   std::string_view content, std::string_view type) {
  parts_.append("--").append(kBoundary).append("\r\nContent-Disposition: form-data; name=\"");
  parts_.append(name).append("\"; filename=\"").append(file_name).append("\"\r\nContent-Type: ");
  parts_.append(type).append("\r\n\r\n").append(content).append("\r\n");
  return *this;
}

std::string MultipartBody::Encode() const {
  return parts_ + "--" + std::string(kBoundary) + "--\r\n";
}

std::string MultipartBody::ContentType() {
  return "multipart/form-data; boundary=" + std::string(kBoundary);
}

}  // namespace ephpm::blackbox
