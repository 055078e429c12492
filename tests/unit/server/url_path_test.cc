#include "server/url_path.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ephpm::server {
namespace {

/// "PATH" or "PATH?QUERY", or "400".
std::string Parse(std::string_view target) {
  const std::optional<UrlPath> url = ParseUrlPath(target);
  if (!url) return "400";
  return url->query.empty() ? url->path : url->path + "?" + url->query;
}

TEST(UrlPath, DecodesThePathAndLeavesTheQueryAlone) {
  EXPECT_EQ(Parse("/"), "/");
  EXPECT_EQ(Parse("/a/b.css"), "/a/b.css");
  EXPECT_EQ(Parse("/a%20b?c=%20d&e=f+g"), "/a b?c=%20d&e=f+g");
  EXPECT_EQ(Parse("/%E6%97%A5%e6%9c%ac/"), "/\xE6\x97\xA5\xE6\x9C\xAC/");
  EXPECT_EQ(Parse("/\xE6\x97\xA5/"), "/\xE6\x97\xA5/");
  EXPECT_EQ(Parse("/caf%E9/"), "/caf\xE9/");
  EXPECT_EQ(Parse("/a+b"), "/a+b");
  EXPECT_EQ(Parse("/50%25"), "/50%");
  EXPECT_EQ(Parse("/a%3Fb"), "/a?b");
  EXPECT_EQ(Parse("/a??b?c"), "/a??b?c");
  EXPECT_EQ(Parse("/a?"), "/a");
  EXPECT_EQ(Parse("/a?x=/../%00%zz\\"), "/a?x=/../%00%zz\\");
  EXPECT_EQ(Parse("/index.php/%0a"), "/index.php/\n");
}

TEST(UrlPath, MergesSlashesAndDropsDotSegments) {
  EXPECT_EQ(Parse("//wp-admin//"), "/wp-admin/");
  EXPECT_EQ(Parse("/a%2Fb"), "/a/b");
  EXPECT_EQ(Parse("/a%2F/%2fb"), "/a/b");
  EXPECT_EQ(Parse("/./a/./b"), "/a/b");
  EXPECT_EQ(Parse("/a/."), "/a/");
  EXPECT_EQ(Parse("/a/%2e"), "/a/");
  EXPECT_EQ(Parse("/."), "/");
  EXPECT_EQ(Parse("/a/.b"), "/a/.b");
  EXPECT_EQ(Parse("/a../..b/.../c"), "/a../..b/.../c");
}

TEST(UrlPath, DropsAFragment) {
  EXPECT_EQ(Parse("/a#b?c"), "/a");
  EXPECT_EQ(Parse("/a?b#c"), "/a?b");
}

TEST(UrlPath, TakesSchemeAndAuthorityOff) {
  EXPECT_EQ(Parse("http://host/a?b"), "/a?b");
  EXPECT_EQ(Parse("HTTPS://user@host:8080/a"), "/a");
  EXPECT_EQ(Parse("http://host"), "/");
  EXPECT_EQ(Parse("http://host?b"), "/?b");
  EXPECT_EQ(Parse("http:///a"), "400");
  EXPECT_EQ(Parse("http://"), "400");
  EXPECT_EQ(Parse("ftp://host/a"), "400");
  EXPECT_EQ(Parse("http://host/../a"), "400");
}

TEST(UrlPath, RefusesWhatIsNoPath) {
  EXPECT_EQ(Parse(""), "400");
  EXPECT_EQ(Parse("*"), "400");
  EXPECT_EQ(Parse("a"), "400");
  EXPECT_EQ(Parse("?a"), "400");
  EXPECT_EQ(Parse("host:443"), "400");
}

TEST(UrlPath, RefusesBrokenEscapes) {
  for (const char* target : {"/%", "/a%2", "/%zz", "/%2x", "/%%41", "/%u002e", "/a/%-1"}) {
    EXPECT_EQ(Parse(target), "400") << target;
  }
}

TEST(UrlPath, RefusesParentSegmentsHoweverEncoded) {
  for (const char* target :
       {"/..", "/../", "/a/..", "/a/../b", "/%2e%2e/a", "/.%2E/a", "/%2e./a", "/a%2f..%2fb",
        "/..%2f", "/%252e%252e/a", "/..%252f..%252fetc/passwd", "/.%252e/a", "/%25252e%25252e/a",
        "/..%255cwindows%255c..", "//..//a"}) {
    EXPECT_EQ(Parse(target), "400") << target;
  }
}

TEST(UrlPath, RefusesNulBackslashAndBareControlCharacters) {
  for (const char* target : {"/a%00", "/css/a.css%00.php", "/a\\b", "/..\\a", "/a%5cb", "/a%5C..",
                             "/a b", "/a\tb", "/a\nb", "/a?b\rc", "/\x7F"}) {
    EXPECT_EQ(Parse(target), "400") << target;
  }
  EXPECT_EQ(Parse(std::string_view("/a\0b", 4)), "400");
}

TEST(UrlPath, RefusesOverlongUtf8) {
  for (const char* target :
       {"/%c0%ae%c0%ae/etc", "/%C0%AF", "/%c1%9c", "/%e0%80%ae", "/%e0%9f%bf", "/%f0%80%80%af",
        "/%f8%80%80%80%ae", "/%fc%80%80%80%80%af", "/\xC0\xAE"}) {
    EXPECT_EQ(Parse(target), "400") << target;
  }
  EXPECT_EQ(Parse("/%e0%a0%80"), "/\xE0\xA0\x80") << "the first of three bytes that is no overlong";
  EXPECT_EQ(Parse("/%f0%90%80%80"), "/\xF0\x90\x80\x80");
  EXPECT_EQ(Parse("/%C0"), "/\xC0") << "Latin-1";
  EXPECT_EQ(Parse("/%C0la"), "/\xC0la") << "Latin-1";
}

TEST(UrlPath, ReadsALongChainOfEscapesInOneGo) {
  std::string target = "/";
  for (int i = 0; i < 5000; ++i) target += "%25";
  EXPECT_EQ(Parse(target), "/" + std::string(5000, '%'));
}

TEST(UrlPath, OriginFormKeepsTheTargetAsSent) {
  EXPECT_EQ(OriginForm("/a%2Fb//c?d#e"), "/a%2Fb//c?d#e");
  EXPECT_EQ(OriginForm("http://host:80/a%2Fb?c"), "/a%2Fb?c");
  EXPECT_EQ(OriginForm("http://host"), "/");
  EXPECT_EQ(OriginForm("http://host?c"), "/?c");
  EXPECT_EQ(OriginForm("*"), "*");
}

TEST(UrlPath, EncodesWhatDecodingTookAway) {
  EXPECT_EQ(EncodeUrl("/a b/\xE6\x97\xA5/?#%\r\n\"<>", UrlPart::kPath),
            "/a%20b/%E6%97%A5/%3F%23%25%0D%0A%22%3C%3E");
  EXPECT_EQ(EncodeUrl("/a-b._~!$&'()*+,;=:@", UrlPart::kPath), "/a-b._~!$&'()*+,;=:@");
  EXPECT_EQ(EncodeUrl("/a&b=c+d", UrlPart::kQueryValue), "/a%26b%3Dc%2Bd");
}

}  // namespace
}  // namespace ephpm::server
