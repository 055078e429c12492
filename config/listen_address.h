#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ephpm::config {

/// Where a listener accepts connections, taken apart. Value type.
struct ListenAddress {
  enum class Family { kAny, kIpv4, kIpv6, kUnix };

  Family family = Family::kAny;  ///< kAny: every address of the machine
  std::string host;              ///< a numeric address without brackets; empty for kAny, kUnix
  std::uint16_t port = 0;        ///< 0: a free one
  std::string path;              ///< kUnix: the absolute path of the socket
};

/// Takes apart "ADDR:PORT", ":PORT" (every address), "[::1]:PORT" or "unix:/path".
/// Throws std::invalid_argument with the reason; host names are refused, because what a name
/// stands for may change between the check of the settings and the start of the server.
ListenAddress ParseListenAddress(std::string_view text);

}  // namespace ephpm::config
