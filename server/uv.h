#pragma once

#include <uv.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace ephpm::server {

/// A libuv call that failed while the server was starting. what() names the call and the reason.
class UvError : public std::runtime_error {
 public:
  UvError(const std::string& call, int code)
      : std::runtime_error(call + ": " + uv_strerror(code)) {}
};

/// Owns a libuv handle: closing starts in the destructor, and the memory is freed in the close
/// callback, when libuv no longer knows it.
///
/// Belongs to its loop's thread. Requires: the loop runs once more after the destruction.
template <typename T>
class UvHandle {
 public:
  UvHandle() = default;
  /// `init(T*)` calls the uv_*_init of the handle and returns its code. Throws UvError.
  template <typename Init>
  explicit UvHandle(Init init) {
    auto handle = std::make_unique<T>();
    if (const int code = init(handle.get()); code < 0) throw UvError("event loop handle", code);
    handle_ = handle.release();
  }
  UvHandle(UvHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  UvHandle& operator=(UvHandle&& other) noexcept {
    if (this != &other) {
      Reset();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~UvHandle() { Reset(); }

  T* get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }
  void Reset() {
    if (handle_ == nullptr) return;
    uv_close(reinterpret_cast<uv_handle_t*>(std::exchange(handle_, nullptr)),
             [](uv_handle_t* closed) noexcept { delete reinterpret_cast<T*>(closed); });
  }

 private:
  T* handle_ = nullptr;
};

}  // namespace ephpm::server
