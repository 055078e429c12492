#include "server/router.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "site_tree.h"

namespace ephpm::server {
namespace {

/// A route in one line: "php NAME", then " info=PATH_INFO" and "?QUERY" if there are any;
/// "file PATH"; "301 LOCATION"; "404".
std::string Describe(const Route& route) {
  return std::visit(
      [](const auto& to) -> std::string {
        using To = std::decay_t<decltype(to)>;
        if constexpr (std::is_same_v<To, StaticFile>) {
          return "file " + to.path;
        } else if constexpr (std::is_same_v<To, PhpScript>) {
          std::string text = "php " + to.script.name;
          if (!to.script.path_info.empty()) text += " info=" + to.script.path_info;
          return to.query.empty() ? text : text + " ?" + to.query;
        } else if constexpr (std::is_same_v<To, Redirect>) {
          return std::to_string(to.status) + " " + to.location;
        } else {
          return std::to_string(to.status);
        }
      },
      route);
}

/// A small WordPress-like site.
class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    for (const char* path :
         {"index.php", "hello.php", "wp-login.php", "wp-config.php", "readme.html", "a b.txt",
          "wp-admin/index.php", "wp-admin/edit.php", "wp-admin/css/a.css", "docs/index.html",
          "both/index.php", "both/index.html", "uploads/a.gif", "uploads/video.mp4",
          "php/xxx/yyy.php", "plugin.php/asset.css", "plugin.php/run.php", "style.css"}) {
      tree_.File(std::string("www/") + path);
    }
    tree_.Folder("www/empty");
    config_.document_root = tree_.root();
  }

  Route Resolve(std::string_view target, std::string_view method = "GET") {
    if (!router_) router_.emplace(config_);
    return router_->Resolve(method, target);
  }
  std::string Get(std::string_view target) { return Describe(Resolve(target)); }
  std::string Ask(std::string_view method, std::string_view target) {
    return Describe(Resolve(target, method));
  }

  SiteTree tree_;
  config::ServerConfig config_;
  std::optional<Router> router_;
};

TEST_F(RouterTest, RunsTheScriptThatThePathNames) {
  EXPECT_EQ(Get("/hello.php"), "php /hello.php");
  EXPECT_EQ(Get("/hello.php?a=1&b=%20"), "php /hello.php ?a=1&b=%20");
  EXPECT_EQ(Get("/wp-admin/edit.php"), "php /wp-admin/edit.php");
  EXPECT_EQ(Get("/wp-admin/edit.php?post_type=page"), "php /wp-admin/edit.php ?post_type=page");
  EXPECT_EQ(Get("http://host/hello.php?a"), "php /hello.php ?a");
  EXPECT_EQ(Get("/hello%2Ephp"), "php /hello.php");
  EXPECT_EQ(Get("//wp-admin//edit.php"), "php /wp-admin/edit.php");
}

TEST_F(RouterTest, DescribesAScriptInTheWordsOfCgi) {
  const Route route = Resolve("/wp-admin/edit.php/a%20b//c?q");
  const auto& php = std::get<PhpScript>(route);
  EXPECT_EQ(php.script.document_root, tree_.root());
  EXPECT_EQ(php.script.name, "/wp-admin/edit.php");
  EXPECT_EQ(php.script.filename, tree_.root() + "/wp-admin/edit.php");
  EXPECT_EQ(php.script.path_info, "/a b/c");
  EXPECT_EQ(php.query, "q");
}

TEST_F(RouterTest, SplitsPathInfoOffAnExistingScript) {
  EXPECT_EQ(Get("/index.php/en"), "php /index.php info=/en");
  EXPECT_EQ(Get("/index.php/about/?a"), "php /index.php info=/about/ ?a");
  EXPECT_EQ(Get("/index.php/"), "php /index.php info=/");
  EXPECT_EQ(Get("/index.php/a/b.php"), "php /index.php info=/a/b.php");
  EXPECT_EQ(Get("/index.php/style.css"), "php /index.php info=/style.css");
  EXPECT_EQ(Get("/index.php/%0a"), "php /index.php info=/\n");
  EXPECT_EQ(Get("/php/xxx/yyy.php"), "php /php/xxx/yyy.php");
  EXPECT_EQ(Get("/php/xxx/yyy.php/zzz"), "php /php/xxx/yyy.php info=/zzz");
}

