#include "tests/apps/wordpress_fixture.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace ephpm::apps {
namespace {

constexpr ImageSize kPhotoSize{640, 480};

std::vector<std::string> RealComplaints(const WordPressSite& site) {
  std::vector<std::string> complaints;
  for (std::string& line : site.Complaints()) {
    if (line.find(kProbe) == std::string::npos) complaints.push_back(std::move(line));
  }
  return complaints;
}

/// A new site with a server. Nothing: it cannot be had, and `why` says the reason.
std::unique_ptr<WordPressSite> StartSite(std::string& why) {
  try {
    auto site = std::make_unique<WordPressSite>();
    site->Start(kThreads);
    return site;
  } catch (const WordPressUnavailable& reason) {
    // The words by which CTest counts the test as skipped.
    why = std::string("WordPress cannot be had here: ") + reason.what();
    return nullptr;
  }
}

}  // namespace

void FreshWordPress::SetUp() {
  std::string why;
  site_ = StartSite(why);
  if (!site_) GTEST_SKIP() << why;
}

void FreshWordPress::TearDown() {
  if (!site_) return;
  EXPECT_EQ(site_->Stop(), 0);
  EXPECT_THAT(RealComplaints(*site_), testing::IsEmpty());
}

/// What the tests of the suite have in common.
struct WordPress::Shared {
  std::string unavailable;  // why there is no site
  std::unique_ptr<WordPressSite> site;
  std::optional<Administrator> administrator;
  std::optional<PublishedPost> post;
};

WordPress::Shared* WordPress::shared_ = nullptr;

void WordPress::SetUpTestSuite() {
  shared_ = new Shared;
  shared_->site = StartSite(shared_->unavailable);
  if (!shared_->site) return;
  Browser browser = site().Visitor();
  const Page done = InstallWordPress(browser);
  ASSERT_THAT(done.body, testing::HasSubstr("Success!"));
}

void WordPress::TearDownTestSuite() {
  if (shared_->site) {
    EXPECT_EQ(site().Stop(), 0);
    EXPECT_THAT(RealComplaints(site()), testing::IsEmpty());
  }
  delete std::exchange(shared_, nullptr);
}

void WordPress::SetUp() {
  if (!shared_->unavailable.empty()) GTEST_SKIP() << shared_->unavailable;
  ASSERT_NE(shared_->site, nullptr);
}

void WordPress::TearDown() {
  if (!shared_->site) return;
  EXPECT_THAT(RealComplaints(site()), testing::IsEmpty());
}

WordPressSite& WordPress::site() { return *shared_->site; }

Administrator& WordPress::administrator() {
  if (!shared_->administrator) shared_->administrator.emplace(site());
  return *shared_->administrator;
}

const PublishedPost& WordPress::published_post() {
  if (shared_->post) return *shared_->post;
  Administrator& admin = administrator();
  admin.UsePostNamesInAddresses();
  const nlohmann::json image = admin.UploadOverRest("boat.png", MakePng(kPhotoSize));
  const std::string figure = "<!-- wp:image {\"id\":" + image["id"].dump() +
                             "} --><figure class=\"wp-block-image\"><img src=\"" +
                             image["source_url"].get<std::string>() +
                             "\" alt=\"A boat at its bollard\" class=\"wp-image-" +
                             image["id"].dump() + "\"/></figure><!-- /wp:image -->";
  const nlohmann::json made = admin.Rest(
      "wp/v2/posts", {{"title", "Boats & Bollards"},
                      {"content",
                       "<!-- wp:paragraph --><p>Seventeen boats, <em>one</em> bollard.</p>"
                       "<!-- /wp:paragraph -->" +
                           figure},
                      {"featured_media", image["id"]},
                      {"status", "publish"}});
  shared_->post = {.id = made["id"],
                   .path = admin.browser().Resolve(made["link"].get<std::string>()),
                   .image_size = kPhotoSize};
  return *shared_->post;
}

void WordPress::Restart(int threads) {
  EXPECT_EQ(site().Stop(), 0);
  site().Start(threads);
  if (shared_->administrator) shared_->administrator->MoveTo(site());
}

}  // namespace ephpm::apps
