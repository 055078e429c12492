#include "tests/lint/source_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace ephpm::lint {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFolders = {"config",   "kv",    "sapi",       "server",
                                 "adapters", "tests", "benchmarks", "docker"};
constexpr std::array kExtensions = {".h",  ".cc",  ".c",     ".php",  ".sh",  ".py",
                                    ".md", ".txt", ".cmake", ".toml", ".yaml"};
/// Made by tools, or data.
constexpr std::array kForeign = {"_arginfo.h", "/corpus/"};

bool IsSource(const fs::path& path) {
  const std::string name = path.generic_string();
  for (const char* foreign : kForeign) {
    if (name.find(foreign) != std::string::npos) return false;
  }
  const std::string extension = path.extension();
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end() ||
         path.filename() == "Dockerfile" || path.filename() == "Makefile";
}

SourceFile Read(const fs::path& top, const fs::path& path) {
  SourceFile file{.path = path.lexically_relative(top).generic_string(), .lines = {}};
  std::ifstream stream(path);
  int number = 0;
  for (std::string text; std::getline(stream, text);) file.lines.push_back({++number, text});
  return file;
}

std::vector<SourceFile> ReadTree() {
  const fs::path top = EPHPM_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(top)) {
    if (entry.is_regular_file() && IsSource(entry.path())) files.push_back(Read(top, entry.path()));
  }
  for (const char* folder : kFolders) {
    if (!fs::exists(top / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top / folder)) {
      if (entry.is_regular_file() && IsSource(entry.path())) {
        files.push_back(Read(top, entry.path()));
      }
    }
  }
  return files;
}

bool Reaches(const SourceFile& file, std::string_view header, std::set<std::string>& seen) {
  if (file.path == header) return true;
  if (!seen.insert(file.path).second) return false;
  for (const Include& include : IncludesOf(file)) {
    const SourceFile* next = FindFile(include.name);
    if (next != nullptr && Reaches(*next, header, seen)) return true;
  }
  return false;
}

}  // namespace

std::string SourceFile::Folder() const {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::string SourceFile::Name() const { return path.substr(path.rfind('/') + 1); }

bool SourceFile::HasExtension(std::string_view extension) const {
  return std::string_view(path).ends_with(extension);
}

const std::vector<SourceFile>& SourceTree() {
  static const std::vector<SourceFile> tree = ReadTree();
  return tree;
}

std::vector<Include> IncludesOf(const SourceFile& file) {
  static const std::regex pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> includes;
  for (const Line& line : file.lines) {
    std::smatch match;
    if (!std::regex_search(line.text, match, pattern)) continue;
    includes.push_back({line.number, match[2],
                        match[1] == "<" ? Include::Form::kBrackets : Include::Form::kQuotes});
  }
  return includes;
}

const SourceFile* FindFile(std::string_view path) {
  for (const SourceFile& file : SourceTree()) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

bool Reaches(const SourceFile& file, std::string_view header) {
  std::set<std::string> seen;
  return Reaches(file, header, seen);
}

}  // namespace ephpm::lint
