#include "server/static_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "server/mime_types.h"

namespace ephpm::server {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kModified = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr const char* kEarlier = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr const char* kLater = "Sun, 06 Nov 1994 08:49:38 GMT";

StaticFile File(std::uint64_t size = 1000) {
  StaticFile file;
  file.path = "/video.mp4";
  file.size = size;
  file.modified_ns = 784'111'777'123'456'789;
  file.content_type = ContentTypeOf("video.mp4");
  return file;
}

StaticResponse Ask(const std::string& method, const Headers& headers = {},
                   const StaticFile& file = File()) {
  sapi::RequestHead request;
  request.method = method;
  request.target = file.path;
  for (const auto& [name, value] : headers) request.headers.Add(name, value);
  return DescribeStaticFile(file, request);
}

std::string Header(const StaticResponse& response, std::string_view name) {
  return std::string(response.head.headers.Find(name));
}

int Status(const Headers& headers) { return Ask("GET", headers).head.status; }

/// "STATUS OFFSET+LENGTH Content-Range" of a GET with one Range field.
std::string Range(const std::string& range, std::uint64_t size = 1000, const Headers& more = {}) {
  Headers headers = more;
  headers.emplace_back("Range", range);
  const StaticResponse response = Ask("GET", headers, File(size));
  std::string text = std::to_string(response.head.status) + " " + std::to_string(response.offset) +
                     "+" + std::to_string(response.length);
  const std::string content_range = Header(response, "content-range");
  return content_range.empty() ? text : text + " " + content_range;
}

const std::string kEtag = Header(Ask("GET"), "etag");

TEST(StaticFile, DescribesTheWholeFile) {
  const StaticResponse response = Ask("GET");
  EXPECT_EQ(response.head.status, 200);
  EXPECT_EQ(response.offset, 0u);
  EXPECT_EQ(response.length, 1000u);
  EXPECT_EQ(Header(response, "Content-Type"), "video/mp4");
  EXPECT_EQ(Header(response, "Content-Length"), "1000");
  EXPECT_EQ(Header(response, "Last-Modified"), kModified);
  EXPECT_EQ(Header(response, "Accept-Ranges"), "bytes");
  ASSERT_GT(kEtag.size(), 2u);
  EXPECT_EQ(kEtag.front(), '"');
  EXPECT_EQ(kEtag.back(), '"');
}

TEST(StaticFile, GivesAnotherEtagForAnotherSizeOrTime) {
  StaticFile changed = File();
  changed.modified_ns += 1;
  EXPECT_NE(Header(Ask("GET", {}, changed), "etag"), kEtag);
  EXPECT_NE(Header(Ask("GET", {}, File(1001)), "etag"), kEtag);
  EXPECT_EQ(Header(Ask("GET", {}, File()), "etag"), kEtag);
}

TEST(StaticFile, AnswersHeadWithTheHeadersOfGetAndNoBody) {
  const StaticResponse get = Ask("GET");
  const StaticResponse head = Ask("HEAD");
  EXPECT_EQ(head.head.status, 200);
  EXPECT_EQ(head.length, 0u);
  ASSERT_EQ(head.head.headers.size(), get.head.headers.size());
  for (std::size_t i = 0; i < get.head.headers.size(); ++i) {
    EXPECT_EQ(head.head.headers[i].name, get.head.headers[i].name);
    EXPECT_EQ(head.head.headers[i].value, get.head.headers[i].value);
  }
}

TEST(StaticFile, IgnoresARangeOnHead) {
  const StaticResponse head = Ask("HEAD", {{"Range", "bytes=0-9"}});
  EXPECT_EQ(head.head.status, 200);
  EXPECT_EQ(Header(head, "content-length"), "1000");
  EXPECT_EQ(head.length, 0u);
}

TEST(StaticFile, AnswersOptionsWithItsMethods) {
  const StaticResponse response = Ask("OPTIONS", {{"If-None-Match", "*"}});
  EXPECT_EQ(response.head.status, 204);
  EXPECT_EQ(Header(response, "allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(response.length, 0u);
}

TEST(StaticFile, IsNotModifiedIfTheClientHasTheEtag) {
  EXPECT_EQ(Status({{"If-None-Match", kEtag}}), 304);
  EXPECT_EQ(Status({{"If-None-Match", "W/" + kEtag}}), 304);
  EXPECT_EQ(Status({{"If-None-Match", "*"}}), 304);
  EXPECT_EQ(Status({{"If-None-Match", "\"a\", W/\"b,c\" ,, " + kEtag + ", \"d\""}}), 304);
  EXPECT_EQ(Status({{"If-None-Match", "\"a\""}, {"If-None-Match", kEtag}}), 304);
  EXPECT_EQ(Status({{"If-None-Match", "\"a\""}}), 200);
  EXPECT_EQ(Status({{"If-None-Match", ""}}), 200);
  EXPECT_EQ(Status({{"If-None-Match", kEtag.substr(1, kEtag.size() - 2)}}), 200);
  EXPECT_EQ(Status({{"If-None-Match", "\"open"}}), 200);
  EXPECT_EQ(Status({{"If-None-Match", "\"a\" * "}}), 200);
  EXPECT_EQ(Ask("HEAD", {{"If-None-Match", kEtag}}).head.status, 304);
}

TEST(StaticFile, SendsNoBodyAndNoLengthWith304) {
  const StaticResponse response = Ask("GET", {{"If-None-Match", kEtag}, {"Range", "bytes=0-9"}});
  EXPECT_EQ(response.head.status, 304);
  EXPECT_EQ(response.length, 0u);
  EXPECT_EQ(Header(response, "etag"), kEtag);
  EXPECT_EQ(Header(response, "last-modified"), kModified);
  EXPECT_FALSE(response.head.headers.Has("content-length"));
  EXPECT_FALSE(response.head.headers.Has("content-type"));
  EXPECT_FALSE(response.head.headers.Has("content-range"));
}

TEST(StaticFile, ComparesTheDateOnlyWithoutAnEtagOfTheClient) {
  EXPECT_EQ(Status({{"If-Modified-Since", kModified}}), 304);
  EXPECT_EQ(Status({{"If-Modified-Since", kLater}}), 304);
  EXPECT_EQ(Status({{"If-Modified-Since", kEarlier}}), 200);
  EXPECT_EQ(Status({{"If-Modified-Since", "yesterday"}}), 200);
  EXPECT_EQ(Status({{"If-None-Match", "\"a\""}, {"If-Modified-Since", kLater}}), 200);
  EXPECT_EQ(Status({{"If-None-Match", kEtag}, {"If-Modified-Since", kEarlier}}), 304);
}

TEST(StaticFile, FailsAPreconditionThatDoesNotHold) {
  EXPECT_EQ(Status({{"If-Match", kEtag}}), 200);
  EXPECT_EQ(Status({{"If-Match", "\"a\", " + kEtag}}), 200);
  EXPECT_EQ(Status({{"If-Match", "*"}}), 200);
  EXPECT_EQ(Status({{"If-Match", "\"a\""}}), 412);
  EXPECT_EQ(Status({{"If-Match", "W/" + kEtag}}), 412) << "a strong comparison";
  EXPECT_EQ(Status({{"If-Unmodified-Since", kModified}}), 200);
  EXPECT_EQ(Status({{"If-Unmodified-Since", kEarlier}}), 412);
  EXPECT_EQ(Status({{"If-Unmodified-Since", "whenever"}}), 200);
  EXPECT_EQ(Status({{"If-Match", kEtag}, {"If-Unmodified-Since", kEarlier}}), 200);
  EXPECT_EQ(Status({{"If-Match", "\"a\""}, {"If-None-Match", kEtag}}), 412);

  const StaticResponse failed = Ask("GET", {{"If-Match", "\"a\""}, {"Range", "bytes=0-9"}});
  EXPECT_EQ(failed.length, 0u);
  EXPECT_EQ(Header(failed, "content-length"), "0");
}

TEST(StaticFile, SendsOneRange) {
  EXPECT_EQ(Range("bytes=0-99"), "206 0+100 bytes 0-99/1000");
  EXPECT_EQ(Range("bytes=0-0"), "206 0+1 bytes 0-0/1000");
  EXPECT_EQ(Range("bytes=900-"), "206 900+100 bytes 900-999/1000");
  EXPECT_EQ(Range("bytes=0-"), "206 0+1000 bytes 0-999/1000");
  EXPECT_EQ(Range("bytes=-100"), "206 900+100 bytes 900-999/1000");
  EXPECT_EQ(Range("bytes=-5000"), "206 0+1000 bytes 0-999/1000");
  EXPECT_EQ(Range("bytes=990-5000"), "206 990+10 bytes 990-999/1000");
  EXPECT_EQ(Range("bytes=990-99999999999999999999999"), "206 990+10 bytes 990-999/1000");
  EXPECT_EQ(Range("Bytes= 0-99 "), "206 0+100 bytes 0-99/1000");

  const StaticResponse response = Ask("GET", {{"Range", "bytes=5-9"}});
  EXPECT_EQ(Header(response, "content-length"), "5");
  EXPECT_EQ(Header(response, "content-type"), "video/mp4");
  EXPECT_EQ(Header(response, "etag"), kEtag);
}

TEST(StaticFile, SeeksInFilesBeyondFourGigabytes) {
  EXPECT_EQ(Range("bytes=8000000000-", 8'000'000'010),
            "206 8000000000+10 bytes 8000000000-8000000009/8000000010");
}

TEST(StaticFile, SaysHowLongItIsIfTheRangeIsBeyondIt) {
  EXPECT_EQ(Range("bytes=1000-"), "416 0+0 bytes */1000");
  EXPECT_EQ(Range("bytes=5000-6000"), "416 0+0 bytes */1000");
  EXPECT_EQ(Range("bytes=99999999999999999999999-"), "416 0+0 bytes */1000");
  EXPECT_EQ(Range("bytes=-0"), "416 0+0 bytes */1000");
  EXPECT_EQ(Range("bytes=0-", 0), "416 0+0 bytes */0");
  EXPECT_EQ(Header(Ask("GET", {{"Range", "bytes=1000-"}}), "content-length"), "0");
}

TEST(StaticFile, SendsTheWholeFileForRangesItDoesNotTake) {
  for (const char* range : {"bytes=0-1,3-4", "bytes=0-1,", "bytes=,0-1", "bytes=", "bytes=-",
                            "bytes=5-2", "bytes=a-b", "bytes=1-b", "bytes=+1-2", "bytes=1--2",
                            "bytes=0x1-2", "lines=0-1", "bytes 0-1", "bytes=5", "", "bytes=1 -2"}) {
    EXPECT_EQ(Range(range), "200 0+1000") << range;
  }
  EXPECT_EQ(Range("bytes=-5", 0), "200 0+0") << "no Content-Range can name no bytes";
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"Range", "bytes=20-29"}}), "200 0+1000");
}

