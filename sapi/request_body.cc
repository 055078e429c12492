#include "sapi/request_body.h"

#include <fcntl.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace ephpm::sapi {
namespace {

bool WriteFully(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// A file without a name. File systems that lack O_TMPFILE get one that is unlinked at once.
UniqueFd OpenTemporaryFile(const std::string& directory) {
  UniqueFd file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  std::string name = directory + "/ephpm-body-XXXXXX";
  file.Reset(::mkostemp(name.data(), O_CLOEXEC));
  if (file) ::unlink(name.c_str());
  return file;
}

}  // namespace

RequestBody::RequestBody(std::size_t memory_limit, std::string directory)
    : memory_limit_(memory_limit), directory_(std::move(directory)) {}

RequestBody::RequestBody(std::string bytes)
    : memory_limit_(std::numeric_limits<std::size_t>::max()),
      memory_(std::move(bytes)),
      size_(memory_.size()) {}

bool RequestBody::Append(std::string_view bytes) {
  if (!file_ && bytes.size() > memory_limit_ - memory_.size() && !Spill()) return false;
  if (file_) {
    if (!WriteFully(file_.get(), bytes)) return false;
  } else {
    memory_.append(bytes);
  }
  size_ += bytes.size();
  return true;
}

bool RequestBody::Spill() {
  file_ = OpenTemporaryFile(directory_);
  if (!file_ || !WriteFully(file_.get(), memory_)) return false;
  memory_.clear();
  memory_.shrink_to_fit();
  return true;
}

std::ptrdiff_t RequestBody::Read(char* out, std::size_t size) {
  const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size, size_ - read_));
  if (wanted == 0) return 0;
  std::ptrdiff_t count = static_cast<std::ptrdiff_t>(wanted);
  if (file_) {
    do {
      count = ::pread(file_.get(), out, wanted, static_cast<off_t>(read_));
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return -1;  // shorter than what was written: as good as an I/O error
  } else {
    std::memcpy(out, memory_.data() + read_, wanted);
  }
  read_ += static_cast<std::uint64_t>(count);
  return count;
}

}  // namespace ephpm::sapi
