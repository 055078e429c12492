// What stands in files: sizes, words that belong in one place, words that belong nowhere.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/lint/source_tree.h"

namespace ephpm::lint {
namespace {

/// A file longer than this does a second job.
constexpr std::size_t kMaximalLines = 600;
/// Columns of C++ code, as clang-format has them.
constexpr std::size_t kMaximalColumns = 100;

std::string Place(const SourceFile& file, const Line& line) {
  return file.path + ':' + std::to_string(line.number) + ": " + line.text;
}

/// Expects that no line of a file for which `applies` says true has `pattern`.
template <class Applies>
void ExpectNowhere(const std::string& pattern, Applies applies) {
  const std::regex regex(pattern);
  for (const SourceFile& file : SourceTree()) {
    if (!applies(file)) continue;
    for (const Line& line : file.lines) {
      EXPECT_FALSE(std::regex_search(line.text, regex)) << Place(file, line);
    }
  }
}

bool Everywhere(const SourceFile&) { return true; }

/// The lint's own files name what they look for.
bool NotLint(const SourceFile& file) { return !file.path.starts_with("tests/lint/"); }

TEST(Text, TreeIsFound) {
  EXPECT_NE(FindFile("sapi/guard.h"), nullptr);
  EXPECT_NE(FindFile("tests/lint/text_test.cc"), nullptr);
  EXPECT_GT(SourceTree().size(), 20u);
}

TEST(Text, FilesAreShort) {
  for (const SourceFile& file : SourceTree()) {
    if (!file.IsCpp() && !file.HasExtension(".php")) continue;
    EXPECT_LE(file.lines.size(), kMaximalLines) << file.path;
  }
}

TEST(Text, LinesAreShort) {
  for (const SourceFile& file : SourceTree()) {
    if (!file.IsCpp()) continue;
    for (const Line& line : file.lines) {
      // Characters, not bytes: continuation bytes of UTF-8 take no column.
      std::size_t columns = 0;
      for (const char c : line.text) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      EXPECT_LE(columns, kMaximalColumns) << Place(file, line);
    }
  }
}

TEST(Text, HeadersStartWithTheirGuard) {
  for (const SourceFile& file : SourceTree()) {
    if (!file.IsHeader()) continue;
    ASSERT_FALSE(file.lines.empty()) << file.path;
    EXPECT_EQ(file.lines.front().text, "#pragma once") << file.path;
  }
}

TEST(Text, JumpsAreCaughtInOnePlace) {
  ExpectNowhere(
      R"(\b(zend_try|zend_catch|zend_end_try|zend_bailout|SETJMP|setjmp|longjmp)\b\s*\(?)",
      [](const SourceFile& file) {
        return NotLint(file) && file.IsCpp() && file.path != "sapi/guard.h";
      });
}

TEST(Text, NothingIsLeftToDo) {
  ExpectNowhere(
      "\\b(TO"
      "DO|FIX"
      "ME|HA"
      "CK)\\b",
      Everywhere);
}

TEST(Text, NoPathOfADevelopersMachine) {
  ExpectNowhere(R"((^|[^\w$}])/(work|root|home/[a-z]+)/)", NotLint);
}

TEST(Text, NoVagueNames) {
  ExpectNowhere(R"(^\s*(class|struct)\s+\w*(Manager|Helper|Util|Utils|Impl)\b)",
                [](const SourceFile& file) { return file.IsCpp(); });
}

TEST(Text, NoTabsAndNoTrailingBlanks) {
  ExpectNowhere("\t|[ \r]$", [](const SourceFile& file) {
    return file.IsCpp() || file.HasExtension(".php") || file.HasExtension(".md");
  });
}

TEST(Text, NothingOfANewerLibraryThanTheOldestCompilerHas) {
  ExpectNowhere(R"(#include <(expected|format|print|generator|stacktrace|flat_map)>)",
                [](const SourceFile& file) { return file.IsCpp(); });
}

TEST(Text, LoggerIsTheOnlyGlobal) {
  ExpectNowhere(R"(static\s+\w+&?\s+(Get)?Instance\s*\()",
                [](const SourceFile& file) { return file.IsCpp(); });
}

}  // namespace
}  // namespace ephpm::lint