TEST_F(RouterTest, DoesNotTakeAFolderForAScript) {
  EXPECT_EQ(Get("/plugin.php/asset.css"), "file /plugin.php/asset.css");
  EXPECT_EQ(Get("/plugin.php/run.php/x"), "php /plugin.php/run.php info=/x");
  EXPECT_EQ(Get("/plugin.php"), "301 /plugin.php/");
}

TEST_F(RouterTest, NeverRunsAFileThatDoesNotEndInPhp) {
  EXPECT_EQ(Get("/uploads/a.gif/x.php"), "404");
  EXPECT_EQ(Get("/uploads/a.gif/.php"), "404");
  EXPECT_EQ(Get("/uploads/a.gif%00.php"), "400");
  EXPECT_EQ(Get("/uploads/a.gif%0a.php"), "404");
  EXPECT_EQ(Get("/uploads/a.gif/"), "php /index.php");
  EXPECT_EQ(Get("/readme.html/x.php/y"), "404");
}

TEST_F(RouterTest, ComparesTheExtensionByteByByte) {
  // U+023A becomes longer and U+212A, the Kelvin sign, shorter when Unicode lowers their case.
  tree_.File("www/upload/\xE2\x84\xAA.txt");
  EXPECT_EQ(Get("/x/%C8%BA%C8%BA%C8%BA.php/a.txt"), "404");
  EXPECT_EQ(Get("/upload/%E2%84%AA.txt/%C8%BA.php"), "404");
  EXPECT_EQ(Get("/upload/%E2%84%AA.txt/x.%E2%84%AAphp"), "php /index.php");
}

TEST_F(RouterTest, HasNoFallbackForAMissingScript) {
  EXPECT_EQ(Get("/none.php"), "404");
  EXPECT_EQ(Get("/none.php?a=1"), "404");
  EXPECT_EQ(Get("/none.php/about"), "404");
  EXPECT_EQ(Get("/wp-admin/none.php"), "404");
}

TEST_F(RouterTest, NeverShowsWhatLooksLikeSource) {
  for (const char* name :
       {"wp-config.php~", "wp-config.php.bak", "wp-config.php.swp", "wp-config.php.", "x.PHP",
        "x.Php", "x.phtml", "x.phar", "x.phps", "x.php5", "wp-config.php ", "x.php.txt", "x.inc",
        "dump.sql", "php.ini", "style.css~", "x.orig"}) {
    tree_.File(std::string("www/") + name, "<?php secret();");
    EXPECT_EQ(Get(EncodeUrl(std::string("/") + name, UrlPart::kPath)), "404") << name;
    tree_.File(std::string("www/deep/er/") + name, "<?php secret();");
    EXPECT_EQ(Get(EncodeUrl(std::string("/deep/er/") + name, UrlPart::kPath)), "404") << name;
  }
  EXPECT_EQ(Get("/wp-config.php%20"), "404");
  EXPECT_EQ(Get("/wp-config.ph%70~"), "404");
}

TEST_F(RouterTest, DoesNotWakePhpForSourceThatIsNotThere) {
  for (const char* target :
       {"/none.php.bak", "/none.PHP", "/none.phtml", "/none.phar", "/none.php~"}) {
    EXPECT_EQ(Get(target), "404") << target;
  }
  EXPECT_EQ(Get("/export/table.sql"), "php /index.php") << "an application may make it";
}

TEST_F(RouterTest, HidesNamesThatBeginWithADot) {
  for (const char* path : {".env", ".git/config", ".htaccess", ".user.ini", "wp-admin/.htpasswd",
                           "uploads/.private/a.txt"}) {
    tree_.File(std::string("www/") + path);
    EXPECT_EQ(Get(std::string("/") + path), "404") << path;
  }
  EXPECT_EQ(Get("/%2eenv"), "404");
  EXPECT_EQ(Get("/.git/"), "404");
  EXPECT_EQ(Get("/.none"), "404") << "the same as for one that is there";
  EXPECT_EQ(Get("/index.php/.env"), "404");
}

