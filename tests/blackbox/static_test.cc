// Files of the site: which are sent, how, and which never.

#include <sys/stat.h>

#include <filesystem>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

/// In each file and script that must not be seen from outside.
constexpr const char* kSecret = "TOP-SECRET";

class StaticTest : public ServerTest {
 protected:
  StaticTest() {
    site_.Write("index.php", "<?php echo 'front ', $_SERVER['REQUEST_URI'];");
    site_.Write("page.php", "<?php echo 'page ', $_SERVER['PATH_INFO'] ?? '-';");
    site_.Write("text.txt", "0123456789");
    site_.Write("folder/index.html", "<p>folder</p>");
    site_.Write("app/index.php", "<?php echo 'app ', $_SERVER['SCRIPT_NAME'];");
    site_.Write("empty/.keep", "");
  }
  ServerProcess& StartSite(const std::string& config = "") {
    return Start({.root = site_.path(), .config = config});
  }
  std::string TypeOf(const std::string& target) { return Get(target).Header("Content-Type"); }

  TemporaryFolder parent_;
  TemporaryFolder site_;
};

// ---- Sending

TEST_P(StaticTest, FileIsSentWithItsLengthAndType) {
  StartSite();
  const Response response = Get("/text.txt");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "0123456789");
  EXPECT_EQ(response.Header("Content-Length"), "10");
  EXPECT_EQ(response.Header("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_TRUE(response.Has("Last-Modified"));
  EXPECT_TRUE(response.Has("ETag"));
}

TEST_P(StaticTest, CommonTypesAreKnown) {
  for (const char* name :
       {"a.css", "a.js", "a.mjs", "a.json", "a.svg", "a.png", "a.jpg", "a.webp", "a.avif",
        "a.woff2", "a.html", "a.xml", "a.pdf", "a.mp4", "a.wasm", "a.unknown"}) {
    site_.Write(name, "x");
  }
  StartSite();
  EXPECT_THAT(TypeOf("/a.css"), HasSubstr("text/css"));
  EXPECT_THAT(TypeOf("/a.js"), HasSubstr("javascript"));
  EXPECT_THAT(TypeOf("/a.mjs"), HasSubstr("javascript"));
  EXPECT_THAT(TypeOf("/a.json"), HasSubstr("application/json"));
  EXPECT_EQ(TypeOf("/a.svg"), "image/svg+xml");
  EXPECT_EQ(TypeOf("/a.png"), "image/png");
  EXPECT_EQ(TypeOf("/a.jpg"), "image/jpeg");
  EXPECT_EQ(TypeOf("/a.webp"), "image/webp");
  EXPECT_EQ(TypeOf("/a.avif"), "image/avif");
  EXPECT_EQ(TypeOf("/a.woff2"), "font/woff2");
  EXPECT_THAT(TypeOf("/a.html"), HasSubstr("text/html"));
  EXPECT_EQ(TypeOf("/a.pdf"), "application/pdf");
  EXPECT_EQ(TypeOf("/a.mp4"), "video/mp4");
  EXPECT_EQ(TypeOf("/a.wasm"), "application/wasm");
  EXPECT_EQ(TypeOf("/a.unknown"), "application/octet-stream");
}

TEST_P(StaticTest, LargeFileIsSentWhole) {
  std::string content(20 * 1024 * 1024, 'l');
  for (std::size_t i = 0; i < content.size(); i += 1000) content[i] = static_cast<char>(i / 1000);
  site_.Write("large.bin", content);
  StartSite();
  Client client(endpoint(), {.receive_buffer = 64 * 1024});
  const Response response = client.Exchange({.target = "/large.bin"});
  EXPECT_TRUE(response.body == content);
  EXPECT_EQ(client.Exchange({.target = "/text.txt"}).body, "0123456789");
}

TEST_P(StaticTest, EmptyFileIsSent) {
  site_.Write("empty.txt", "");
  StartSite();
  const Response response = Get("/empty.txt");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.Header("Content-Length"), "0");
}

