#pragma once

#include <string_view>

namespace ephpm::kv {

/// Whether all of `text` fits `pattern`, byte by byte, with Redis's rules:
///
///   *      any bytes, or none          [abc]  one of these         [a-z]  one of this range
///   ?      any one byte                [^abc] none of these        \x     x itself
///
/// A set that is not closed ends with the pattern; a last backslash stands for itself.
/// Time is at most pattern times text, whatever the pattern. Safe from any thread.
bool GlobMatch(std::string_view pattern, std::string_view text);

}  // namespace ephpm::kv
