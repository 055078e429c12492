#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "sapi/http_head.h"
#include "server/request_line.h"

namespace ephpm::server {

/// HTTP/1 requests out of a client's bytes, strictly by RFC 9112 and within the limits.
///
/// Belongs to its connection. It stops at the end of each head and of each request, so that its
/// owner decides there what happens; it never looks at bytes of the next request before Restart.
/// Anything that two servers could read in two ways is an error, after which nothing more is read.
class HttpParser {
 public:
  explicit HttpParser(const config::LimitsConfig& limits);
  ~HttpParser();

  enum class Event {
    kMore,      ///< all bytes are used and the request is not complete
    kHead,      ///< the head is complete; more of the request follows if has_body()
    kComplete,  ///< the body is complete
    kError,     ///< error() says why
  };
  struct Step {
    Event event;
    std::size_t consumed;  ///< bytes of the argument that belong to this request
  };

  /// Reads on until the next event. Requires: the last event was kMore, or kHead with has_body().
  Step Feed(std::string_view bytes);
  /// The pieces of the body in the last Feed: views into its argument, without chunk frames.
  const std::vector<std::string_view>& body() const { return body_; }

  /// What the client asked for: method, target, host, version and fields. Once after kHead.
  sapi::RequestHead TakeHead();
  /// A body that is not empty follows, or one of unknown length. Valid after kHead.
  bool has_body() const { return has_body_; }
  /// The client waits for 100 Continue before it sends the body. Valid after kHead.
  bool expects_continue() const { return expects_continue_; }
  const ProtocolError& error() const { return error_; }

  /// Some byte of the next request has been seen.
  bool started() const { return !line_.empty(); }
  /// Forgets the request and waits for the next one.
  void Restart();

 private:
  struct Llhttp;  // hides the library from everybody else
  friend struct Llhttp;

  bool Fail(int status, std::string_view why);
  bool ReadLine(std::string_view bytes);
  bool CheckHeadSize();
  bool CheckFrames();
  bool CheckHost();
  bool CheckFraming();
  bool CheckExpect();
  void SetLibraryError(int code);

  const config::LimitsConfig& limits_;
  std::unique_ptr<Llhttp> llhttp_;
  sapi::RequestHead head_;
  std::string line_;         // the request line as it was sent
  std::string field_name_;   // of the field that is being read
  std::string field_value_;  // likewise
  std::vector<std::string_view> body_;
  ProtocolError error_;
  std::uint64_t raw_bytes_ = 0;   // of this part of the request: first the head, then the body
  std::uint64_t body_bytes_ = 0;  // without chunk frames
  std::size_t header_bytes_ = 0;  // names and values
  bool failed_ = false;
  bool line_complete_ = false;
  bool head_complete_ = false;
  bool has_body_ = false;
  bool expects_continue_ = false;
};

}  // namespace ephpm::server
