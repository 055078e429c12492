#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/apps/browser.h"
#include "tests/apps/html.h"
#include "tests/apps/png.h"
#include "tests/apps/same_page.h"
#include "tests/apps/wordpress_admin.h"
#include "tests/apps/wordpress_fixture.h"
#include "tests/apps/wordpress_site.h"

namespace ephpm::apps {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The text is somewhere in the page.
MATCHER_P(Shows, text, std::string(negation ? "does not show " : "shows ") + text) {
  return arg.body.find(text) != std::string::npos;
}

/// An <h1>, with whatever attributes, begins with the text.
MATCHER_P(HasHeading, text, std::string("has the heading ") + text) {
  return std::regex_search(arg.body, std::regex(std::string("<h1[^>]*>\\s*") + text));
}

/// Longer than what the server keeps of a body in memory.
constexpr ImageSize kLargeImage{800, 400};

/// How many ask for a page at the same time, and how many threads answer at most.
constexpr int kVisitors = 8;

/// Checks that `address` shows a PNG of that size to everybody.
void ExpectImage(Browser& browser, const std::string& address, ImageSize size) {
  const Page image = browser.Open(address);
  EXPECT_EQ(image.status, 200) << address;
  EXPECT_EQ(image.Header("Content-Type"), "image/png") << address;
  const std::optional<ImageSize> found = ReadPngSize(image.body);
  ASSERT_TRUE(found) << address;
  EXPECT_EQ(*found, size) << address;
}

TEST_F(FreshWordPress, InstallsThroughItsWebInstaller) {
  Browser browser = site().Visitor();

  const Page first = browser.Open("/");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.target, "/wp-admin/install.php");
  EXPECT_THAT(first, Shows("id=\"setup\""));

  const Page done = InstallWordPress(browser);
  EXPECT_EQ(done.status, 200);
  EXPECT_EQ(done.target, "/wp-admin/install.php?step=2");
  EXPECT_THAT(done, AllOf(Shows("Success!"), Shows(kAdministrator)));
  EXPECT_THAT(site().Mail(),
              AllOf(HasSubstr("To: master@example.test"), HasSubstr("New WordPress Site")));

  EXPECT_THAT(browser.Open("/wp-admin/install.php"), Shows("Already Installed"));
  EXPECT_THAT(browser.Open("/"), Shows(kSiteTitle));
}

TEST_F(WordPress, LetsTheAdministratorInWithTheRightPasswordOnly) {
  Browser browser = site().Visitor();
  const Page login = browser.Open("/wp-admin/");
  EXPECT_THAT(login.target, StartsWith("/wp-login.php?redirect_to="));

  const Page refused = LogIn(browser, login, "something else");
  EXPECT_EQ(refused.status, 200);
  EXPECT_THAT(refused, Shows("id=\"login_error\""));
  EXPECT_FALSE(browser.cookies().Has("wordpress_logged_in_"));

  const Page dashboard = LogIn(browser, login, kPassword);
  EXPECT_EQ(dashboard.status, 200);
  EXPECT_EQ(dashboard.target, "/wp-admin/");
  EXPECT_TRUE(browser.cookies().Has("wordpress_logged_in_"));
  EXPECT_THAT(dashboard, AllOf(Shows("id=\"adminmenu\""), Shows("<h1>Dashboard</h1>"),
                               Shows("edit.php?post_type=page")));
}

TEST_F(WordPress, RedirectsAFolderToItsSlashOnTheAddressTheVisitorTyped) {
  Browser browser = site().Visitor();
  const Response response = browser.Send(Request{.target = "/wp-admin"});
  EXPECT_EQ(response.status, 301);
  EXPECT_EQ(browser.Resolve(response.Header("Location")), "/wp-admin/");
}

