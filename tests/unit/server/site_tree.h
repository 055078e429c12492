#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace ephpm::server {

/// A folder for one test with a document root "www" in it; both are gone at the end.
class SiteTree {
 public:
  SiteTree() {
    std::string name = testing::TempDir() + "ephpm-site-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    // Symbolic links above the tree would otherwise show in every path that a test compares.
    top_ = std::filesystem::canonical(name);
    // Tests that change their user must still get here.
    std::filesystem::permissions(top_, std::filesystem::perms(0755));
    Folder("www");
  }
  SiteTree(const SiteTree&) = delete;
  SiteTree& operator=(const SiteTree&) = delete;
  ~SiteTree() { std::filesystem::remove_all(top_); }

  void Folder(const std::string& path) { std::filesystem::create_directories(top_ / path); }
  void File(const std::string& path, const std::string& content = "content") {
    std::filesystem::create_directories((top_ / path).parent_path());
    std::ofstream(top_ / path) << content;
  }
  /// Makes `path` a symbolic link to `target`, which is taken as it is.
  void Link(const std::string& path, const std::string& target) {
    std::filesystem::create_symlink(target, top_ / path);
  }
  void Mode(const std::string& path, unsigned mode) {
    std::filesystem::permissions(top_ / path, std::filesystem::perms(mode));
  }
  std::string Path(const std::string& path) const { return (top_ / path).string(); }
  std::string root() const { return Path("www"); }

 private:
  std::filesystem::path top_;
};

/// Takes root's rights away while it lives, so that permissions count. Does nothing for others.
class WithoutRootRights {
 public:
  WithoutRootRights() {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::seteuid(kNobody) != 0) std::abort();
  }
  WithoutRootRights(const WithoutRootRights&) = delete;
  WithoutRootRights& operator=(const WithoutRootRights&) = delete;
  ~WithoutRootRights() {
    if (::getuid() == 0 && ::seteuid(0) != 0) std::abort();
  }
};

}  // namespace ephpm::server
