#pragma once

#include <sys/stat.h>

#include <string>

#include "sapi/unique_fd.h"

namespace ephpm::server {

/// The folder that a site is served from, and the only way to its files.
///
/// A path that leaves the folder, by whatever symbolic link, counts as missing. Links that stay
/// inside work. Paths are decoded URL paths without "..": they start with '/', and a '/' at the
/// end is ignored. Safe from any thread.
class DocumentRoot {
 public:
  enum class Kind {
    kFile,         ///< a regular file
    kFolder,       ///<
    kMissing,      ///< not there, outside the root, or neither file nor folder
    kForbidden,    ///< this process may not read it
    kUnavailable,  ///< the system is out of descriptors or memory, or the disk fails
  };
  struct Entry {
    Kind kind = Kind::kMissing;
    sapi::UniqueFd fd;     ///< of a kFile or kFolder
    struct stat facts {};  ///< of what Open opened
  };
  /// How a path is kept inside.
  enum class Confinement {
    kKernel,   ///< openat2() refuses to leave; falls back to kChecked where the kernel lacks it
    kChecked,  ///< the kernel is asked where the opened file is, by /proc/self/fd
  };

  /// Throws std::runtime_error if `path` is not a folder that can be searched.
  explicit DocumentRoot(const std::string& path, Confinement confinement = Confinement::kKernel);

  /// Absolute, links resolved, no trailing slash unless it is "/".
  const std::string& path() const { return path_; }
  /// The name in the file system of a URL path.
  std::string FileName(const std::string& path) const;

  /// Opens a file for reading, or a folder for OpenIn.
  Entry Open(const std::string& path) const;
  /// Opens a folder for LookIn; kMissing if `path` is a file.
  Entry OpenFolder(const std::string& path) const;
  /// What is at `path`, without reading it.
  Kind Look(const std::string& path) const;
  /// What is at `folder_path` + `name`. Requires: `folder` is OpenFolder(folder_path), which ends
  /// with '/'; `name` has no '/'.
  Kind LookIn(const Entry& folder, const std::string& folder_path, const std::string& name) const;

 private:
  enum class Purpose { kRead, kLook, kFolder };
  static int FlagsOf(Purpose purpose);
  Entry OpenInside(const char* relative, Purpose purpose) const;
  Entry OpenChecked(const char* relative, Purpose purpose) const;

  std::string path_;
  sapi::UniqueFd fd_;
  Confinement confinement_;
};

}  // namespace ephpm::server