TEST_P(StaticTest, NamesAreDecoded) {
  site_.Write("a b+c/été.txt", "decoded");
  StartSite();
  EXPECT_EQ(Get("/a%20b+c/%C3%A9t%C3%A9.txt").body, "decoded");
  EXPECT_EQ(Get("/text%2Etxt?v=1").body, "0123456789");
}

TEST_P(StaticTest, HeadIsGetWithoutBody) {
  StartSite();
  Client client(endpoint());
  const Response head = client.Exchange({.target = "/text.txt", .method = "HEAD"});
  const Response get = client.Exchange({.target = "/text.txt"});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("Content-Length"), "10");
  EXPECT_EQ(head.Header("ETag"), get.Header("ETag"));
  EXPECT_EQ(get.body, "0123456789");
}

TEST_P(StaticTest, OtherMethodsAreNotAllowed) {
  StartSite();
  for (const char* method : {"POST", "PUT", "DELETE"}) {
    const Response response = Fetch({.target = "/text.txt", .method = method});
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_THAT(response.Header("Allow"), HasSubstr("GET"));
  }
}

// ---- Conditions

TEST_P(StaticTest, SameTagIsNotSentAgain) {
  StartSite();
  Client client(endpoint());
  const std::string tag = client.Exchange({.target = "/text.txt"}).Header("ETag");
  const Response same =
      client.Exchange({.target = "/text.txt", .headers = {{"If-None-Match", tag}}});
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.Header("ETag"), tag);
  const Response listed = client.Exchange(
      {.target = "/text.txt", .headers = {{"If-None-Match", "\"other\", W/" + tag}}});
  EXPECT_EQ(listed.status, 304);
  const Response other =
      client.Exchange({.target = "/text.txt", .headers = {{"If-None-Match", "\"other\""}}});
  EXPECT_EQ(other.status, 200);
  EXPECT_EQ(other.body, "0123456789");
}

TEST_P(StaticTest, UnmodifiedFileIsNotSentAgain) {
  StartSite();
  const std::string modified = Get("/text.txt").Header("Last-Modified");
  EXPECT_EQ(Get("/text.txt", {{"If-Modified-Since", modified}}).status, 304);
  EXPECT_EQ(Get("/text.txt", {{"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT"}}).status, 200);
  EXPECT_EQ(Get("/text.txt", {{"If-Modified-Since", "nonsense"}}).status, 200);
}

TEST_P(StaticTest, ChangedFileHasAnotherTag) {
  StartSite();
  const std::string tag = Get("/text.txt").Header("ETag");
  site_.Write("text.txt", "changed and longer");
  const Response response = Get("/text.txt", {{"If-None-Match", tag}});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "changed and longer");
  EXPECT_NE(response.Header("ETag"), tag);
}

// ---- Ranges

TEST_P(StaticTest, RangeIsSent) {
  StartSite();
  struct Case {
    const char* range;
    const char* body;
    const char* content_range;
  };
  for (const Case& test :
       {Case{"bytes=0-3", "0123", "bytes 0-3/10"}, Case{"bytes=7-", "789", "bytes 7-9/10"},
        Case{"bytes=-2", "89", "bytes 8-9/10"}, Case{"bytes=5-100", "56789", "bytes 5-9/10"},
        Case{"bytes=-100", "0123456789", "bytes 0-9/10"}}) {
    const Response response = Get("/text.txt", {{"Range", test.range}});
    EXPECT_EQ(response.status, 206) << test.range;
    EXPECT_EQ(response.body, test.body) << test.range;
    EXPECT_EQ(response.Header("Content-Range"), test.content_range);
    EXPECT_EQ(response.Header("Content-Type"), "text/plain; charset=utf-8");
  }
}

TEST_P(StaticTest, RangePastTheEndIsRefusedWithTheLength) {
  StartSite();
  const Response response = Get("/text.txt", {{"Range", "bytes=10-20"}});
  EXPECT_EQ(response.status, 416);
  EXPECT_EQ(response.Header("Content-Range"), "bytes */10");
}