TEST_F(WordPress, OpensEveryAdminScreen) {
  Browser& browser = administrator().browser();
  const std::pair<const char*, const char*> kScreens[] = {
      {"/wp-admin/index.php", "Dashboard"},
      {"/wp-admin/edit.php", "Posts"},
      {"/wp-admin/edit.php?post_type=page", "Pages"},
      {"/wp-admin/edit-tags.php?taxonomy=category", "Categories"},
      {"/wp-admin/upload.php?mode=list", "Media Library"},
      {"/wp-admin/media-new.php", "Upload New Media"},
      {"/wp-admin/edit-comments.php", "Comments"},
      {"/wp-admin/themes.php", "Themes"},
      {"/wp-admin/plugins.php", "Plugins"},
      {"/wp-admin/users.php", "Users"},
      {"/wp-admin/profile.php", "Profile"},
      {"/wp-admin/tools.php", "Tools"},
      {"/wp-admin/site-health.php", "Site Health"},
      {"/wp-admin/options-general.php", "General Settings"},
      {"/wp-admin/options-permalink.php", "Permalink Settings"},
      {"/wp-admin/post-new.php", "Add "},
  };
  for (const auto& [target, heading] : kScreens) {
    const Page screen = browser.Open(target);
    EXPECT_EQ(screen.status, 200) << target;
    EXPECT_EQ(screen.target, target);
    EXPECT_THAT(screen, HasHeading(heading)) << target;
    EXPECT_THAT(screen, Shows("</html>")) << target;
  }
}

TEST_F(WordPress, MakesThumbnailsOfAnImageUploadedWithAForm) {
  const std::string png = MakePng(kLargeImage);
  const json image = administrator().UploadWithForm("mole head.png", png);
  EXPECT_EQ(image["width"], kLargeImage.width);
  EXPECT_EQ(image["height"], kLargeImage.height);

  Browser visitor = site().Visitor();
  EXPECT_TRUE(visitor.Open(image["url"]).body == png);
  EXPECT_THAT(image["url"].get<std::string>(), HasSubstr("/wp-content/uploads/"));
  ExpectImage(visitor, image["url"], kLargeImage);
  ExpectImage(visitor, image["sizes"]["thumbnail"]["url"], {150, 150});
  ExpectImage(visitor, image["sizes"]["medium"]["url"], {300, 150});
}

TEST_F(WordPress, StoresAnImageThatIsTheWholeBody) {
  const std::string png = MakePng(kLargeImage);
  const json image = administrator().UploadOverRest("breakwater.png", png);
  Browser visitor = site().Visitor();
  EXPECT_TRUE(visitor.Open(image["source_url"]).body == png);
  ExpectImage(visitor, image["media_details"]["sizes"]["thumbnail"]["source_url"], {150, 150});
}

TEST_F(WordPress, ShowsAPublishedPostWithItsImageUnderItsName) {
  const PublishedPost& post = published_post();
  EXPECT_EQ(post.path, "/boats-bollards/");

  Browser visitor = site().Visitor();
  const Page page = visitor.Open(post.path);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.target, post.path);
  EXPECT_THAT(page, AllOf(Shows("Boats &#038; Bollards</h1>"),
                          Shows("Seventeen boats, <em>one</em> bollard.")));
  const std::string image = FindAttribute(page.body, "alt=\"A boat at its bollard\"", "src");
  ExpectImage(visitor, image, post.image_size);
  EXPECT_THAT(FindAttribute(page.body, "wp-post-image", "srcset"), HasSubstr(" 300w"));

  // Its plain address leads to the same place, and the front page links to it.
  EXPECT_EQ(visitor.Open("/?p=" + std::to_string(post.id)).target, post.path);
  EXPECT_THAT(visitor.Open("/"), Shows(post.path));
}

TEST_F(WordPress, AnswersAnUnknownAddressWithItsOwnPage) {
  published_post();
  Browser visitor = site().Visitor();
  const Page page = visitor.Open("/no/such/berth/");
  EXPECT_EQ(page.status, 404);
  EXPECT_THAT(page.Header("Content-Type"), StartsWith("text/html"));
  EXPECT_THAT(page, AllOf(Shows("error404"), Shows(kSiteTitle), Shows("</html>")));
}