TEST(StaticFile, SendsARangeOnlyOfTheContentThatTheClientHas) {
  const std::string part = "206 0+10 bytes 0-9/1000";
  const std::string whole = "200 0+1000";
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", kEtag}}), part);
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", kModified}}), part);
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", "\"a\""}}), whole);
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", "W/" + kEtag}}), whole) << "weak";
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", kEarlier}}), whole);
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", kLater}}), whole) << "not the same date";
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", "nonsense"}}), whole);
  EXPECT_EQ(Range("bytes=0-9", 1000, {{"If-Range", ""}}), whole);
  EXPECT_EQ(Range("bytes=5000-", 1000, {{"If-Range", "\"a\""}}), whole);
}

TEST(MimeTypes, GoByTheExtensionOfAnyCase) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"a.css", "text/css; charset=utf-8"},
      {"a.CSS", "text/css; charset=utf-8"},
      {"a.min.js", "text/javascript; charset=utf-8"},
      {"a.mjs", "text/javascript; charset=utf-8"},
      {"a.html", "text/html; charset=utf-8"},
      {"robots.txt", "text/plain; charset=utf-8"},
      {"a.json", "application/json"},
      {"a.xml", "application/xml"},
      {"a.svg", "image/svg+xml"},
      {"a.webp", "image/webp"},
      {"a.avif", "image/avif"},
      {"a.woff2", "font/woff2"},
      {"a.wasm", "application/wasm"},
      {"a.mp4", "video/mp4"},
      {"a.webmanifest", "application/manifest+json"},
      {"a.3gp", "video/3gpp"},
      {"a.zst", "application/zstd"},
      {"a.unknown", "application/octet-stream"},
      {"css", "application/octet-stream"},
      {"a.", "application/octet-stream"},
      {"", "application/octet-stream"},
  };
  for (const auto& [name, type] : cases) EXPECT_EQ(ContentTypeOf(name), type) << name;
}

}  // namespace
}  // namespace ephpm::server
