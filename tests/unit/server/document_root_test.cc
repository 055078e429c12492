#include "server/document_root.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

#include "site_tree.h"

namespace ephpm::server {
namespace {

using Kind = DocumentRoot::Kind;
using Confinement = DocumentRoot::Confinement;

std::string Read(const DocumentRoot::Entry& entry) {
  std::array<char, 64> bytes{};
  const ssize_t size = ::read(entry.fd.get(), bytes.data(), bytes.size());
  return size < 0 ? "error" : std::string(bytes.data(), static_cast<std::size_t>(size));
}

/// Lets no further descriptor be opened while it lives.
class WithoutDescriptors {
 public:
  WithoutDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  WithoutDescriptors(const WithoutDescriptors&) = delete;
  WithoutDescriptors& operator=(const WithoutDescriptors&) = delete;
  ~WithoutDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

/// Every rule holds whoever checks: the kernel on the way, or this program afterwards.
class DocumentRootTest : public testing::TestWithParam<Confinement> {
 protected:
  DocumentRoot Root() const { return DocumentRoot(tree_.root(), GetParam()); }
  void ExpectAll(const std::string& path, Kind kind) const {
    const DocumentRoot root = Root();
    EXPECT_EQ(root.Open(path).kind, kind) << path;
    EXPECT_EQ(root.Look(path), kind) << path;
  }

