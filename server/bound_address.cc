#include "server/bound_address.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "config/listen_address.h"

namespace ephpm::server {
namespace {

enum class Stack { kOne, kBoth };
enum class Sharing { kAlone, kSharedByLoops };

/// A socket address that can be bound or connected to.
struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  Stack stack = Stack::kOne;

  int family() const { return storage.ss_family; }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

std::string Reason(int error) { return std::strerror(error); }

/// Requires: `path` fits, as ParseListenAddress checks.
SocketAddress UnixAddress(const std::string& path) {
  SocketAddress result;
  auto& name = reinterpret_cast<sockaddr_un&>(result.storage);
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, path.data(), path.size());
  result.size = sizeof name;
  return result;
}

SocketAddress Ipv6Address(const std::string& host, std::uint16_t port, Stack stack) {
  SocketAddress result;
  auto& name = reinterpret_cast<sockaddr_in6&>(result.storage);
  name.sin6_family = AF_INET6;
  name.sin6_port = htons(port);
  ::inet_pton(AF_INET6, host.c_str(), &name.sin6_addr);
  result.size = sizeof name;
  result.stack = stack;
  return result;
}

SocketAddress Ipv4Address(const std::string& host, std::uint16_t port) {
  SocketAddress result;
  auto& name = reinterpret_cast<sockaddr_in&>(result.storage);
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  ::inet_pton(AF_INET, host.c_str(), &name.sin_addr);
  result.size = sizeof name;
  return result;
}

SocketAddress ToSocketAddress(const config::ListenAddress& address) {
  using Family = config::ListenAddress::Family;
  switch (address.family) {
    case Family::kUnix:
      return UnixAddress(address.path);
    case Family::kIpv4:
      return Ipv4Address(address.host, address.port);
    case Family::kIpv6:
      return Ipv6Address(address.host, address.port, Stack::kOne);
    case Family::kAny:
      break;
  }
  return Ipv6Address("::", address.port, Stack::kBoth);
}

void SetOption(int socket, int level, int option, int value) {
  ::setsockopt(socket, level, option, &value, sizeof value);
}

/// A bound TCP socket, or an empty one with errno set.
sapi::UniqueFd BindTcp(const SocketAddress& address, Sharing sharing) {
  sapi::UniqueFd socket(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return socket;
  SetOption(socket.get(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (sharing == Sharing::kSharedByLoops) SetOption(socket.get(), SOL_SOCKET, SO_REUSEPORT, 1);
  if (address.family() == AF_INET6) {
    SetOption(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, address.stack == Stack::kBoth ? 0 : 1);
  }
  // Linux hands it on to accepted sockets, which saves a call for each.
  SetOption(socket.get(), IPPROTO_TCP, TCP_NODELAY, 1);
  if (::bind(socket.get(), address.get(), address.size) != 0) {
    const int error = errno;
    socket.Reset();
    errno = error;
  }
  return socket;
}

/// Learns the port that the kernel chose.
void ReadBack(int socket, SocketAddress& address) {
  address.size = sizeof address.storage;
  ::getsockname(socket, address.get(), &address.size);
}

std::string NameOf(const SocketAddress& address) {
  std::string text;
  std::uint16_t port = 0;
  DescribeAddress(address.storage, text, port);
  const bool bracketed = text.find(':') != std::string::npos;
  return (bracketed ? "[" + text + "]" : text) + ":" + std::to_string(port);
}

BoundAddress BindTcpAddress(const std::string& text, SocketAddress address, std::uint16_t port,
                            std::size_t loops) {
  // Alone first, also for several loops: with SO_REUSEPORT a second server would quietly get half
  // of the first one's connections instead of an error.
  sapi::UniqueFd first = BindTcp(address, Sharing::kAlone);
  if (!first && errno == EAFNOSUPPORT && address.stack == Stack::kBoth) {
    address = Ipv4Address("0.0.0.0", port);
    first = BindTcp(address, Sharing::kAlone);
  }
  if (!first) throw ListenError(text, Reason(errno));
  ReadBack(first.get(), address);
  BoundAddress bound;
  bound.name = NameOf(address);
  if (loops == 1) {
    bound.sockets.push_back(std::move(first));
    return bound;
  }
  first.Reset();
  while (bound.sockets.size() < loops) {
    bound.sockets.push_back(BindTcp(address, Sharing::kSharedByLoops));
    if (!bound.sockets.back()) throw ListenError(text, Reason(errno));
  }
  return bound;
}

/// A socket file that nobody serves any more, out of the way; removed at the end.
///
/// It is kept until then so that the new file gets another number: the old server may still be
/// ending, and removes the file only if it has the number of its own.
class StaleSocket {
 public:
  StaleSocket(const std::string& text, const std::string& path, const SocketAddress& address)
      : name_(path + "~") {
    struct stat status;
    if (::lstat(path.c_str(), &status) != 0) return;
    if (!S_ISSOCK(status.st_mode)) throw ListenError(text, "a file that is no socket is there");
    const sapi::UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (::connect(probe.get(), address.get(), address.size) == 0 || errno == EAGAIN) {
      throw ListenError(text, Reason(EADDRINUSE));
    }
    if (errno == ECONNREFUSED) moved_ = ::rename(path.c_str(), name_.c_str()) == 0;
  }
  StaleSocket(const StaleSocket&) = delete;
  StaleSocket& operator=(const StaleSocket&) = delete;
  ~StaleSocket() {
    if (moved_) ::unlink(name_.c_str());
  }

 private:
  const std::string name_;
  bool moved_ = false;
};

BoundAddress BindUnixAddress(const std::string& text, const std::string& path, std::size_t loops) {
  const SocketAddress address = UnixAddress(path);
  const StaleSocket stale(text, path, address);
  sapi::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket || ::bind(socket.get(), address.get(), address.size) != 0) {
    throw ListenError(text, Reason(errno));
  }
  // A proxy that runs as another user connects here, as it could to a TCP port.
  ::chmod(path.c_str(), 0666);
  BoundAddress bound;
  bound.name = text;
  bound.file = SocketFile(path);
  bound.sockets.push_back(std::move(socket));
  while (bound.sockets.size() < loops) {
    bound.sockets.emplace_back(::fcntl(bound.sockets.front().get(), F_DUPFD_CLOEXEC, 0));
    if (!bound.sockets.back()) throw ListenError(text, Reason(errno));
  }
  return bound;
}

}  // namespace

ListenError::ListenError(std::string_view address, std::string_view why)
    : std::runtime_error("cannot listen on \"" + std::string(address) + "\": " + std::string(why)) {
}

SocketFile::SocketFile(std::string path) : path_(std::move(path)) {
  struct stat made;
  if (::lstat(path_.c_str(), &made) != 0) return;
  device_ = made.st_dev;
  inode_ = made.st_ino;
}

SocketFile::SocketFile(SocketFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), device_(other.device_), inode_(other.inode_) {}

SocketFile& SocketFile::operator=(SocketFile&& other) noexcept {
  if (this != &other) {
    Remove();
    path_ = std::exchange(other.path_, {});
    device_ = other.device_;
    inode_ = other.inode_;
  }
  return *this;
}

void SocketFile::Remove() {
  struct stat found;
  if (path_.empty() || ::lstat(path_.c_str(), &found) != 0) return;
  const bool same = found.st_dev == device_ && found.st_ino == inode_;
  if (same) ::unlink(path_.c_str());
}

BoundAddress BindAddress(const std::string& address, std::size_t loops, int backlog) {
  const config::ListenAddress parsed = config::ParseListenAddress(address);
  BoundAddress bound = parsed.family == config::ListenAddress::Family::kUnix
                           ? BindUnixAddress(address, parsed.path, loops)
                           : BindTcpAddress(address, ToSocketAddress(parsed), parsed.port, loops);
  // Here and not when the server starts: Linux lets two processes bind, and only one listen.
  for (const sapi::UniqueFd& socket : bound.sockets) {
    if (::listen(socket.get(), backlog) != 0) throw ListenError(address, Reason(errno));
  }
  return bound;
}

sapi::UniqueFd ConnectTo(const std::string& address) {
  using Family = config::ListenAddress::Family;
  config::ListenAddress parsed = config::ParseListenAddress(address);
  if (parsed.family == Family::kAny) parsed.family = Family::kIpv4;
  if (parsed.family == Family::kIpv4 && (parsed.host.empty() || parsed.host == "0.0.0.0")) {
    parsed.host = "127.0.0.1";
  } else if (parsed.family == Family::kIpv6 && parsed.host == "::") {
    parsed.host = "::1";
  }
  const SocketAddress target = ToSocketAddress(parsed);
  sapi::UniqueFd socket(::socket(target.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket || ::connect(socket.get(), target.get(), target.size) != 0) {
    throw std::runtime_error("cannot connect to \"" + address + "\": " + Reason(errno));
  }
  return socket;
}

void DescribeAddress(const sockaddr_storage& address, std::string& text, std::uint16_t& port) {
  char buffer[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET) {
    const auto& name = reinterpret_cast<const sockaddr_in&>(address);
    ::inet_ntop(AF_INET, &name.sin_addr, buffer, sizeof buffer);
    port = ntohs(name.sin_port);
  } else if (address.ss_family == AF_INET6) {
    const auto& name = reinterpret_cast<const sockaddr_in6&>(address);
    if (IN6_IS_ADDR_V4MAPPED(&name.sin6_addr)) {
      ::inet_ntop(AF_INET, &name.sin6_addr.s6_addr[12], buffer, sizeof buffer);
    } else {
      ::inet_ntop(AF_INET6, &name.sin6_addr, buffer, sizeof buffer);
    }
    port = ntohs(name.sin6_port);
  }
  text = buffer;
}

}  // namespace ephpm::server
