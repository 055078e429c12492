#include "config/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace ephpm::config {
namespace {

using Family = ListenAddress::Family;
using ::testing::HasSubstr;

std::string ErrorOf(const std::string& text) {
  try {
    ParseListenAddress(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ListenAddress, OfAnIpv4Address) {
  const ListenAddress address = ParseListenAddress("127.0.0.1:8080");
  EXPECT_EQ(address.family, Family::kIpv4);
  EXPECT_EQ(address.host, "127.0.0.1");
  EXPECT_EQ(address.port, 8080);
}

TEST(ListenAddress, OfAnIpv6AddressInBrackets) {
  const ListenAddress address = ParseListenAddress("[::1]:443");
  EXPECT_EQ(address.family, Family::kIpv6);
  EXPECT_EQ(address.host, "::1");
  EXPECT_EQ(address.port, 443);
}

TEST(ListenAddress, WithoutAHostIsEveryAddress) {
  const ListenAddress address = ParseListenAddress(":80");
  EXPECT_EQ(address.family, Family::kAny);
  EXPECT_EQ(address.host, "");
  EXPECT_EQ(address.port, 80);
}

TEST(ListenAddress, TakesPortsFrom0To65535) {
  EXPECT_EQ(ParseListenAddress("127.0.0.1:0").port, 0);
  EXPECT_EQ(ParseListenAddress("127.0.0.1:65535").port, 65535);
  for (const char* port : {"65536", "-1", "", "http", "8080x", " 80", "4294967376"}) {
    EXPECT_THAT(ErrorOf(std::string("127.0.0.1:") + port), HasSubstr("is no port (0 to 65535)"))
        << port;
  }
}

TEST(ListenAddress, OfAUnixSocketIsAnAbsolutePath) {
  const ListenAddress address = ParseListenAddress("unix:/run/a:b.sock");
  EXPECT_EQ(address.family, Family::kUnix);
  EXPECT_EQ(address.path, "/run/a:b.sock");
  EXPECT_THAT(ErrorOf("unix:run/a.sock"), HasSubstr("starts with '/'"));
  EXPECT_THAT(ErrorOf("unix:"), HasSubstr("starts with '/'"));
}

TEST(ListenAddress, OfAUnixSocketFitsTheKernelsField) {
  EXPECT_EQ(ParseListenAddress("unix:/" + std::string(106, 'a')).path.size(), 107u);
  EXPECT_THAT(ErrorOf("unix:/" + std::string(107, 'a')), HasSubstr("up to 107 bytes"));
}

TEST(ListenAddress, RefusesNames) {
  EXPECT_THAT(ErrorOf("localhost:8080"), HasSubstr("names are not looked up"));
  EXPECT_THAT(ErrorOf("*:8080"), HasSubstr("\":8080\" for every address"));
  EXPECT_THAT(ErrorOf("256.0.0.1:8080"), HasSubstr("is no IP address"));
  EXPECT_THAT(ErrorOf("http://127.0.0.1:8080"), HasSubstr("is no IP address"));
}

TEST(ListenAddress, RefusesIpv6WithoutBrackets) {
  EXPECT_THAT(ErrorOf("::1:8080"), HasSubstr("stands in brackets"));
  EXPECT_THAT(ErrorOf("[127.0.0.1]:8080"), HasSubstr("is no IPv6 address"));
  EXPECT_THAT(ErrorOf("[]:8080"), HasSubstr("is no IPv6 address"));
  EXPECT_THAT(ErrorOf("[::1:8080"), HasSubstr("is no IP address"));
}

TEST(ListenAddress, RefusesAnAddressWithoutAPort) {
  for (const char* text : {"", "127.0.0.1", "8080", "[::1]"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("the port is missing")) << text;
  }
}

}  // namespace
}  // namespace ephpm::config