TEST_P(StaticTest, RangeThatMakesNoSenseIsTheWholeFile) {
  StartSite();
  for (const char* range : {"bytes=5-2", "bytes=a-b", "bytes=", "lines=1-2", "bytes=--5"}) {
    const Response response = Get("/text.txt", {{"Range", range}});
    EXPECT_EQ(response.status, 200) << range;
    EXPECT_EQ(response.body, "0123456789");
  }
}

TEST_P(StaticTest, HundredsOfRangesAreNotMultiplied) {
  std::string ranges = "bytes=0-";
  for (int i = 0; i < 500; ++i) ranges += ",0-";
  StartSite();
  EXPECT_LE(Get("/text.txt", {{"Range", ranges}}).body.size(), 10u);
}

TEST_P(StaticTest, RangeOfAChangedFileIsTheWholeFile) {
  StartSite();
  const std::string tag = Get("/text.txt").Header("ETag");
  EXPECT_EQ(Get("/text.txt", {{"Range", "bytes=0-3"}, {"If-Range", tag}}).status, 206);
  EXPECT_EQ(Get("/text.txt", {{"Range", "bytes=0-3"}, {"If-Range", "\"other\""}}).status, 200);
  EXPECT_EQ(Get("/text.txt", {{"Range", "bytes=0-3"}, {"If-Range", "W/" + tag}}).status, 200);
}

// ---- Ways

TEST_P(StaticTest, FolderIsAnsweredByItsIndex) {
  StartSite();
  EXPECT_EQ(Get("/folder/").body, "<p>folder</p>");
  EXPECT_EQ(Get("/app/").body, "app /app/index.php");
  EXPECT_EQ(Get("/").body, "front /");
}

TEST_P(StaticTest, FolderWithoutSlashIsARedirectThatKeepsTheQuery) {
  StartSite();
  const Response response = Get("/app?x=1&y=%20", {{"Host", "example.com:8080"}});
  EXPECT_EQ(response.status, 301);
  EXPECT_THAT(response.Header("Location"),
              AnyOf("/app/?x=1&y=%20", "http://example.com:8080/app/?x=1&y=%20"));
}

TEST_P(StaticTest, RedirectDoesNotLeaveTheSite) {
  StartSite();
  for (const char* target : {"//app", "//evil.example/..%2fapp", "/%2fevil.example/../app",
                             "//evil.example/%2e%2e/app"}) {
    const Response response = Get(target);
    EXPECT_THAT(response.Header("Location"), Not(testing::StartsWith("//"))) << target;
    EXPECT_THAT(response.Header("Location"), Not(testing::StartsWith("http"))) << target;
  }
}

TEST_P(StaticTest, FolderWithoutIndexGoesToTheFrontController) {
  StartSite();
  EXPECT_EQ(Get("/empty/").body, "front /empty/");
}

TEST_P(StaticTest, MissingPathGoesToTheFrontController) {
  StartSite();
  EXPECT_EQ(Get("/a/pretty/link?x=1").body, "front /a/pretty/link?x=1");
}

TEST_P(StaticTest, PathAfterAScriptIsItsPathInfo) {
  StartSite();
  EXPECT_EQ(Get("/page.php/a/b").body, "page /a/b");
  EXPECT_EQ(Get("/page.php").body, "page -");
}

TEST_P(StaticTest, MissingScriptIsNotFound) {
  StartSite();
  EXPECT_EQ(Get("/missing.php").status, 404);
  EXPECT_EQ(Get("/missing.php/a").status, 404);
}

TEST_P(StaticTest, MissingStaticFileIsNotFoundWithoutPhp) {
  StartSite();
  for (const char* target : {"/missing.css", "/a/missing.png", "/missing.WOFF2", "/x.js?v=1"}) {
    const Response response = Get(target);
    EXPECT_EQ(response.status, 404) << target;
    EXPECT_THAT(response.body, Not(HasSubstr("front"))) << target;
  }
}

TEST_P(StaticTest, FilesThatApplicationsAnswerForReachThem) {
  StartSite();
  for (const char* target : {"/robots.txt", "/sitemap.xml", "/wp-sitemap-posts-post-1.xml",
                             "/feed/", "/favicon.ico", "/.well-known/oauth"}) {
    EXPECT_EQ(Get(target).body, std::string("front ") + target);
  }
}

