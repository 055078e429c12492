#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "tests/apps/png.h"
#include "tests/apps/wordpress_admin.h"
#include "tests/apps/wordpress_site.h"
#include "tests/blackbox/fixture.h"

namespace ephpm::apps {

/// How many PHP threads serve a test's site, unless it says otherwise.
inline constexpr int kThreads = 2;
/// A warning with this text is a test of the log and no complaint.
inline constexpr const char* kProbe = "probe of the log";

/// A WordPress that is not installed yet, of the test's own. Afterwards the server must end with
/// code 0, and nothing may have complained.
class FreshWordPress : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
  WordPressSite& site() { return *site_; }

 private:
  std::unique_ptr<WordPressSite> site_;
};

/// A post that can be read under its name. Value type.
struct PublishedPost {
  int id;
  std::string path;
  ImageSize image_size;  ///< of the image in it, which is also its featured image
};

/// A WordPress that is installed, and shared by the tests of the suite: each makes what it needs
/// and depends on no other. After each, nothing may have complained.
class WordPress : public testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;
  void TearDown() override;

  static WordPressSite& site();
  /// The administrator, who logs in when first asked for.
  static Administrator& administrator();
  /// Post names in addresses, and a post with an image; made when first asked for.
  static const PublishedPost& published_post();
  /// Stops the server, which must end with code 0, and starts it with so many PHP threads.
  static void Restart(int threads);

 private:
  struct Shared;
  static Shared* shared_;
};

}  // namespace ephpm::apps
