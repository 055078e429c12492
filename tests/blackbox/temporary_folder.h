#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ephpm::blackbox {

/// A folder of its own for one test; it disappears with the object.
///
/// Belongs to the test's thread.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }
  /// Writes `content` to `name` below the folder, making the folders between. Returns its path.
  std::filesystem::path Write(std::string_view name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

/// Everything in a file; empty if there is none.
std::string ReadFile(const std::filesystem::path& path);

}  // namespace ephpm::blackbox
