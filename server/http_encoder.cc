#include "server/http_encoder.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <utility>

#include "server/http_date.h"
#include "server/request_line.h"

namespace ephpm::server {
namespace {

constexpr std::string_view kServerName = "ephpm";

constexpr int kLowestFinalStatus = 200;
constexpr int kHighestStatus = 999;

struct Reason {
  int status;
  std::string_view phrase;
};

constexpr Reason kReasons[] = {
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {418, "I'm a teapot"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {510, "Not Extended"},
    {511, "Network Authentication Required"},
};

/// The date of this second; made once a second in each thread.
std::string_view DateNow() {
  struct Cache {
    std::time_t second = -1;
    std::string text;
  };
  thread_local Cache cache;
  const std::time_t now = std::time(nullptr);
  if (now != cache.second) {
    cache.text = FormatHttpDate(now);
    cache.second = now;
  }
  return cache.text;
}

/// Whether the text can stand in a field value or a reason phrase without ending its line.
bool StaysOnItsLine(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

std::optional<std::uint64_t> ParseLength(std::string_view text) {
  std::uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return length;
}

/// Fields that say how the message is transferred: ours to decide.
bool IsOurs(std::string_view name) {
  using sapi::EqualsIgnoringCase;
  switch (name.size()) {
    case 2:
      return EqualsIgnoringCase(name, "te");
    case 7:
      return EqualsIgnoringCase(name, "upgrade") || EqualsIgnoringCase(name, "trailer");
    case 10:
      return EqualsIgnoringCase(name, "connection") || EqualsIgnoringCase(name, "keep-alive");
    case 14:
      return EqualsIgnoringCase(name, "content-length");
    case 16:
      return EqualsIgnoringCase(name, "proxy-connection");
    case 17:
      return EqualsIgnoringCase(name, "transfer-encoding");
    default:
      return false;
  }
}

bool StatusHasBody(int status) { return status != 204 && status != 304; }

/// The length that the script declared, if it is one.
std::optional<std::uint64_t> DeclaredLength(const sapi::ResponseHead& response) {
  return ParseLength(response.headers.Find("Content-Length"));
}

/// Goes through a comma-separated field value.
bool ListContains(std::string_view list, std::string_view wanted) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view item = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    while (!item.empty() && (item.front() == ' ' || item.front() == '\t')) item.remove_prefix(1);
    while (!item.empty() && (item.back() == ' ' || item.back() == '\t')) item.remove_suffix(1);
    if (sapi::EqualsIgnoringCase(item, wanted)) return true;
  }
  return false;
}

void AddField(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void AddStatusLine(std::string& out, int status, std::string_view reason) {
  char digits[8];
  const auto end = std::to_chars(digits, digits + sizeof digits, status).ptr;
  out.append("HTTP/1.1 ").append(digits, end).append(" ");
  out.append(reason.empty() || !StaysOnItsLine(reason) ? StandardReason(status) : reason);
  out.append("\r\n");
}

}  // namespace

int FinalStatus(int status) {
  return status >= kLowestFinalStatus && status <= kHighestStatus ? status : 500;
}

std::string_view StandardReason(int status) {
  const auto* found =
      std::lower_bound(std::begin(kReasons), std::end(kReasons), status,
                       [](const Reason& reason, int wanted) { return reason.status < wanted; });
  return found != std::end(kReasons) && found->status == status ? found->phrase : "Unknown";
}

bool WantsKeepAlive(const sapi::RequestHead& request) {
  bool keep_alive = request.http_minor >= 1;
  for (std::size_t i = 0; i < request.headers.size(); ++i) {
    const sapi::HeaderView field = request.headers[i];
    if (!sapi::EqualsIgnoringCase(field.name, "connection")) continue;
    if (ListContains(field.value, "close")) return false;
    if (ListContains(field.value, "keep-alive")) keep_alive = true;
  }
  return keep_alive;
}

EncodedHead HttpEncoder::Encode(const sapi::RequestHead& request,
                                const sapi::ResponseHead& response,
                                std::optional<std::uint64_t> body_size, Persistence wanted) const {
  const int status = FinalStatus(response.status);
  const bool has_body = StatusHasBody(status) && request.method != "HEAD";
  const std::optional<std::uint64_t> declared = DeclaredLength(response);
  EncodedHead head;
  if (wanted == Persistence::kKeepAlive && !draining() && WantsKeepAlive(request)) {
    head.persistence = Persistence::kKeepAlive;
  }
  const bool says_length = StatusHasBody(status) && (declared || body_size);
  const std::uint64_t length = declared.value_or(body_size.value_or(0));
  if (has_body) {
    if (says_length) {
      head.framing = Framing::kLength;
      head.length = length;
    } else {
      head.framing = request.http_minor >= 1 ? Framing::kChunked : Framing::kUntilClose;
    }
    const bool mismatch = declared && body_size && *declared != *body_size;
    if (mismatch || head.framing == Framing::kUntilClose) head.persistence = Persistence::kClose;
  }

  std::string& out = head.bytes;
  out.reserve(512);
  AddStatusLine(out, status, status == response.status ? std::string_view(response.reason) : "");
  bool has_date = false;
  bool has_server = false;
  for (std::size_t i = 0; i < response.headers.size(); ++i) {
    const sapi::HeaderView field = response.headers[i];
    if (IsOurs(field.name) || !IsToken(field.name) || !StaysOnItsLine(field.value)) continue;
    has_date = has_date || sapi::EqualsIgnoringCase(field.name, "date");
    has_server = has_server || sapi::EqualsIgnoringCase(field.name, "server");
    AddField(out, field.name, field.value);
  }
  if (!has_server) AddField(out, "Server", kServerName);
  if (!has_date) AddField(out, "Date", DateNow());
  if (says_length) AddField(out, "Content-Length", std::to_string(length));
  if (head.framing == Framing::kChunked) AddField(out, "Transfer-Encoding", "chunked");
  const bool keep_alive = head.persistence == Persistence::kKeepAlive;
  AddField(out, "Connection", keep_alive ? "keep-alive" : "close");
  out.append("\r\n");
  return head;
}

std::string HttpEncoder::EncodeHead(const sapi::RequestHead& request,
                                    const sapi::ResponseHead& response,
                                    std::size_t body_size) const {
  return Encode(request, response, body_size, Persistence::kKeepAlive).bytes;
}

bool HttpEncoder::CarriesBody(const sapi::RequestHead& request,
                              const sapi::ResponseHead& response) const {
  return StatusHasBody(FinalStatus(response.status)) && request.method != "HEAD";
}

std::size_t HttpEncoder::BodyToSend(const sapi::RequestHead& request,
                                    const sapi::ResponseHead& response,
                                    std::size_t body_size) const {
  if (!CarriesBody(request, response)) return 0;
  const std::optional<std::uint64_t> declared = DeclaredLength(response);
  return declared && *declared < body_size ? static_cast<std::size_t>(*declared) : body_size;
}

Persistence HttpEncoder::CompletePersistence(const sapi::RequestHead& request,
                                             const sapi::ResponseHead& response,
                                             std::size_t body_size) const {
  if (draining() || !WantsKeepAlive(request)) return Persistence::kClose;
  const std::optional<std::uint64_t> declared = DeclaredLength(response);
  const bool mismatch = CarriesBody(request, response) && declared && *declared != body_size;
  return mismatch ? Persistence::kClose : Persistence::kKeepAlive;
}

std::string ChunkStart(std::size_t size) {
  char digits[2 * sizeof size];
  const auto end = std::to_chars(digits, digits + sizeof digits, size, 16).ptr;
  return std::string(digits, end).append("\r\n");
}

}  // namespace ephpm::server
