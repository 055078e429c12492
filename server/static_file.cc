#include "server/static_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <limits>
#include <optional>

#include "server/http_date.h"

namespace ephpm::server {
namespace {

constexpr std::string_view kAllowedMethods = "GET, HEAD, OPTIONS";
constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

/// What identifies the present content. Without the inode, replicas of one image agree on it.
struct Validators {
  std::string etag;
  std::time_t modified;
};

std::time_t ModifiedSeconds(const StaticFile& file) {
  // Rounds towards the past, also before 1970.
  const std::int64_t rest = file.modified_ns % kNanosecondsPerSecond;
  return static_cast<std::time_t>(file.modified_ns / kNanosecondsPerSecond - (rest < 0 ? 1 : 0));
}

Validators ValidatorsOf(const StaticFile& file) {
  std::array<char, 48> etag{};
  std::snprintf(etag.data(), etag.size(), "\"%llx-%llx\"",
                static_cast<unsigned long long>(file.modified_ns),
                static_cast<unsigned long long>(file.size));
  return {etag.data(), ModifiedSeconds(file)};
}

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

enum class Comparison { kStrong, kWeak };

/// True if one field value, "*" or a list of entity tags, names `etag`. What is no entity tag ends
/// the list. A strong comparison never matches a weak tag; ours is strong.
bool ListNames(std::string_view list, std::string_view etag, Comparison comparison) {
  list = Trim(list);
  if (list == "*") return true;
  while (!list.empty()) {
    const bool weak = list.starts_with("W/");
    if (weak) list.remove_prefix(2);
    if (!list.starts_with('"')) return false;
    const std::size_t end = list.find('"', 1);
    if (end == std::string_view::npos) return false;
    const bool comparable = !weak || comparison == Comparison::kWeak;
    if (comparable && list.substr(0, end + 1) == etag) return true;
    list.remove_prefix(end + 1);
    const std::size_t next = list.find_first_not_of(" \t,");
    list = next == std::string_view::npos ? std::string_view() : list.substr(next);
  }
  return false;
}

/// As ListNames, over every field called `name`: a list may be spread over several.
bool AnyNames(const sapi::HeaderList& headers, std::string_view name, std::string_view etag,
              Comparison comparison) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const sapi::HeaderView header = headers[i];
    if (sapi::EqualsIgnoringCase(header.name, name) && ListNames(header.value, etag, comparison)) {
      return true;
    }
  }
  return false;
}

/// 304 or 412 if a condition of the request says so, else 200 (RFC 9110, section 13.2.2).
int EvaluateConditions(const Validators& now, const sapi::HeaderList& headers) {
  if (headers.Has("if-match")) {
    if (!AnyNames(headers, "if-match", now.etag, Comparison::kStrong)) return 412;
  } else if (const auto date = ParseHttpDate(headers.Find("if-unmodified-since"));
             date && now.modified > *date) {
    return 412;
  }
  if (headers.Has("if-none-match")) {
    return AnyNames(headers, "if-none-match", now.etag, Comparison::kWeak) ? 304 : 200;
  }
  const auto date = ParseHttpDate(headers.Find("if-modified-since"));
  return date && now.modified <= *date ? 304 : 200;
}

/// True unless If-Range says that the client's part is of other content.
bool RangeStillApplies(const Validators& now, const sapi::HeaderList& headers) {
  const std::string_view condition = Trim(headers.Find("if-range"));
  if (condition.empty()) return !headers.Has("if-range");
  if (condition.starts_with('"') || condition.starts_with("W/")) return condition == now.etag;
  const auto date = ParseHttpDate(condition);
  return date && *date == now.modified;
}

/// One int-range or suffix-range as sent.
struct RangeSpec {
  std::optional<std::uint64_t> first;  ///< absent: the last `last` bytes
  std::optional<std::uint64_t> last;   ///< inclusive; absent: to the end
};

/// Digits only, at least one. A number too large for the type is its largest: it is beyond the end
/// of any file.
std::optional<std::uint64_t> ParsePosition(std::string_view digits) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max();
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    value = value > (kLargest - digit) / 10 ? kLargest : value * 10 + digit;
  }
  return value;
}

/// The range that the request asks for. Nothing if there is none, or several, or one that breaks
/// the grammar: all of these get the whole file.
std::optional<RangeSpec> ParseRange(const sapi::HeaderList& headers) {
  constexpr std::string_view kUnit = "bytes=";
  std::string_view value = headers.Find("range");
  if (!sapi::EqualsIgnoringCase(value.substr(0, kUnit.size()), kUnit)) return std::nullopt;
  value = Trim(value.substr(kUnit.size()));
  const std::size_t dash = value.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view first_digits = value.substr(0, dash);
  const std::string_view last_digits = value.substr(dash + 1);
  const RangeSpec range{ParsePosition(first_digits), ParsePosition(last_digits)};
  if ((!range.first && !first_digits.empty()) || (!range.last && !last_digits.empty()) ||
      (!range.first && !range.last) || (range.first && range.last && *range.last < *range.first)) {
    return std::nullopt;
  }
  return range;
}

void DescribeRange(const RangeSpec& range, std::uint64_t size, StaticResponse& response) {
  const std::string total = std::to_string(size);
  const bool satisfiable = range.first ? *range.first < size : *range.last > 0;
  if (!satisfiable) {
    response.head.status = 416;
    response.head.headers.Add("Content-Range", "bytes */" + total);
    return;
  }
  // The last bytes of an empty file are all of it, and no Content-Range can say so.
  if (size == 0) return;
  const std::uint64_t first = range.first ? *range.first : size - std::min(size, *range.last);
  const std::uint64_t last = range.first && range.last ? std::min(*range.last, size - 1) : size - 1;
  response.head.status = 206;
  response.offset = first;
  response.length = last - first + 1;
  response.head.headers.Add(
      "Content-Range", "bytes " + std::to_string(first) + "-" + std::to_string(last) + "/" + total);
}

std::size_t CountFields(const sapi::HeaderList& headers, std::string_view name) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (sapi::EqualsIgnoringCase(headers[i].name, name)) ++count;
  }
  return count;
}

StaticResponse AllowedMethods() {
  StaticResponse response;
  response.head.status = 204;
  response.head.headers.Add("Allow", kAllowedMethods);
  return response;
}

}  // namespace

StaticResponse DescribeStaticFile(const StaticFile& file, const sapi::RequestHead& request) {
  if (request.method == "OPTIONS") return AllowedMethods();

  const Validators now = ValidatorsOf(file);
  StaticResponse response;
  sapi::HeaderList& headers = response.head.headers;
  response.head.status = EvaluateConditions(now, request.headers);
  if (response.head.status == 412) {
    headers.Add("Content-Length", "0");
    return response;
  }
  headers.Add("Last-Modified", FormatHttpDate(now.modified));
  headers.Add("ETag", now.etag);
  if (response.head.status == 304) return response;

  headers.Add("Accept-Ranges", "bytes");
  response.length = file.size;
  // Only GET has ranges (RFC 9110, section 14.2): HEAD answers for the whole file.
  if (request.method == "GET" && CountFields(request.headers, "range") == 1 &&
      RangeStillApplies(now, request.headers)) {
    if (const auto range = ParseRange(request.headers)) {
      DescribeRange(*range, file.size, response);
    }
  }
  if (response.head.status == 416) {
    response.length = 0;
  } else {
    headers.Add("Content-Type", file.content_type);
  }
  headers.Add("Content-Length", std::to_string(response.length));
  if (request.method == "HEAD") response.length = 0;
  return response;
}

}  // namespace ephpm::server
