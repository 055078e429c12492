#include "config/listen_address.h"

#include <arpa/inet.h>
#include <sys/un.h>

#include <charconv>
#include <stdexcept>
#include <utility>

#include "config/toml_text.h"

namespace ephpm::config {
namespace {

using Family = ListenAddress::Family;

constexpr std::string_view kUnixPrefix = "unix:";
/// The kernel's field for the path of a socket, less the closing zero byte.
constexpr std::size_t kLongestSocketPath = sizeof(sockaddr_un{}.sun_path) - 1;
constexpr unsigned kHighestPort = 65535;

[[noreturn]] void Refuse(std::string_view text, const std::string& why) {
  throw std::invalid_argument(Quoted(text) + " is no address to listen on: " + why);
}

std::uint16_t ParsePort(std::string_view text, std::string_view port) {
  unsigned value = 0;
  const char* end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data(), end, value);
  if (port.empty() || stop != end || error != std::errc() || value > kHighestPort) {
    Refuse(text, Quoted(port) + " is no port (0 to 65535)");
  }
  return static_cast<std::uint16_t>(value);
}

ListenAddress ParseUnix(std::string_view text) {
  ListenAddress address;
  address.family = Family::kUnix;
  address.path = text.substr(kUnixPrefix.size());
  if (!address.path.starts_with('/')) Refuse(text, "the path of a unix socket starts with '/'");
  if (address.path.size() > kLongestSocketPath) {
    Refuse(text, "the kernel takes socket paths of up to " + std::to_string(kLongestSocketPath) +
                     " bytes");
  }
  return address;
}

bool IsNumeric(int family, const std::string& host) {
  in6_addr scratch;  // large enough for either family
  return inet_pton(family, host.c_str(), &scratch) == 1;
}

}  // namespace

ListenAddress ParseListenAddress(std::string_view text) {
  if (text.starts_with(kUnixPrefix)) return ParseUnix(text);
  if (text.find(',') != std::string_view::npos) {
    Refuse(text, R"(several addresses are a list: ["127.0.0.1:8080", "[::1]:8080"])");
  }

  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || text.ends_with(']')) {
    Refuse(text, R"(the port is missing; write "127.0.0.1:8080", ":8080", "[::1]:8080" or )"
                 R"("unix:/run/ephpmd.sock")");
  }
  ListenAddress address;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    address.family = Family::kIpv6;
    address.host = host.substr(1, host.size() - 2);
    if (!IsNumeric(AF_INET6, address.host)) Refuse(text, Quoted(host) + " is no IPv6 address");
  } else if (!host.empty()) {
    address.family = Family::kIpv4;
    address.host = host;
    if (IsNumeric(AF_INET6, address.host)) {
      Refuse(text, R"(an IPv6 address stands in brackets: "[::1]:8080")");
    }
    if (!IsNumeric(AF_INET, address.host)) {
      Refuse(text, Quoted(host) + R"( is no IP address; names are not looked up: write )"
                                  R"("127.0.0.1:8080", or ":8080" for every address)");
    }
  }
  address.port = ParsePort(text, text.substr(colon + 1));
  return address;
}

}  // namespace ephpm::config
