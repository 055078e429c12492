#include "server/http_parser.h"

#include <llhttp.h>

#include <algorithm>
#include <utility>

#include "server/authority.h"

namespace ephpm::server {
namespace {

/// What a head may cost beyond its names and values: blanks, separators, empty lines before it.
constexpr std::uint64_t kHeadSlack = 1024;
constexpr std::uint64_t kSlackPerField = 16;
/// What the frames of a chunked body, its extensions and trailers may cost: a fixed part, and
/// enough for a client that sends one byte a chunk.
constexpr std::uint64_t kFramingAllowance = 16 * 1024;
constexpr std::uint64_t kFramingPerByte = 8;
constexpr std::size_t kLineEndSize = 2;

}  // namespace

/// The C side: callbacks, and the parser that they are called with.
struct HttpParser::Llhttp {
  explicit Llhttp(HttpParser& owner) {
    llhttp_settings_init(&settings);
    settings.on_url = OnUrl;
    settings.on_header_field = OnHeaderField;
    settings.on_header_value = OnHeaderValue;
    settings.on_header_value_complete = OnHeaderValueComplete;
    settings.on_headers_complete = OnHeadersComplete;
    settings.on_chunk_header = OnChunkHeader;
    settings.on_body = OnBody;
    settings.on_message_complete = OnMessageComplete;
    llhttp_init(&parser, HTTP_REQUEST, &settings);
    parser.data = &owner;
  }

  static HttpParser& Owner(llhttp_t* parser) { return *static_cast<HttpParser*>(parser->data); }
  static int Verdict(bool ok) { return ok ? HPE_OK : HPE_USER; }

  static int CountHeader(HttpParser& owner, std::size_t size) {
    owner.header_bytes_ += size;
    return Verdict(owner.header_bytes_ <= owner.limits_.header_bytes ||
                   owner.Fail(431, "header fields too large"));
  }

  static int OnUrl(llhttp_t* parser, const char* at, std::size_t size) noexcept {
    Owner(parser).head_.target.append(at, size);
    return HPE_OK;
  }
  static int OnHeaderField(llhttp_t* parser, const char* at, std::size_t size) noexcept {
    HttpParser& owner = Owner(parser);
    owner.field_name_.append(at, size);
    return CountHeader(owner, size);
  }
  static int OnHeaderValue(llhttp_t* parser, const char* at, std::size_t size) noexcept {
    HttpParser& owner = Owner(parser);
    owner.field_value_.append(at, size);
    return CountHeader(owner, size);
  }
  static int OnHeaderValueComplete(llhttp_t* parser) noexcept {
    HttpParser& owner = Owner(parser);
    std::string_view value = owner.field_value_;
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
    bool ok = true;
    // Trailers come here too. They are read over: a script could not tell them from header fields.
    if (!owner.head_complete_) {
      owner.head_.headers.Add(owner.field_name_, value);
      ok = owner.head_.headers.size() <= owner.limits_.header_count ||
           owner.Fail(431, "too many header fields");
    }
    owner.field_name_.clear();
    owner.field_value_.clear();
    return Verdict(ok);
  }
  static int OnHeadersComplete(llhttp_t* parser) noexcept {
    HttpParser& owner = Owner(parser);
    owner.head_.method = llhttp_method_name(static_cast<llhttp_method_t>(parser->method));
    owner.head_.http_minor = parser->http_minor;
    const bool chunked = (parser->flags & F_CHUNKED) != 0;
    owner.has_body_ = chunked || parser->content_length > 0;
    parser->upgrade = 0;  // no other protocol is offered, so the bytes that follow are HTTP
    if (!owner.CheckHost() || !owner.CheckFraming() || !owner.CheckExpect()) return HPE_USER;
    if (!chunked && parser->content_length > owner.limits_.body) {
      owner.Fail(413, "announced body too large");
      return HPE_USER;
    }
    owner.head_complete_ = true;
    return HPE_PAUSED;
  }
  static int OnChunkHeader(llhttp_t* parser) noexcept {
    HttpParser& owner = Owner(parser);
    const bool fits = parser->content_length <= owner.limits_.body - owner.body_bytes_;
    return Verdict(fits || owner.Fail(413, "announced chunk too large"));
  }
  static int OnBody(llhttp_t* parser, const char* at, std::size_t size) noexcept {
    HttpParser& owner = Owner(parser);
    owner.body_bytes_ += size;
    owner.body_.emplace_back(at, size);
    return Verdict(owner.body_bytes_ <= owner.limits_.body || owner.Fail(413, "body too large"));
  }
  static int OnMessageComplete(llhttp_t*) noexcept { return HPE_PAUSED; }