TEST_F(RouterTest, ServesWellKnown) {
  tree_.File("www/.well-known/acme-challenge/token");
  tree_.File("www/.well-known/.env");
  EXPECT_EQ(Get("/.well-known/acme-challenge/token"), "file /.well-known/acme-challenge/token");
  EXPECT_EQ(Get("/.well-known/assetlinks.json"), "php /index.php");
  EXPECT_EQ(Get("/.well-known/.env"), "404");
  EXPECT_EQ(Get("/index.php/.well-known/webfinger"), "php /index.php info=/.well-known/webfinger");
}

TEST_F(RouterTest, ServesStaticFiles) {
  EXPECT_EQ(Get("/style.css"), "file /style.css");
  EXPECT_EQ(Get("/style.css?ver=6.9"), "file /style.css");
  EXPECT_EQ(Get("/wp-admin/css/a.css"), "file /wp-admin/css/a.css");
  EXPECT_EQ(Get("/a%20b.txt"), "file /a b.txt");
  EXPECT_EQ(Get("/wp-admin%2Fcss/./a.css"), "file /wp-admin/css/a.css");

  tree_.File("www/ten.txt", "0123456789");
  const Route route = Resolve("/ten.txt");
  const auto& file = std::get<StaticFile>(route);
  EXPECT_EQ(file.size, 10u);
  EXPECT_EQ(file.content_type, "text/plain; charset=utf-8");
  struct stat facts {};
  ASSERT_EQ(::stat(tree_.Path("www/ten.txt").c_str(), &facts), 0);
  EXPECT_EQ(file.modified_ns, facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec);
  char bytes[16];
  EXPECT_EQ(::read(file.file.get(), bytes, sizeof bytes), 10);
}

TEST_F(RouterTest, TakesOnlyReadingMethodsForStaticFiles) {
  EXPECT_EQ(Ask("HEAD", "/style.css"), "file /style.css");
  EXPECT_EQ(Ask("OPTIONS", "/style.css"), "file /style.css");
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "PROPFIND", "get"}) {
    const Route route = Resolve("/style.css", method);
    ASSERT_TRUE(std::holds_alternative<Reject>(route)) << method;
    EXPECT_EQ(std::get<Reject>(route).status, 405) << method;
    EXPECT_EQ(std::get<Reject>(route).allow, "GET, HEAD, OPTIONS") << method;
  }
  EXPECT_EQ(Ask("POST", "/docs/"), "405");
}

TEST_F(RouterTest, LetsScriptsSeeEveryMethodButTraceAndConnect) {
  for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND",
                             "REPORT", "CUSTOM"}) {
    EXPECT_EQ(Ask(method, "/hello.php"), "php /hello.php") << method;
    EXPECT_EQ(Ask(method, "/about/"), "php /index.php") << method;
  }
  for (const char* method : {"TRACE", "TRACK", "CONNECT"}) {
    for (const char* target : {"/hello.php", "/style.css", "/about/", "host:443"}) {
      const Route route = Resolve(target, method);
      ASSERT_TRUE(std::holds_alternative<Reject>(route)) << method;
      EXPECT_EQ(std::get<Reject>(route).status, 405) << method;
      EXPECT_FALSE(std::get<Reject>(route).allow.empty()) << method;
    }
  }
  EXPECT_EQ(Ask("OPTIONS", "*"), "400");
}

TEST_F(RouterTest, GivesTheRestToTheFrontController) {
  const Route route = Resolve("/about/?a=1&b");
  const auto& php = std::get<PhpScript>(route);
  EXPECT_EQ(php.script.name, "/index.php");
  EXPECT_EQ(php.script.filename, tree_.root() + "/index.php");
  EXPECT_EQ(php.script.path_info, "");
  EXPECT_EQ(php.query, "a=1&b");

  EXPECT_EQ(Get("/about"), "php /index.php");
  EXPECT_EQ(Get("/2024/05/hello-world/"), "php /index.php");
  EXPECT_EQ(Get("/%E6%97%A5%E6%9C%AC%E8%AA%9E/"), "php /index.php");
  EXPECT_EQ(Get("/caf%E9/"), "php /index.php");
  EXPECT_EQ(Get("/tag/a%2Fb/"), "php /index.php");
  EXPECT_EQ(Get("/a+b"), "php /index.php");
  EXPECT_EQ(Get("/version/1.2"), "php /index.php");
  EXPECT_EQ(Get("/wp-json/wp/v2/posts?per_page=1"), "php /index.php ?per_page=1");
  EXPECT_EQ(Get("/" + std::string(2000, 'x')), "php /index.php") << "longer than a file name";
  EXPECT_EQ(Get("/" + std::string(9000, 'x')), "php /index.php") << "longer than a path";
}

