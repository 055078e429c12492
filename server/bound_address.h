#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sapi/http_head.h"
#include "sapi/unique_fd.h"

namespace ephpm::server {

/// An address that the server cannot listen on. what() is one line with the address and the reason.
class ListenError : public std::runtime_error {
 public:
  ListenError(std::string_view address, std::string_view why);
};

/// The file of a unix socket: removed at the end, unless another server has put its own there.
class SocketFile {
 public:
  SocketFile() = default;
  /// Takes over the socket that was just bound at `path`.
  explicit SocketFile(std::string path);
  SocketFile(SocketFile&& other) noexcept;
  SocketFile& operator=(SocketFile&& other) noexcept;
  ~SocketFile() { Remove(); }

 private:
  void Remove();

  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

/// An address with a listening socket for each loop. Move only.
struct BoundAddress {
  std::string name;  ///< "ADDR:PORT" with the real port, or "unix:/path"
  std::vector<sapi::UniqueFd> sockets;
  SocketFile file;
};

/// Listens on an address (see config::ParseListenAddress) for `loops` loops. ":PORT" is every
/// address, IPv6 and IPv4; "[::]:PORT" only IPv6, so that "0.0.0.0:PORT" may stand beside it. Port
/// 0 takes a free one, the same for all loops. Throws ListenError, also if another process has the
/// port or serves on the unix socket. The kernel holds up to `backlog` clients a socket until they
/// are taken.
BoundAddress BindAddress(const std::string& address, std::size_t loops, int backlog);

/// Where a client of this machine reaches the server that listens on `address`: a wildcard becomes
/// the loopback. The returned socket is connected and blocking. Throws std::runtime_error.
sapi::UniqueFd ConnectTo(const std::string& address);

/// Numeric text of a socket address: IPv4, IPv6 (an IPv4 address in IPv6 clothes is shown as IPv4).
/// Empty for other families.
void DescribeAddress(const sockaddr_storage& address, std::string& text, std::uint16_t& port);

}  // namespace ephpm::server
