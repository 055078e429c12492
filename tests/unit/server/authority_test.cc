#include "server/authority.h"

#include <gtest/gtest.h>

namespace ephpm::server {
namespace {

TEST(Authority, GivesTheHostWithoutThePort) {
  EXPECT_EQ(HostOfAuthority("a.example"), "a.example");
  EXPECT_EQ(HostOfAuthority("a.example:8080"), "a.example");
  EXPECT_EQ(HostOfAuthority("a.example:"), "a.example");
  EXPECT_EQ(HostOfAuthority("192.0.2.1:80"), "192.0.2.1");
  EXPECT_EQ(HostOfAuthority("[2001:db8::1]:80"), "[2001:db8::1]");
  EXPECT_EQ(HostOfAuthority("[::1]"), "[::1]");
  EXPECT_EQ(HostOfAuthority(""), "");
}

TEST(Authority, IsNothingThatCouldMisleadAScript) {
  for (const char* bad : {"a b", "user@a", "a/b", "a,b,c d", "a:80:80", "a:8o", "a:123456", ":80",
                          "[::1", "[]", "[a.example]", "::1", "../../etc", "a\\b", "b\xc3\xbc"}) {
    EXPECT_FALSE(HostOfAuthority(bad)) << bad;
  }
}

TEST(Authority, StandsInAnAbsoluteTarget) {
  EXPECT_EQ(AuthorityOfTarget("http://a.example:8080/b?c"), "a.example:8080");
  EXPECT_EQ(AuthorityOfTarget("HTTP://a.example"), "a.example");
  EXPECT_EQ(AuthorityOfTarget("https://a.example?x"), "a.example");
  EXPECT_FALSE(AuthorityOfTarget("/path"));
  EXPECT_FALSE(AuthorityOfTarget("/redirect?to=http://b.example/"));
  EXPECT_FALSE(AuthorityOfTarget("*"));
}

}  // namespace
}  // namespace ephpm::server