TEST_P(StaticTest, WellKnownFilesAreSent) {
  site_.Write(".well-known/security.txt", "contact");
  StartSite();
  EXPECT_EQ(Get("/.well-known/security.txt").body, "contact");
}

// ---- What is never sent

TEST_P(StaticTest, HiddenAndPrivateFilesAreNotFound) {
  for (const char* name :
       {".env", ".git/config", ".htaccess", ".user.ini", "a/.hidden/file.txt", "wp-config.php.bak",
        "config.php~", ".config.php.swp", "dump.sql", "app.phar", "UPPER.PHP", "page.php ",
        "page.php.", "view.phtml", "old.php7", "settings.ini", "data.sqlite"}) {
    site_.Write(name, std::string("<?php echo '") + kSecret + "';");
  }
  StartSite();
  for (const char* target : {"/.env",         "/.git/config",        "/.htaccess",
                             "/.user.ini",    "/a/.hidden/file.txt", "/wp-config.php.bak",
                             "/config.php~",  "/.config.php.swp",    "/dump.sql",
                             "/app.phar",     "/UPPER.PHP",          "/page.php%20",
                             "/page.php.",    "/view.phtml",         "/old.php7",
                             "/settings.ini", "/data.sqlite",        "/%2eenv",
                             "/.%65nv",       "/folder/../.env",     "//.env",
                             "/./.env"}) {
    const Response response = Get(target);
    EXPECT_THAT(response.status, AnyOf(404, 400)) << target;
    EXPECT_THAT(response.body, Not(HasSubstr(kSecret))) << target;
  }
}

TEST_P(StaticTest, SourceOfScriptsIsNotSent) {
  site_.Write("secret.php", std::string("<?php /* ") + kSecret + " */ echo 'ran';");
  StartSite();
  for (const char* target :
       {"/secret.php", "/secret%2ephp", "/secret.ph%70", "//secret.php", "/./secret.php",
        "/secret.php?x", "/secret.php#x", "/secret.php/", "/secret.php/x.css", "/secret.PHP",
        "/secret.php%00.css", "/secret.php%0a", "/secret.php;x.css", "/secret.php%5cx.css"}) {
    EXPECT_THAT(Get(target).body, Not(HasSubstr(kSecret))) << target;
  }
}

TEST_P(StaticTest, FileThatIsNoScriptIsNeverExecuted) {
  site_.Write("uploads/a.gif", std::string("GIF89a <?php echo '") + kSecret + "'.'-ran';");
  StartSite();
  for (const char* target : {"/uploads/a.gif/x.php", "/uploads/a.gif%00.php", "/uploads/a.gif/.php",
                             "/uploads/a.gif%0a.php", "/uploads/a.gif?x.php", "/uploads/a.gif/"}) {
    EXPECT_THAT(Get(target).body, Not(HasSubstr(std::string(kSecret) + "-ran"))) << target;
  }
}

TEST_P(StaticTest, OddCaseMappingsRunNothing) {
  StartSite();
  for (const char* target : {"/\xc8\xba\xc8\xba\xc8\xba.php/page", "/page.\xe2\x84\xaahp",
                             "/%C8%BA.php/a", "/page.%E2%84%AAhp", "/page%EF%BC%8Ephp"}) {
    const Response response = Get(target);
    EXPECT_THAT(response.body, Not(HasSubstr("page -"))) << target;
  }
}

