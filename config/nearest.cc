#include "config/nearest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ephpm::config {
namespace {

/// A guess that shares less than half of its letters with the wrong name misleads.
std::size_t FurthestGuess(std::string_view wrong) {
  return std::max<std::size_t>(2, wrong.size() / 2);
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  // Three rows of the distances between the beginnings of a and b: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string Nearest(std::string_view wrong, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t shortest = FurthestGuess(wrong) + 1;
  for (const std::string& name : names) {
    const std::size_t distance = EditDistance(wrong, name);
    if (distance >= shortest) continue;
    shortest = distance;
    nearest = name;
  }
  return nearest;
}

}  // namespace ephpm::config