TEST_F(WordPress, ServesFeedSitemapRobotsAndRestWithoutFilesOfThatName) {
  const PublishedPost& post = published_post();
  Browser visitor = site().Visitor();

  const Page feed = visitor.Open("/feed/");
  EXPECT_EQ(feed.status, 200);
  EXPECT_THAT(feed.Header("Content-Type"), StartsWith("application/rss+xml"));
  EXPECT_THAT(feed.body.substr(0, 5), "<?xml");
  EXPECT_THAT(feed, AllOf(Shows(post.path), Shows("</rss>")));

  const Page sitemap = visitor.Open("/wp-sitemap.xml");
  EXPECT_EQ(sitemap.status, 200);
  EXPECT_THAT(sitemap.Header("Content-Type"), StartsWith("application/xml"));
  EXPECT_THAT(sitemap.body.substr(0, 5), "<?xml");
  EXPECT_THAT(sitemap, Shows("wp-sitemap-posts-post-1.xml"));
  EXPECT_THAT(visitor.Open("/wp-sitemap-posts-post-1.xml"), Shows(post.path));

  EXPECT_THAT(visitor.Open("/robots.txt"), Shows("Disallow: /wp-admin/"));

  const Page rest = visitor.Open("/wp-json/wp/v2/posts?per_page=100");
  EXPECT_EQ(rest.status, 200);
  EXPECT_THAT(rest.Header("Content-Type"), StartsWith("application/json"));
  std::vector<int> ids;
  for (const json& listed : json::parse(rest.body)) ids.push_back(listed["id"]);
  EXPECT_THAT(ids, testing::Contains(post.id));
}

TEST_F(WordPress, HoldsAVisitorsCommentUntilItIsApproved) {
  const PublishedPost& post = published_post();
  Browser visitor = site().Visitor();
  const Page page = visitor.Open(post.path);
  Form form = FindForm(page.body, "id=\"commentform\"");
  form.Set("author", "Ishmael");
  form.Set("email", "ishmael@example.test");
  form.Set("comment", "Which bollard is \"one\"? + 100% sure");
  form.Set("submit", "Post Comment");

  const Page held = visitor.Submit(page, form);
  EXPECT_EQ(held.status, 200);
  EXPECT_THAT(held.target, AllOf(StartsWith(post.path), HasSubstr("unapproved=")));
  EXPECT_THAT(held, Shows("awaiting moderation"));
  EXPECT_THAT(site().Visitor().Open(post.path), Not(Shows("Which bollard")));
  EXPECT_THAT(site().Mail(), HasSubstr("is waiting for your approval"));

  const std::string id = Between(held.target, "unapproved=", "&");
  administrator().Rest("wp/v2/comments/" + id, {{"status", "approved"}});
  EXPECT_THAT(site().Visitor().Open(post.path), AllOf(Shows("Ishmael"), Shows("+ 100% sure")));
}

TEST_F(WordPress, KeepsTheAdministratorsPagesFromVisitors) {
  const PublishedPost& post = published_post();
  const json draft =
      administrator().Rest("wp/v2/posts", {{"title", "A secret cove"}, {"status", "draft"}});
  const std::string preview = "/?p=" + draft["id"].dump() + "&preview=true";
  // Twice as often as there are threads, so that the visitor comes to one that served the other.
  for (int i = 0; i < 2 * kThreads; ++i) {
    Browser& browser = administrator().browser();
    EXPECT_THAT(browser.Open(post.path), Shows("id=\"wpadminbar\""));
    EXPECT_THAT(browser.Open(preview), Shows("A secret cove</h1>"));

    Browser visitor = site().Visitor();
    const Page page = visitor.Open(post.path);
    EXPECT_THAT(page, AllOf(Not(Shows("wpadminbar")), Not(Shows("_wpnonce"))));
    const Page hidden = visitor.Open(preview);
    EXPECT_EQ(hidden.status, 404);
    EXPECT_THAT(hidden, Not(Shows("A secret cove")));
    EXPECT_THAT(visitor.Open("/wp-admin/edit.php").target, StartsWith("/wp-login.php"));
  }
}

