#include "kv/glob.h"

#include <cstddef>
#include <utility>

namespace ephpm::kv {
namespace {

constexpr std::size_t kNoMatch = std::string_view::npos;

/// Reads the set whose '[' is at `at`. Where the pattern goes on if `byte` fits, else kNoMatch.
std::size_t MatchSet(std::string_view pattern, std::size_t at, unsigned char byte) {
  ++at;
  const bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) ++at;
  const auto literal = [&]() -> unsigned char {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    return pattern[at++];
  };
  bool found = false;
  while (at < pattern.size() && pattern[at] != ']') {
    unsigned char low = literal();
    unsigned char high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      ++at;
      high = literal();
      if (high < low) std::swap(low, high);
    }
    found = found || (low <= byte && byte <= high);
  }
  if (at < pattern.size()) ++at;
  return found != negated ? at : kNoMatch;
}

/// Matches one byte, with what stands at `at` in the pattern, which is no '*'.
std::size_t MatchOne(std::string_view pattern, std::size_t at, char byte) {
  switch (pattern[at]) {
    case '?':
      return at + 1;
    case '[':
      return MatchSet(pattern, at, static_cast<unsigned char>(byte));
    case '\\':
      if (at + 1 < pattern.size()) ++at;
      [[fallthrough]];
    default:
      return pattern[at] == byte ? at + 1 : kNoMatch;
  }
}

}  // namespace

bool GlobMatch(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t read = 0;
  // Only the last star is worth going back to: what an earlier one could take, it can take too.
  std::size_t after_star = kNoMatch;
  std::size_t star_ends = 0;
  while (read < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      after_star = ++at;
      star_ends = read;
      continue;
    }
    const std::size_t next = at < pattern.size() ? MatchOne(pattern, at, text[read]) : kNoMatch;
    if (next != kNoMatch) {
      at = next;
      ++read;
    } else if (after_star != kNoMatch) {
      at = after_star;
      read = ++star_ends;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace ephpm::kv