  SiteTree tree_;
};

INSTANTIATE_TEST_SUITE_P(EachWay, DocumentRootTest,
                         testing::Values(Confinement::kKernel, Confinement::kChecked),
                         [](const auto& way) {
                           return way.param == Confinement::kKernel ? "Kernel" : "Checked";
                         });

TEST_P(DocumentRootTest, FindsFilesAndFolders) {
  tree_.File("www/a.txt", "top");
  tree_.File("www/sub/b.txt", "below");
  ExpectAll("/a.txt", Kind::kFile);
  ExpectAll("/sub", Kind::kFolder);
  ExpectAll("/sub/", Kind::kFolder);
  ExpectAll("/sub/b.txt", Kind::kFile);
  ExpectAll("/", Kind::kFolder);
  ExpectAll("/none", Kind::kMissing);
  ExpectAll("/none/b.txt", Kind::kMissing);
  ExpectAll("/a.txt/b", Kind::kMissing);
  ExpectAll("/" + std::string(300, 'n'), Kind::kMissing);
  ExpectAll("/" + std::string(5000, 'n'), Kind::kMissing);

  const DocumentRoot root = Root();
  EXPECT_EQ(Read(root.Open("/a.txt")), "top");
  EXPECT_EQ(root.Open("/sub/b.txt").facts.st_size, 5);
  EXPECT_EQ(root.FileName("/sub/b.txt"), tree_.root() + "/sub/b.txt");
}

TEST_P(DocumentRootTest, LooksIntoAFolder) {
  tree_.File("www/sub/index.php");
  tree_.Folder("www/sub/deeper");
  tree_.Link("www/sub/link.php", "index.php");
  tree_.File("secret.php");
  tree_.Link("www/sub/out.php", "../../secret.php");
  const DocumentRoot root = Root();
  const DocumentRoot::Entry folder = root.OpenFolder("/sub/");
  ASSERT_EQ(folder.kind, Kind::kFolder);
  EXPECT_EQ(root.LookIn(folder, "/sub/", "index.php"), Kind::kFile);
  EXPECT_EQ(root.LookIn(folder, "/sub/", "deeper"), Kind::kFolder);
  EXPECT_EQ(root.LookIn(folder, "/sub/", "link.php"), Kind::kFile);
  EXPECT_EQ(root.LookIn(folder, "/sub/", "out.php"), Kind::kMissing);
  EXPECT_EQ(root.LookIn(folder, "/sub/", "none.php"), Kind::kMissing);
  EXPECT_EQ(root.OpenFolder("/sub/index.php").kind, Kind::kMissing);
  EXPECT_EQ(root.OpenFolder("/none/").kind, Kind::kMissing);
}

TEST_P(DocumentRootTest, FollowsLinksThatStayInside) {
  tree_.File("www/real/a.txt", "inside");
  tree_.Link("www/relative.txt", "real/a.txt");
  tree_.Link("www/absolute.txt", tree_.root() + "/real/a.txt");
  tree_.Link("www/folder", "real");
  tree_.Link("www/real/up", "../real");
  tree_.Link("www/absolute", tree_.root() + "/real");
  for (const char* path :
       {"/relative.txt", "/absolute.txt", "/folder/a.txt", "/real/up/a.txt", "/absolute/a.txt"}) {
    ExpectAll(path, Kind::kFile);
    EXPECT_EQ(Read(Root().Open(path)), "inside") << path;
  }
  EXPECT_EQ(Root().OpenFolder("/folder/").kind, Kind::kFolder);
  EXPECT_EQ(Root().OpenFolder("/absolute/").kind, Kind::kFolder);
}

TEST_P(DocumentRootTest, FindsNothingBehindALinkThatLeavesTheRoot) {
  tree_.File("secret.txt");
  tree_.File("www2/secret.txt");
  tree_.Folder("www/sub");
  tree_.Link("www/file", "../secret.txt");
  tree_.Link("www/absolute", tree_.Path("secret.txt"));
  tree_.Link("www/folder", "..");
  tree_.Link("www/neighbour", "../www2");
  tree_.Link("www/neighbour-absolute", tree_.Path("www2"));
  tree_.Link("www/sub/two-steps", "../file");
  tree_.Link("www/system", "/etc/passwd");
  tree_.Link("www/there-and-back", "../www/sub");
  tree_.Link("www/device", "/dev/null");
  tree_.Link("www/process", "/proc/self/root/etc/passwd");
  for (const char* path : {"/file", "/absolute", "/folder/secret.txt", "/folder/www2/secret.txt",
                           "/neighbour", "/neighbour/secret.txt", "/neighbour-absolute/secret.txt",
                           "/sub/two-steps", "/system", "/device", "/process"}) {
    ExpectAll(path, Kind::kMissing);
  }
  EXPECT_EQ(Root().OpenFolder("/neighbour/").kind, Kind::kMissing);
  EXPECT_EQ(Root().OpenFolder("/folder/").kind, Kind::kMissing);
  EXPECT_EQ(Root().Look("/there-and-back"), Kind::kFolder) << "it ends inside";
}

TEST_P(DocumentRootTest, CountsWhatIsNeitherFileNorFolderAsMissing) {
  ASSERT_EQ(::mkfifo(tree_.Path("www/pipe").c_str(), 0600), 0);
  tree_.Folder("www/sub");
  ASSERT_EQ(::mkfifo(tree_.Path("www/sub/pipe").c_str(), 0600), 0);
  tree_.Link("www/loop", "loop");
  tree_.Link("www/dangling", "none");
  for (const char* path : {"/pipe", "/sub/pipe", "/loop", "/dangling"}) {
    ExpectAll(path, Kind::kMissing);
  }
}

TEST_P(DocumentRootTest, KeepsTheFileThatItOpened) {
  tree_.File("www/a.txt", "old");
  const DocumentRoot::Entry entry = Root().Open("/a.txt");
  tree_.File("www/new.txt", "newer");
  ASSERT_EQ(::rename(tree_.Path("www/new.txt").c_str(), tree_.Path("www/a.txt").c_str()), 0);
  EXPECT_EQ(entry.facts.st_size, 3);
  EXPECT_EQ(Read(entry), "old");
}

TEST_P(DocumentRootTest, TellsForbiddenFromMissing) {
  tree_.File("www/a.txt");
  tree_.File("www/closed/b.txt");
  tree_.Mode("www/a.txt", 0);
  tree_.Mode("www/closed", 0);
  const DocumentRoot root = Root();
  {
    const WithoutRootRights nobody;
    EXPECT_EQ(root.Open("/a.txt").kind, Kind::kForbidden);
    EXPECT_EQ(root.Open("/closed/b.txt").kind, Kind::kForbidden);
    EXPECT_EQ(root.Look("/closed/b.txt"), Kind::kForbidden);
    EXPECT_EQ(root.Open("/none").kind, Kind::kMissing);
  }
  tree_.Mode("www/closed", 0700);
}

TEST_P(DocumentRootTest, DoesNotCallAFileMissingWhenDescriptorsRunOut) {
  tree_.File("www/a.txt");
  const DocumentRoot root = Root();
  Kind file = Kind::kFile;
  Kind folder = Kind::kFile;
  {
    const WithoutDescriptors none;
    file = root.Open("/a.txt").kind;
    folder = root.OpenFolder("/").kind;
  }
  EXPECT_EQ(file, Kind::kUnavailable);
  EXPECT_EQ(folder, Kind::kUnavailable);
}

TEST_P(DocumentRootTest, ResolvesARootThatIsALink) {
  tree_.File("release-1/a.txt", "one");
  tree_.File("release-2/a.txt", "two");
  tree_.Link("current", "release-1");
  const DocumentRoot root(tree_.Path("current") + "/", GetParam());
  EXPECT_EQ(root.path(), tree_.Path("release-1"));
  ASSERT_EQ(::unlink(tree_.Path("current").c_str()), 0);
  tree_.Link("current", "release-2");
  EXPECT_EQ(Read(root.Open("/a.txt")), "one") << "a site changes as a whole, with a new root";
}

TEST_P(DocumentRootTest, ServesTheWholeMachineIfTold) {
  const DocumentRoot root("/", GetParam());
  EXPECT_EQ(root.path(), "/");
  EXPECT_EQ(root.FileName("/etc/passwd"), "/etc/passwd");
  EXPECT_EQ(root.Look("/etc/passwd"), Kind::kFile);
}

TEST_P(DocumentRootTest, SaysWhyARootCannotBeRead) {
  const auto refusal = [&](const std::string& path) -> std::string {
    try {
      const DocumentRoot root(path, GetParam());
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  tree_.File("file");
  tree_.Folder("closed");
  tree_.Mode("closed", 0);
  EXPECT_EQ(refusal(tree_.Path("none")), "server.document_root: cannot read \"" +
                                             tree_.Path("none") + "\": No such file or directory");
  EXPECT_EQ(refusal(tree_.Path("file")),
            "server.document_root: cannot read \"" + tree_.Path("file") + "\": Not a directory");
  EXPECT_NE(refusal(""), "accepted");
  const WithoutRootRights nobody;
  EXPECT_EQ(refusal(tree_.Path("closed")), "server.document_root: cannot read \"" +
                                               tree_.Path("closed") + "\": Permission denied");
}

}  // namespace
}  // namespace ephpm::server
