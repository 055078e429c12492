#include "server/bound_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/server/site_tree.h"

namespace ephpm::server {
namespace {

constexpr int kBacklog = 16;

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

void Listen(const BoundAddress& address) {
  for (const sapi::UniqueFd& socket : address.sockets) ASSERT_EQ(::listen(socket.get(), 5), 0);
}

std::string WhyNot(const std::string& address) {
  try {
    BindAddress(address, 1, kBacklog);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(BoundAddress, TakesAFreePortAndNamesIt) {
  const BoundAddress address = BindAddress("127.0.0.1:0", 1, kBacklog);
  EXPECT_THAT(address.name, MatchesRegex("127\\.0\\.0\\.1:[0-9]+"));
  EXPECT_THAT(address.name, Not(testing::EndsWith(":0")));
  Listen(address);
  EXPECT_TRUE(ConnectTo(address.name));
}

TEST(BoundAddress, GivesEachLoopASocketOfTheSamePort) {
  const BoundAddress address = BindAddress("127.0.0.1:0", 3, kBacklog);
  ASSERT_EQ(address.sockets.size(), 3U);
  for (const sapi::UniqueFd& socket : address.sockets) {
    sockaddr_storage name{};
    socklen_t size = sizeof name;
    ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&name), &size);
    std::string text;
    std::uint16_t port = 0;
    DescribeAddress(name, text, port);
    EXPECT_EQ(text + ":" + std::to_string(port), address.name);
  }
}

TEST(BoundAddress, RefusesAPortThatIsTakenAlsoForSeveralLoops) {
  for (const std::size_t loops : {1U, 2U}) {
    const BoundAddress taken = BindAddress("127.0.0.1:0", loops, kBacklog);
    Listen(taken);
    EXPECT_THAT(WhyNot(taken.name),
                testing::AllOf(HasSubstr(taken.name), HasSubstr("Address already in use")));
    EXPECT_THROW(BindAddress(taken.name, 2, kBacklog), ListenError);
  }
}

TEST(BoundAddress, ListensToBothKindsOfAddresses) {
  const BoundAddress address = BindAddress(":0", 1, kBacklog);
  Listen(address);
  const std::string port = address.name.substr(address.name.rfind(':'));
  EXPECT_TRUE(ConnectTo("127.0.0.1" + port));
}

TEST(BoundAddress, RefusesWhatIsNoAddress) {
  for (const char* bad : {"", "8080", "localhost", "127.0.0.1:x", "127.0.0.1:65536", "1.2.3:80"}) {
    EXPECT_THROW(BindAddress(bad, 1, kBacklog), std::exception) << bad;
  }
}

TEST(BoundAddress, PutsAUnixSocketAndRemovesIt) {
  SiteTree tree;
  const std::string path = tree.Path("socket");
  {
    const BoundAddress address = BindAddress("unix:" + path, 2, kBacklog);
    EXPECT_EQ(address.name, "unix:" + path);
    EXPECT_EQ(address.sockets.size(), 2U);
    Listen(address);
    EXPECT_TRUE(ConnectTo(address.name));
    EXPECT_TRUE(std::filesystem::is_socket(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(BoundAddress, ReplacesAStaleUnixSocket) {
  SiteTree tree;
  const std::string path = tree.Path("socket");
  BoundAddress old = BindAddress("unix:" + path, 1, kBacklog);
  old.sockets.clear();  // as after a crash: the file stays, nobody listens
  const BoundAddress address = BindAddress("unix:" + path, 1, kBacklog);
  old = BoundAddress();  // the old owner must not remove the new one's
  EXPECT_TRUE(std::filesystem::is_socket(path));
}

TEST(BoundAddress, RefusesAUnixSocketThatIsServed) {
  SiteTree tree;
  const BoundAddress served = BindAddress("unix:" + tree.Path("socket"), 1, kBacklog);
  Listen(served);
  EXPECT_THAT(WhyNot(served.name), HasSubstr("Address already in use"));
}

TEST(BoundAddress, LeavesAFileAloneThatIsNoSocket) {
  SiteTree tree;
  tree.File("file");
  EXPECT_THAT(WhyNot("unix:" + tree.Path("file")), HasSubstr("no socket"));
  EXPECT_TRUE(std::filesystem::is_regular_file(tree.Path("file")));
}

}  // namespace
}  // namespace ephpm::server
