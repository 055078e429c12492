#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ephpm::lint {

/// A line of a source file.
struct Line {
  int number;  ///< from 1
  std::string text;
};

/// A file that people wrote. Value type.
struct SourceFile {
  std::string path;  ///< from the top of the repository, e.g. "server/router.cc"
  std::vector<Line> lines;

  /// The first folder, e.g. "server"; empty at the top.
  std::string Folder() const;
  std::string Name() const;
  bool HasExtension(std::string_view extension) const;
  bool IsHeader() const { return HasExtension(".h"); }
  bool IsCpp() const { return IsHeader() || HasExtension(".cc"); }
};

/// An #include line.
struct Include {
  int line;
  std::string name;  ///< what stands between the quotes or brackets
  enum class Form { kQuotes, kBrackets } form;
};

/// Every text file in the folders that hold our sources, and at the top. Read once.
const std::vector<SourceFile>& SourceTree();
std::vector<Include> IncludesOf(const SourceFile& file);
/// The file of the tree with this path; null if there is none.
const SourceFile* FindFile(std::string_view path);
/// True if `file` is, or includes over any number of our own headers, the header `header`.
bool Reaches(const SourceFile& file, std::string_view header);

}  // namespace ephpm::lint