  llhttp_settings_t settings;
  llhttp_t parser;
};

HttpParser::HttpParser(const config::LimitsConfig& limits)
    : limits_(limits), llhttp_(std::make_unique<Llhttp>(*this)) {}

HttpParser::~HttpParser() = default;

bool HttpParser::Fail(int status, std::string_view why) {
  error_ = {status, why};
  failed_ = true;
  return false;
}

HttpParser::Step HttpParser::Feed(std::string_view bytes) {
  body_.clear();
  if (!ReadLine(bytes)) return {Event::kError, 0};
  const bool in_head = !head_complete_;
  llhttp_t& parser = llhttp_->parser;
  const llhttp_errno_t code = llhttp_execute(&parser, bytes.data(), bytes.size());
  std::size_t consumed = bytes.size();
  if (code != HPE_OK) {
    consumed = static_cast<std::size_t>(llhttp_get_error_pos(&parser) - bytes.data());
  }
  raw_bytes_ += consumed;
  if (code != HPE_OK && code != HPE_PAUSED) {
    if (!failed_) SetLibraryError(code);
    return {Event::kError, consumed};
  }
  if (in_head ? !CheckHeadSize() : !CheckFrames()) return {Event::kError, consumed};
  if (code == HPE_OK) return {Event::kMore, consumed};
  llhttp_resume(&parser);
  if (!in_head) return {Event::kComplete, consumed};
  raw_bytes_ = 0;
  return {Event::kHead, consumed};
}

/// Keeps the request line until it is complete, and checks it as it was sent: the library is more
/// patient with blanks, line ends and other protocols than is good between two servers.
bool HttpParser::ReadLine(std::string_view bytes) {
  if (line_complete_) return true;
  if (line_.empty()) bytes.remove_prefix(std::min(bytes.find_first_not_of("\r\n"), bytes.size()));
  const std::size_t feed = bytes.find('\n');
  line_complete_ = feed != std::string_view::npos;
  line_.append(bytes.substr(0, line_complete_ ? feed + 1 : feed));
  if (line_.size() > limits_.request_line + kLineEndSize) return Fail(414, "request line too long");
  if (!line_complete_) return true;
  const auto error = CheckRequestLine(line_);
  return !error || Fail(error->status, error->why);
}

bool HttpParser::CheckHeadSize() {
  const std::uint64_t allowed = limits_.request_line + limits_.header_bytes + kHeadSlack +
                                kSlackPerField * limits_.header_count;
  return raw_bytes_ <= allowed || Fail(431, "request head too large");
}

bool HttpParser::CheckFrames() {
  const std::uint64_t frames = raw_bytes_ - body_bytes_;
  return frames <= kFramingAllowance + kFramingPerByte * body_bytes_ ||
         Fail(400, "chunk extensions or trailers too large");
}

void HttpParser::SetLibraryError(int code) {
  if (code == HPE_INVALID_METHOD && IsToken(line_.substr(0, line_.find(' ')))) {
    Fail(501, "unknown method");
  } else {
    // The library's words are constants.
    const char* why = llhttp_get_error_reason(&llhttp_->parser);
    Fail(400, why == nullptr ? "malformed request" : why);
  }
}

bool HttpParser::CheckHost() {
  std::size_t hosts = 0;
  std::string_view authority;
  for (std::size_t i = 0; i < head_.headers.size(); ++i) {
    const sapi::HeaderView field = head_.headers[i];
    if (!sapi::EqualsIgnoringCase(field.name, "host")) continue;
    ++hosts;
    authority = field.value;
  }
  if (hosts > 1) return Fail(400, "more than one Host field");
  if (hosts == 0 && head_.http_minor >= 1) return Fail(400, "no Host field");
  const auto host = HostOfAuthority(authority);
  if (!host) return Fail(400, "malformed Host field");
  head_.host = *host;
  const auto of_target = AuthorityOfTarget(head_.target);
  if (!of_target) return true;
  // RFC 9112, 3.2.2: the target's authority counts, whatever the Host field says.
  const auto target_host = HostOfAuthority(*of_target);
  if (!target_host || target_host->empty()) return Fail(400, "malformed authority in the target");
  head_.host = *target_host;
  if (*of_target != authority) {
    head_.headers.Remove("host");
    head_.headers.Add("Host", *of_target);
  }
  return true;
}

bool HttpParser::CheckFraming() {
  std::size_t codings = 0;
  std::size_t lengths = 0;
  bool chunked = false;
  for (std::size_t i = 0; i < head_.headers.size(); ++i) {
    const sapi::HeaderView field = head_.headers[i];
    if (sapi::EqualsIgnoringCase(field.name, "content-length")) ++lengths;
    if (!sapi::EqualsIgnoringCase(field.name, "transfer-encoding")) continue;
    ++codings;
    chunked = sapi::EqualsIgnoringCase(field.value, "chunked");
  }
  if (lengths > 1) return Fail(400, "more than one Content-Length field");
  if (codings == 0) return true;
  if (codings > 1) return Fail(400, "more than one Transfer-Encoding field");
  if (lengths > 0) return Fail(400, "both Content-Length and Transfer-Encoding");
  if (head_.http_minor == 0) return Fail(400, "Transfer-Encoding in HTTP/1.0");
  // RFC 9112, 6.1: 501 for a coding that is not understood.
  return chunked || Fail(501, "transfer coding other than chunked");
}

bool HttpParser::CheckExpect() {
  if (head_.http_minor == 0) return true;  // RFC 9110, 10.1.1: ignored there
  const std::string_view expectation = head_.headers.Find("expect");
  if (expectation.data() == nullptr) return true;
  if (!sapi::EqualsIgnoringCase(expectation, "100-continue")) {
    return Fail(417, "unknown expectation");
  }
  expects_continue_ = has_body_;
  return true;
}

sapi::RequestHead HttpParser::TakeHead() { return std::exchange(head_, {}); }

void HttpParser::Restart() {
  llhttp_reset(&llhttp_->parser);
  head_ = {};
  line_.clear();
  field_name_.clear();
  field_value_.clear();
  body_.clear();
  error_ = {};
  raw_bytes_ = 0;
  body_bytes_ = 0;
  header_bytes_ = 0;
  failed_ = false;
  line_complete_ = false;
  head_complete_ = false;
  has_body_ = false;
  expects_continue_ = false;
}

}  // namespace ephpm::server
