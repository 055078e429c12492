#include "server/document_root.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace ephpm::server {
namespace {

using Kind = DocumentRoot::Kind;

/// openat2() gives up with EAGAIN if a folder on the way was renamed meanwhile. More than a few in
/// a row is a machine that renames all day; then the other way of checking answers.
constexpr int kRenameRetries = 3;

/// O_NONBLOCK: opening a named pipe must not wait for its writer.
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
constexpr int kLookFlags = O_PATH | O_CLOEXEC;
constexpr int kFolderFlags = O_PATH | O_CLOEXEC | O_DIRECTORY;

int OpenBeneath(int folder, const char* relative, int flags) {
  struct open_how how {};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, folder, relative, &how, sizeof how));
}

Kind KindOfError(int error) {
  switch (error) {
    case EACCES:
    case EPERM:
      return Kind::kForbidden;
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case EXDEV:
    case ENXIO:  // a socket, or a device without its hardware
    case ENODEV:
      return Kind::kMissing;
    default:
      return Kind::kUnavailable;
  }
}

Kind KindOfMode(mode_t mode) {
  if (S_ISREG(mode)) return Kind::kFile;
  return S_ISDIR(mode) ? Kind::kFolder : Kind::kMissing;
}

std::string DescriptorName(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

/// Where the kernel says that an open file is, or an empty string.
std::string PlaceOf(int fd) {
  std::array<char, PATH_MAX> place{};
  const ssize_t size = ::readlink(DescriptorName(fd).c_str(), place.data(), place.size());
  return size <= 0 ? std::string() : std::string(place.data(), static_cast<std::size_t>(size));
}

/// True if `place` is `folder` or below it: "/var/www2" is not below "/var/www".
bool IsBelow(std::string_view place, std::string_view folder) {
  if (folder.empty() || !place.starts_with(folder)) return false;
  return folder == "/" || place.size() == folder.size() || place[folder.size()] == '/';
}

/// `path` without the slash that it starts with and the one that it may end with; "." for the root.
std::string Relative(const std::string& path) {
  std::string_view relative = path;
  while (relative.starts_with('/')) relative.remove_prefix(1);
  while (relative.ends_with('/')) relative.remove_suffix(1);
  return relative.empty() ? std::string(".") : std::string(relative);
}

DocumentRoot::Entry Failed(int error) {
  DocumentRoot::Entry entry;
  entry.kind = KindOfError(error);
  return entry;
}

/// Takes over what was opened with `flags` and asks what it is.
DocumentRoot::Entry Examine(int fd, int flags) {
  DocumentRoot::Entry entry;
  entry.fd.Reset(fd);
  if ((flags & O_DIRECTORY) != 0) {
    entry.kind = Kind::kFolder;
    return entry;
  }
  if (::fstat(fd, &entry.facts) != 0) return Failed(errno);
  entry.kind = KindOfMode(entry.facts.st_mode);
  if (entry.kind == Kind::kMissing) entry.fd.Reset();
  return entry;
}

}  // namespace

DocumentRoot::DocumentRoot(const std::string& path, Confinement confinement)
    : confinement_(confinement) {
  const auto fail = [&](int error) {
    throw std::runtime_error("server.document_root: cannot read \"" + path +
                             "\": " + std::generic_category().message(error));
  };
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr),
                                                             &std::free);
  if (!resolved) fail(errno);
  path_ = resolved.get();
  fd_.Reset(::open(path_.c_str(), kFolderFlags));
  if (!fd_) fail(errno);
  if (::faccessat(fd_.get(), ".", X_OK, AT_EACCESS) != 0) fail(errno);

  // Old kernels and some sandboxes do not know openat2().
  const sapi::UniqueFd probe(OpenBeneath(fd_.get(), ".", kLookFlags));
  if (!probe) confinement_ = Confinement::kChecked;
}

std::string DocumentRoot::FileName(const std::string& path) const {
  return path_ == "/" ? path : path_ + path;
}

DocumentRoot::Entry DocumentRoot::Open(const std::string& path) const {
  return OpenInside(Relative(path).c_str(), Purpose::kRead);
}

DocumentRoot::Entry DocumentRoot::OpenFolder(const std::string& path) const {
  return OpenInside(Relative(path).c_str(), Purpose::kFolder);
}

DocumentRoot::Kind DocumentRoot::Look(const std::string& path) const {
  const std::string relative = Relative(path);
  // A single name that is no link cannot lead anywhere: one system call for most requests.
  struct stat facts {};
  if (relative.find('/') == std::string::npos) {
    if (::fstatat(fd_.get(), relative.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
      return KindOfError(errno);
    }
    if (!S_ISLNK(facts.st_mode)) return KindOfMode(facts.st_mode);
  }
  return OpenInside(relative.c_str(), Purpose::kLook).kind;
}

DocumentRoot::Kind DocumentRoot::LookIn(const Entry& folder, const std::string& folder_path,
                                        const std::string& name) const {
  struct stat facts {};
  if (::fstatat(folder.fd.get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0) {
    return KindOfError(errno);
  }
  if (!S_ISLNK(facts.st_mode)) return KindOfMode(facts.st_mode);
  return Look(folder_path + name);
}

int DocumentRoot::FlagsOf(Purpose purpose) {
  if (purpose == Purpose::kRead) return kReadFlags;
  return purpose == Purpose::kLook ? kLookFlags : kFolderFlags;
}

DocumentRoot::Entry DocumentRoot::OpenInside(const char* relative, Purpose purpose) const {
  if (confinement_ == Confinement::kChecked) return OpenChecked(relative, purpose);
  const int flags = FlagsOf(purpose);
  for (int attempt = 0; attempt < kRenameRetries; ++attempt) {
    const int fd = OpenBeneath(fd_.get(), relative, flags);
    if (fd >= 0) return Examine(fd, flags);
    // EXDEV is also the answer for an absolute link that comes back into the root.
    if (errno == EXDEV) break;
    if (errno != EAGAIN) return Failed(errno);
  }
  return OpenChecked(relative, purpose);
}

DocumentRoot::Entry DocumentRoot::OpenChecked(const char* relative, Purpose purpose) const {
  // O_PATH first: what lies outside is not opened in earnest, which for a device has effects.
  const sapi::UniqueFd found(
      ::openat(fd_.get(), relative, purpose == Purpose::kFolder ? kFolderFlags : kLookFlags));
  if (!found) return Failed(errno);
  if (!IsBelow(PlaceOf(found.get()), PlaceOf(fd_.get()))) return Entry{};
  struct stat facts {};
  if (::fstat(found.get(), &facts) != 0) return Failed(errno);
  if (KindOfMode(facts.st_mode) == Kind::kMissing) return Entry{};
  // Through its descriptor, so that it is the very file that was checked.
  const int flags = FlagsOf(purpose);
  const int fd = ::open(DescriptorName(found.get()).c_str(), flags);
  return fd < 0 ? Failed(errno) : Examine(fd, flags);
}

}  // namespace ephpm::server