TEST_P(StaticTest, PathsDoNotLeaveTheRoot) {
  const std::filesystem::path root = parent_.path() / "www";
  parent_.Write("www/index.php", "<?php echo 'front';");
  parent_.Write("www/folder/file.txt", "inside");
  parent_.Write("secret.txt", kSecret);
  parent_.Write("secret.php", std::string("<?php echo '") + kSecret + "';");
  parent_.Write("www2/secret.txt", kSecret);
  Start({.root = root});
  std::vector<std::string> targets;
  for (const char* up : {"../",
                         "..%2f",
                         "..%2F",
                         "%2e%2e/",
                         "%2e%2e%2f",
                         ".%2e/",
                         "%2E./",
                         "..%5c",
                         "..\\",
                         "%252e%252e/",
                         "%252e%252e%252f",
                         "..%252f",
                         "%c0%ae%c0%ae/",
                         "%c0%ae%c0%ae%c0%af",
                         "%e0%80%ae%e0%80%ae/",
                         "..;/",
                         "...//",
                         "..%00/",
                         "..%u2215",
                         "..%ef%bc%8f",
                         "%uff0e%uff0e/"}) {
    for (const char* file : {"secret.txt", "secret.php", "www2/secret.txt", "etc/passwd"}) {
      for (const char* start : {"/", "/folder/", "//", "/folder/../", "/x/../"}) {
        std::string target = start;
        for (int depth = 0; depth < 3; ++depth) {
          target += up;
          targets.push_back(target + file);
        }
      }
    }
  }
  for (const char* more : {"/folder/../../secret.txt", "/folder/..", "/..", "/../", "/%2e%2e",
                           "/www2/secret.txt", "/../www2/secret.txt", "/.../secret.txt"}) {
    targets.push_back(more);
  }
  for (const std::string& target : targets) {
    Client client(endpoint());
    client.Send("GET " + target +
                " HTTP/1.1\r\nHost: ../../secret.txt\r\nConnection: close\r\n\r\n");
    const std::string answer = client.ReadToEnd();
    EXPECT_THAT(answer, testing::StartsWith("HTTP/1.1 ")) << target;
    EXPECT_THAT(answer, Not(HasSubstr(kSecret))) << target;
    EXPECT_THAT(answer, Not(HasSubstr("root:"))) << target;
  }
  EXPECT_EQ(Get("/folder/file.txt").body, "inside");
}

TEST_P(StaticTest, LinksOutOfTheRootAreNotFollowed) {
  parent_.Write("secret.txt", kSecret);
  parent_.Write("more/secret.txt", kSecret);
  parent_.Write("secret.php", std::string("<?php echo '") + kSecret + "';");
  namespace fs = std::filesystem;
  fs::create_symlink(parent_.path() / "secret.txt", site_.path() / "link.txt");
  fs::create_symlink(parent_.path() / "secret.php", site_.path() / "link.php");
  fs::create_symlink(parent_.path() / "more", site_.path() / "link");
  fs::create_symlink(site_.path() / "text.txt", site_.path() / "inside.txt");
  StartSite();
  for (const char* target : {"/link.txt", "/link.php", "/link/secret.txt"}) {
    const Response response = Get(target);
    // What is no file of the site may still be a page of the application.
    EXPECT_THAT(response.body, AnyOf(HasSubstr("404"), "front " + std::string(target))) << target;
    EXPECT_THAT(response.body, Not(HasSubstr(kSecret))) << target;
  }
  EXPECT_EQ(Get("/inside.txt").body, "0123456789");
}

TEST_P(StaticTest, RootThatIsALinkIsFollowed) {
  std::filesystem::create_directory_symlink(site_.path(), parent_.path() / "current");
  Start({.root = parent_.path() / "current"});
  EXPECT_EQ(Get("/text.txt").body, "0123456789");
  EXPECT_EQ(Get("/page.php").body, "page -");
}

TEST_P(StaticTest, PipesAndSocketsDoNotHangTheServer) {
  ASSERT_EQ(::mkfifo((site_.path() / "pipe.txt").c_str(), 0644), 0);
  ASSERT_EQ(::mkfifo((site_.path() / "pipe.php").c_str(), 0644), 0);
  StartSite();
  EXPECT_EQ(Get("/pipe.txt").body, "front /pipe.txt") << "no file, so a page of the application";
  EXPECT_EQ(Get("/pipe.php").status, 404);
  EXPECT_EQ(Get("/text.txt").body, "0123456789");
}

EPHPM_IN_EVERY_MODE(StaticTest);

}  // namespace
}  // namespace ephpm::blackbox
