// Who may include whom, and who may name a library: the lists of the design's section on folders.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "tests/lint/source_tree.h"

namespace ephpm::lint {
namespace {

/// Folders of the program, and whom each may include besides itself.
const std::map<std::string, std::set<std::string>> kArrows = {
    {"config", {}},
    {"kv", {}},
    {"sapi", {"kv", "config"}},
    {"server", {"sapi", "kv", "config"}},
};

/// The one file that knows everybody.
constexpr const char* kMain = "server/main.cc";
constexpr const char* kZend = "sapi/zend.h";

/// A library and the files that may name its headers.
struct Library {
  const char* header;  ///< pattern of the whole include name
  const char* files;   ///< pattern of the whole path
};
const std::vector<Library> kLibraries = {
    {R"(toml\+\+.*|toml\.hpp)", R"(config/.*)"},
    {R"(CLI/.*)", R"(server/main\.cc)"},
    {R"(llhttp\.h)", R"(server/http_parser\.(h|cc)|tests/.*)"},
    {R"(uv\.h)", R"(server/.*|tests/unit/server/.*)"},
    {R"(openssl/.*)", R"(server/tls\..*|tests/.*)"},
    {R"(nghttp2/.*)", R"(server/http2_connection\..*|tests/.*)"},
    {R"(php.*\.h|SAPI\.h|Zend/.*|zend.*\.h|TSRM.*|main/.*|ext/.*)", R"(sapi/zend\.h)"},
    {R"(hiredis/.*)", R"(kv/redis_.*|tests/.*|benchmarks/.*)"},
    {R"(spdlog/.*)", R"(server/.*|sapi/php_.*|sapi/sapi_module\.cc|tests/.*)"},
    {R"(prometheus/.*)", R"(server/metrics\..*)"},
    {R"(brotli/.*|zstd.*|zlib\.h)", R"(server/compress\..*|tests/.*)"},
    {R"(nlohmann/.*)", R"(config/parse_value\.cc|tests/.*)"},
    {R"(g(test|mock)/.*)", R"(tests/.*)"},
    {R"(benchmark/.*)", R"(benchmarks/.*)"},
};

bool IsProgram(const SourceFile& file) { return file.IsCpp() && kArrows.contains(file.Folder()); }

std::string Place(const SourceFile& file, int line) {
  return file.path + ':' + std::to_string(line);
}

bool Matches(const std::string& text, const char* pattern) {
  return std::regex_match(text, std::regex(pattern));
}

/// Headers of the language and the system: without folder and extension, or of POSIX and Linux.
bool IsSystemHeader(const std::string& name) {
  static const std::set<std::string> kPosix = {
      "alloca.h",  "arpa/inet.h", "dirent.h", "dlfcn.h", "errno.h",  "fcntl.h",
      "grp.h",     "limits.h",    "net/if.h", "netdb.h", "poll.h",   "pthread.h",
      "pwd.h",     "sched.h",     "signal.h", "spawn.h", "stdlib.h", "string.h",
      "strings.h", "time.h",      "unistd.h", "malloc.h"};
  static const std::regex kPattern(R"([a-z_]+|(sys|netinet|linux)/[a-z_0-9]+\.h)");
  return kPosix.contains(name) || std::regex_match(name, kPattern);
}

TEST(Arrows, FoldersIncludeOnlyWhatTheyMayKnow) {
  for (const SourceFile& file : SourceTree()) {
    if (!IsProgram(file) || file.path == kMain) continue;
    for (const Include& include : IncludesOf(file)) {
      const std::string target = include.name.substr(0, include.name.find('/'));
      const bool is_ours = kArrows.contains(target) && include.form == Include::Form::kQuotes;
      if (!is_ours || target == file.Folder()) continue;
      EXPECT_TRUE(kArrows.at(file.Folder()).contains(target))
          << Place(file, include.line) << ": " << file.Folder() << " may not include "
          << include.name;
    }
  }
}

TEST(Arrows, ProgramDoesNotIncludeTestsBenchmarksOrAdapters) {
  for (const SourceFile& file : SourceTree()) {
    if (!IsProgram(file)) continue;
    for (const Include& include : IncludesOf(file)) {
      EXPECT_FALSE(Matches(include.name, "(tests|benchmarks|adapters|docker)/.*"))
          << Place(file, include.line) << ": " << include.name;
    }
  }
}

TEST(Arrows, OwnHeadersAreNamedFromTheTopAndExist) {
  for (const SourceFile& file : SourceTree()) {
    if (!IsProgram(file)) continue;
    for (const Include& include : IncludesOf(file)) {
      const bool is_generated = include.name.ends_with("_arginfo.h");
      if (include.form == Include::Form::kBrackets || is_generated) continue;
      EXPECT_NE(FindFile(include.name), nullptr)
          << Place(file, include.line) << ": there is no " << include.name;
    }
  }
}

TEST(Arrows, ServerKnowsOnlyThePlainHalfOfSapi) {
  for (const SourceFile& file : SourceTree()) {
    if (file.Folder() != "server" || !file.IsCpp() || file.path == kMain) continue;
    for (const Include& include : IncludesOf(file)) {
      EXPECT_FALSE(Matches(include.name, "sapi/php_.*"))
          << Place(file, include.line) << ": " << include.name << " is PHP's half";
    }
    EXPECT_FALSE(Reaches(file, kZend)) << file.path << " includes PHP through other headers";
  }
}

TEST(Arrows, PhpIsIncludedInOnePlace) {
  ASSERT_NE(FindFile("sapi/exchange.h"), nullptr);
  EXPECT_FALSE(Reaches(*FindFile("sapi/exchange.h"), kZend));
  for (const SourceFile& file : SourceTree()) {
    if (!IsProgram(file) || file.Folder() == "sapi") continue;
    EXPECT_FALSE(file.path != kMain && Reaches(file, kZend)) << file.path;
  }
}

TEST(Arrows, LibrariesAreNamedOnlyWhereTheyMayBe) {
  for (const SourceFile& file : SourceTree()) {
    if (!file.IsCpp()) continue;
    for (const Include& include : IncludesOf(file)) {
      if (include.form == Include::Form::kQuotes || IsSystemHeader(include.name)) continue;
      const auto library = std::find_if(
          kLibraries.begin(), kLibraries.end(),
          [&](const Library& candidate) { return Matches(include.name, candidate.header); });
      ASSERT_NE(library, kLibraries.end())
          << Place(file, include.line) << ": <" << include.name << "> is in no list";
      EXPECT_TRUE(Matches(file.path, library->files))
          << Place(file, include.line) << ": <" << include.name << "> may not be named here";
    }
  }
}

TEST(Arrows, HeadersIncludeEachOtherWithoutCircles) {
  for (const SourceFile& file : SourceTree()) {
    if (!IsProgram(file) || !file.IsHeader()) continue;
    for (const Include& include : IncludesOf(file)) {
      const SourceFile* next = FindFile(include.name);
      EXPECT_FALSE(next != nullptr && Reaches(*next, file.path))
          << Place(file, include.line) << ": " << include.name << " includes it in turn";
    }
  }
}

}  // namespace
}  // namespace ephpm::lint
