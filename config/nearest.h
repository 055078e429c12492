#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ephpm::config {

/// How many letters must be added, removed, changed or swapped with their neighbour to turn one
/// name into the other.
std::size_t EditDistance(std::string_view a, std::string_view b);

/// The name that the operator probably meant; empty if none is close. Of equals the first wins.
std::string Nearest(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace ephpm::config
