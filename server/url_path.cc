#include "server/url_path.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sapi/http_head.h"

namespace ephpm::server {
namespace {

/// Decodings in which a ".." may hide: one is ours, two are what a proxy in front or a careless
/// script behind add. More would let a long target cost a pass over it for each "25".
constexpr int kDecodings = 3;

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The byte that "%XY" at `at` stands for, or -1.
int EscapedByte(std::string_view text, std::size_t at) {
  if (at + 2 >= text.size()) return -1;
  const int high = HexValue(text[at + 1]);
  const int low = HexValue(text[at + 2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

enum class BrokenEscape { kKeep, kRefuse };

std::optional<std::string> Decode(std::string_view text, BrokenEscape broken) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int byte = text[i] == '%' ? EscapedByte(text, i) : -1;
    if (byte >= 0) {
      decoded.push_back(static_cast<char>(byte));
      i += 2;
    } else if (text[i] == '%' && broken == BrokenEscape::kRefuse) {
      return std::nullopt;
    } else {
      decoded.push_back(text[i]);
    }
  }
  return decoded;
}

/// Calls visit(segment) for each piece between slashes until it returns false.
template <typename Visit>
bool ForEachSegment(std::string_view path, Visit visit) {
  while (true) {
    const std::size_t slash = path.find('/');
    if (!visit(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

bool HasParentSegment(std::string_view path) {
  return !ForEachSegment(path, [](std::string_view segment) { return segment != ".."; });
}

bool HidesParentSegment(std::string decoded) {
  for (int round = 1; round < kDecodings && decoded.find('%') != std::string::npos; ++round) {
    decoded = *Decode(decoded, BrokenEscape::kKeep);
    std::replace(decoded.begin(), decoded.end(), '\\', '/');
    if (HasParentSegment(decoded)) return true;
  }
  return false;
}

bool IsContinuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/// True if the text spells a character in more bytes than UTF-8 allows, such as "/" in C0 AF. Other
/// bytes that are not UTF-8 are left alone: old sites have Latin-1 names.
bool HasOverlongUtf8(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0xC0) continue;
    const auto next = static_cast<unsigned char>(text[i + 1]);
    if (!IsContinuation(next)) continue;
    const bool overlong = lead == 0xC0 || lead == 0xC1 || (lead == 0xE0 && next < 0xA0) ||
                          (lead == 0xF0 && next < 0x90) || (lead == 0xF8 && next < 0x88) ||
                          (lead == 0xFC && next < 0x84);
    if (overlong) return true;
  }
  return false;
}

bool HasBlankOrControl(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7F) return true;
  }
  return false;
}

/// Merges slashes and drops "." segments. Requires: `decoded` starts with '/', has no "..".
std::string Normalise(std::string_view decoded) {
  std::string path;
  path.reserve(decoded.size());
  ForEachSegment(decoded, [&](std::string_view segment) {
    if (!segment.empty() && segment != ".") path.append("/").append(segment);
    return true;
  });
  if (path.empty() || decoded.ends_with('/') || decoded.ends_with("/.")) path.push_back('/');
  return path;
}

/// What follows "http://host" in an absolute form; `target` itself in origin form; nothing else.
std::optional<std::string_view> AfterAuthority(std::string_view target) {
  if (target.starts_with('/')) return target;
  const std::size_t colon = target.find("://");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view scheme = target.substr(0, colon);
  if (!sapi::EqualsIgnoringCase(scheme, "http") && !sapi::EqualsIgnoringCase(scheme, "https")) {
    return std::nullopt;
  }
  target.remove_prefix(colon + 3);
  const std::size_t end = target.find_first_of("/?#");
  if (end == 0 || target.empty()) return std::nullopt;
  return end == std::string_view::npos ? std::string_view() : target.substr(end);
}

}  // namespace

std::optional<UrlPath> ParseUrlPath(std::string_view target) {
  if (HasBlankOrControl(target)) return std::nullopt;
  const std::optional<std::string_view> local = AfterAuthority(target);
  if (!local) return std::nullopt;

  const std::string_view without_fragment = local->substr(0, local->find('#'));
  const std::size_t question = without_fragment.find('?');
  UrlPath result;
  if (question != std::string_view::npos) result.query = without_fragment.substr(question + 1);
  std::optional<std::string> decoded =
      Decode(without_fragment.substr(0, question), BrokenEscape::kRefuse);
  if (!decoded || decoded->find('\0') != std::string::npos ||
      decoded->find('\\') != std::string::npos || HasParentSegment(*decoded) ||
      HasOverlongUtf8(*decoded) || HidesParentSegment(*decoded)) {
    return std::nullopt;
  }
  result.path = Normalise(*decoded);
  return result;
}

std::string OriginForm(std::string_view target) {
  const std::optional<std::string_view> local = AfterAuthority(target);
  if (!local) return std::string(target);
  std::string origin;
  if (!local->starts_with('/')) origin.push_back('/');
  return origin.append(*local);
}

std::string EncodeUrl(std::string_view text, UrlPart part) {
  // RFC 3986, section 3.3: unreserved, sub-delims, ':' and '@' stand for themselves in a path.
  const std::string_view kept = part == UrlPart::kPath ? "/-._~!$&'()*+,;=:@" : "/-._~";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    const bool letter_or_digit =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter_or_digit || kept.find(c) != std::string_view::npos) {
      encoded.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded.push_back('%');
      encoded.push_back(kHex[byte >> 4]);
      encoded.push_back(kHex[byte & 0x0F]);
    }
  }
  return encoded;
}

}  // namespace ephpm::server