TEST_F(RouterTest, AnswersAFolderWithItsIndex) {
  EXPECT_EQ(Get("/"), "php /index.php");
  EXPECT_EQ(Get("/?p=1"), "php /index.php ?p=1");
  EXPECT_EQ(Get("http://host"), "php /index.php");
  EXPECT_EQ(Get("/wp-admin/"), "php /wp-admin/index.php");
  EXPECT_EQ(Get("//wp-admin//?a"), "php /wp-admin/index.php ?a");
  EXPECT_EQ(Get("/docs/"), "file /docs/index.html");
  EXPECT_EQ(Get("/both/"), "php /both/index.php") << "the first in index_files";
  EXPECT_EQ(Get("/empty/"), "php /index.php") << "no index: on to the fallback";
  EXPECT_EQ(Get("/uploads/"), "php /index.php");
}

TEST_F(RouterTest, TakesTheIndexFilesInTheirOrder) {
  config_.index_files = {"index.html", "index.php"};
  EXPECT_EQ(Get("/both/"), "file /both/index.html");
  EXPECT_EQ(Get("/wp-admin/"), "php /wp-admin/index.php");
}

TEST_F(RouterTest, SendsAFolderWithoutSlashToTheOneWithIt) {
  EXPECT_EQ(Get("/wp-admin"), "301 /wp-admin/");
  EXPECT_EQ(Get("/wp-admin?x=1&y=%20"), "301 /wp-admin/?x=1&y=%20");
  EXPECT_EQ(Get("/wp-admin?"), "301 /wp-admin/");
  EXPECT_EQ(Get("http://other:81/wp-admin/css"), "301 /wp-admin/css/");
  EXPECT_EQ(Get("/empty"), "301 /empty/");
  EXPECT_EQ(Get("//wp-admin"), "301 /wp-admin/") << "one slash, or it names a host";
}

TEST_F(RouterTest, EncodesTheLocationThatItSends) {
  tree_.Folder("www/evil.example");
  tree_.Folder("www/a b?\xC3\xA9\r\nSet-Cookie: x");
  EXPECT_EQ(Get("//evil.example"), "301 /evil.example/");
  EXPECT_EQ(Get("/a%20b%3F%C3%A9%0D%0ASet-Cookie:%20x"),
            "301 /a%20b%3F%C3%A9%0D%0ASet-Cookie:%20x/");
}

TEST_F(RouterTest, RefusesATargetWithoutASafePath) {
  for (const char* target :
       {"/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2fetc/passwd", "/%252e%252e/etc/passwd",
        "/wp-admin/../hello.php", "/..%5cetc", "/a\\b", "/style.css%00.php", "/%", "/%zz",
        "/%c0%ae%c0%ae/etc/passwd", "/%c0%afetc", "/index.php/../../etc", "*", "", "style.css"}) {
    EXPECT_EQ(Get(target), "400") << target;
  }
}

TEST_F(RouterTest, RefusesAPathThatLeavesTheRoot) {
  tree_.File("secret.txt");
  tree_.File("secret.php");
  tree_.File("www2/secret.php");
  tree_.Link("www/link.txt", "../secret.txt");
  tree_.Link("www/link.php", "../secret.php");
  tree_.Link("www/absolute.php", tree_.Path("secret.php"));
  tree_.Link("www/www2", tree_.Path("www2"));
  tree_.Link("www/sub", "../www2");
  config_.fallback = {"$uri", "$uri/", "=404"};
  for (const char* target : {"/link.txt", "/link.php", "/absolute.php", "/www2/secret.php",
                             "/sub/secret.php", "/www2", "/sub/"}) {
    EXPECT_EQ(Get(target), "404") << target;
  }
}

