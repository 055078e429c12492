#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ephpm::config {

/// `text` as a TOML basic string: quoted, control bytes escaped. It also serves error messages,
/// which must stay one line whatever the value holds.
std::string Quoted(std::string_view text);
/// `name` as one part of a TOML key: bare where TOML allows it, quoted elsewhere.
std::string TomlKey(std::string_view name);
std::string TomlList(const std::vector<std::string>& items);
/// Bytes with the largest unit that divides them: "64M"; quoted.
std::string TomlSize(std::uint64_t bytes);
/// The largest unit that divides the time: "30s", "2m", "500ms"; quoted.
std::string TomlDuration(std::chrono::milliseconds time);

}  // namespace ephpm::config