TEST_F(WordPress, LogsOut) {
  Administrator leaving(site());
  Browser& browser = leaving.browser();
  const Page dashboard = browser.Open("/wp-admin/");
  const Page bye = browser.Open(FindAttribute(dashboard.body, "action=logout", "href"));
  EXPECT_EQ(bye.status, 200);
  EXPECT_THAT(bye, Shows("logged out"));
  EXPECT_FALSE(browser.cookies().Has("wordpress_logged_in_"));
  EXPECT_THAT(browser.Open("/wp-admin/").target, StartsWith("/wp-login.php"));
  // The other session of the same user goes on.
  EXPECT_EQ(administrator().browser().Open("/wp-admin/").target, "/wp-admin/");
}

/// A page that many ask for at once. Value type.
struct SharedPage {
  std::string target;
  int status = 200;
  CookieJar cookies = {};  ///< of who asks
  bool changes = false;    ///< has nonces and times in it
};

/// The pages that must be the same from every thread.
std::vector<SharedPage> SharedPages(const PublishedPost& post, const CookieJar& administrator) {
  std::vector<SharedPage> pages = {
      {"/"},
      {post.path},
      {"/sample-page/"},
      {"/hello-world/"},
      {"/category/uncategorized/"},
      {std::string("/author/") + kAdministrator + '/'},
      {"/?s=bollard"},
      {"/feed/"},
      {"/comments/feed/"},
      {"/wp-sitemap-posts-post-1.xml"},
      {"/robots.txt"},
      {"/wp-json/wp/v2/posts"},
      {"/wp-login.php"},
      {"/no-such-page/", 404},
      {"/wp-json/wp/v2/users/me", 401},
  };
  for (const char* target :
       {"/", "/wp-admin/", "/wp-admin/edit.php", "/wp-admin/edit-tags.php?taxonomy=category"}) {
    pages.push_back({target, 200, administrator, true});
  }
  return pages;
}

/// Checks that all visitors who ask at once get `page`, and with the body `expected`, which the
/// first of all sets.
void ExpectSamePage(const WordPressSite& site, const SharedPage& page,
                    std::optional<std::string>& expected) {
  SCOPED_TRACE(page.target);
  std::vector<Response> responses(kVisitors);
  blackbox::InParallel(kVisitors, [&](int i) {
    responses[static_cast<std::size_t>(i)] =
        site.Visitor(page.cookies).Send(Request{.target = page.target});
  });
  for (const Response& response : responses) {
    ASSERT_EQ(response.status, page.status);
    ASSERT_FALSE(response.body.empty());
    const std::string body = page.changes ? Masked(response.body) : response.body;
    if (!expected) expected = body;
    ASSERT_TRUE(IsSame(*expected, body));
  }
}

TEST_F(WordPress, ServesIdenticalPagesFromOneThreadAndFromEight) {
  const std::vector<SharedPage> pages =
      SharedPages(published_post(), administrator().browser().cookies());
  std::vector<std::optional<std::string>> bodies(pages.size());
  for (const int threads : {1, kVisitors}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    Restart(threads);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      ExpectSamePage(site(), pages[i], bodies[i]);
    }
  }
}

TEST_F(WordPress, WouldShowAWarningInTheLog) {
  site().Write("warn.php", "<?php trigger_error('" + std::string(kProbe) + "', E_USER_WARNING);");
  EXPECT_EQ(site().Visitor().Open("/warn.php").status, 200);
  EXPECT_TRUE(blackbox::Eventually([&] {
    for (const std::string& line : site().Complaints()) {
      if (line.find(kProbe) != std::string::npos) return true;
    }
    return false;
  }));
}

}  // namespace
}  // namespace ephpm::apps