TEST_F(RouterTest, FollowsLinksInsideTheRoot) {
  tree_.Link("www/link.css", "style.css");
  tree_.Link("www/link.php", "wp-admin/edit.php");
  tree_.Link("www/admin", tree_.root() + "/wp-admin");
  tree_.Link("www/disguise.php", "uploads/a.gif");
  EXPECT_EQ(Get("/link.css"), "file /link.css");
  EXPECT_EQ(Get("/link.php"), "php /link.php");
  EXPECT_EQ(Get("/admin/"), "php /admin/index.php");
  EXPECT_EQ(Get("/admin/edit.php"), "php /admin/edit.php");
}

TEST_F(RouterTest, AnswersForMissingStaticFilesItself) {
  for (const char* target : {"/none.css", "/wp-content/none.js?ver=1", "/none.PNG", "/none.woff2",
                             "/a/none.jpg", "/a.b.map", "/sub/favicon.ico", "/index/none.mp4"}) {
    EXPECT_EQ(Get(target), "404") << target;
  }
  EXPECT_EQ(Get("/none.jpg/"), "php /index.php") << "a slash makes it a permalink";
  EXPECT_EQ(Get("/none.pdf"), "php /index.php") << "not a static extension";
}

TEST_F(RouterTest, LeavesVirtualFilesToTheApplication) {
  config_.static_extensions = {"xml", "txt", "ico", ".xsl", "JSON", "css"};
  for (const char* target :
       {"/robots.txt", "/favicon.ico", "/sitemap.xml", "/wp-sitemap.xml", "/sitemap_index.xml",
        "/wp-sitemap-posts-post-1.xml", "/main-sitemap.xsl", "/blog/sitemap.xml", "/feed.xml",
        "/blog/atom.xml", "/feed.json", "/feed/", "/ads.txt", "/.well-known/security.txt"}) {
    EXPECT_EQ(Get(target), "php /index.php") << target;
  }
  for (const char* target : {"/other.txt", "/other.xml", "/other.xsl", "/other.json", "/x.css"}) {
    EXPECT_EQ(Get(target), "404") << target;
  }
}

TEST_F(RouterTest, ServesVirtualFilesThatExist) {
  tree_.File("www/robots.txt");
  tree_.File("www/favicon.ico");
  EXPECT_EQ(Get("/robots.txt"), "file /robots.txt");
  EXPECT_EQ(Get("/favicon.ico"), "file /favicon.ico");
}

TEST_F(RouterTest, WakesPhpForMissingStaticFilesIfTold) {
  config_.missing_static_404 = false;
  EXPECT_EQ(Get("/none.css"), "php /index.php");
}

TEST_F(RouterTest, EndsTheFallbackWithAStatus) {
  config_.fallback = {"$uri", "$uri/", "=404"};
  EXPECT_EQ(Get("/about/"), "404");
  EXPECT_EQ(Get("/style.css"), "file /style.css");
  EXPECT_EQ(Get("/hello.php"), "php /hello.php");
  router_.reset();
  config_.fallback = {"$uri", "=410"};
  EXPECT_EQ(Get("/about/"), "410");
  EXPECT_EQ(Get("/wp-admin"), "410") << "only $uri/ asks for folders";
}

TEST_F(RouterTest, ExpandsVariablesInTheFallback) {
  tree_.File("www/page.html");
  tree_.File("www/tool.php");
  tree_.File("www/cache/page/index.html");
  config_.fallback = {"$uri", "$uri.html", "$uri.php", "/cache$uri/index.html",
                      "/index.php?q=$uri&$args"};
  EXPECT_EQ(Get("/page"), "file /page.html");
  EXPECT_EQ(Get("/tool?a=1"), "php /tool.php ?a=1") << "a script runs wherever it is found";
  EXPECT_EQ(Get("/page/"), "file /cache/page/index.html");
  EXPECT_EQ(Get("/a%20b/c&d?e=$uri"), "php /index.php ?q=/a%20b/c%26d&e=$uri");
  EXPECT_EQ(Get("/$uri/$query_string"), "php /index.php ?q=/%24uri/%24query_string&");
}

TEST_F(RouterTest, KnowsTheSpellingsOfTheQuery) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"/index.php?$query_string", "php /index.php ?a=1"},
      {"/index.php?$args", "php /index.php ?a=1"},
      {"/index.php$is_args$args", "php /index.php ?a=1"},
      {"/index.php$is_args$query_string", "php /index.php ?a=1"},
      {"/index.php?x=y&$args", "php /index.php ?x=y&a=1"},
      {"/index.php", "php /index.php"},
  };
  for (const auto& [entry, route] : cases) {
    config_.fallback = {"$uri", entry};
    router_.reset();
    EXPECT_EQ(Get("/about/?a=1"), route) << entry;
  }
}

TEST_F(RouterTest, AnswersWithAFixedPage) {
  config_.fallback = {"$uri", "/docs/"};
  EXPECT_EQ(Get("/about"), "file /docs/index.html");
  router_.reset();
  config_.fallback = {"$uri", "/readme.html"};
  EXPECT_EQ(Get("/about"), "file /readme.html");
}

TEST_F(RouterTest, IsNotFoundIfTheFallbackIsNotThere) {
  config_.fallback = {"$uri", "/none.php?$args"};
  EXPECT_EQ(Get("/about/"), "404");
  router_.reset();
  config_.fallback = {"$uri", "$uri/"};
  EXPECT_EQ(Get("/about/"), "404");
  router_.reset();
  config_.fallback = {};
  EXPECT_EQ(Get("/style.css"), "404");
  EXPECT_EQ(Get("/hello.php"), "php /hello.php");
}

TEST_F(RouterTest, SaysForbiddenForWhatItMayNotRead) {
  tree_.Mode("www/style.css", 0);
  tree_.Mode("www/docs", 0);
  Get("/");
  {
    const WithoutRootRights nobody;
    EXPECT_EQ(Get("/style.css"), "403");
    EXPECT_EQ(Get("/docs/index.html"), "403");
    EXPECT_EQ(Get("/docs/"), "403");
    EXPECT_EQ(Get("/docs/a.php"), "403");
  }
  tree_.Mode("www/docs", 0755);
}

TEST_F(RouterTest, IsUnavailableRatherThanNotFoundWithoutDescriptors) {
  Get("/");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 0;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const std::string file = Get("/style.css");
  const std::string script = Get("/wp-admin/edit.php");
  const std::string page = Get("/about/");
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(file, "503");
  EXPECT_EQ(script, "503");
  EXPECT_EQ(page, "503");
}

TEST_F(RouterTest, RefusesSettingsThatMeanNothing) {
  const auto refusal = [&]() -> std::string {
    try {
      const Router router(config_);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(), "accepted");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"index.php", "server.fallback: \"index.php\" starts with neither"},
      {"", "server.fallback: \"\" starts with neither"},
      {"=200", "server.fallback: \"=200\" is not an error status"},
      {"=4xx", "server.fallback: \"=4xx\" is not an error status"},
      {"=4040", "server.fallback: \"=4040\" is not an error status"},
      {"/$host/a", "server.fallback: \"/$host/a\" has an unknown variable"},
      {"/a?$request_uri", "server.fallback: \"/a?$request_uri\" has an unknown variable"},
      {"@php", "server.fallback: \"@php\" starts with neither"},
  };
  for (const auto& [entry, reason] : cases) {
    config_.fallback = {"$uri", entry};
    EXPECT_EQ(refusal().substr(0, reason.size()), reason);
  }
  config_.fallback = {"=404", "$uri"};
  EXPECT_EQ(refusal(), "server.fallback: \"=404\" can only be the last entry");
  config_.fallback = {"$uri"};
  config_.index_files = {"sub/index.php"};
  EXPECT_EQ(refusal(), "server.index_files: \"sub/index.php\" is not the name of a file");
  config_.index_files = {};
  config_.document_root = tree_.Path("none");
  EXPECT_EQ(refusal().substr(0, 21), "server.document_root:");
}

}  // namespace
}  // namespace ephpm::server
