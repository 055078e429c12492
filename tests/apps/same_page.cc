#include "tests/apps/same_page.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace ephpm::apps {

testing::AssertionResult IsSame(const std::string& expected, const std::string& found) {
  if (expected == found) return testing::AssertionSuccess();
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kShown = 160;
  const auto [left, right] =
      std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  const auto at = static_cast<std::size_t>(left - expected.begin());
  const std::size_t from = at - std::min(at, kBefore);
  return testing::AssertionFailure()
         << expected.size() << " and " << found.size() << " bytes, different from byte " << at
         << " on; expected\n..." << expected.substr(from, kShown) << "\nfound\n..."
         << found.substr(from, kShown);
}

std::string Masked(std::string page) {
  constexpr std::ptrdiff_t kDigits = 10;
  const auto in_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) || (c >= 'a' && c <= 'f'); };
  for (auto begin = page.begin(); begin != page.end();) {
    begin = std::find_if(begin, page.end(), in_word);
    const auto end = std::find_if_not(begin, page.end(), in_word);
    if (end - begin == kDigits && std::all_of(begin, end, is_digit)) std::fill(begin, end, '#');
    begin = end;
  }
  // The form to edit a post in its list is filled with the time of day.
  static const std::regex kTimeOfDay("(name=\"(?:hh|mn|ss)\" value=\")[0-9]+");
  return std::regex_replace(page, kTimeOfDay, "$1#");
}

}  // namespace ephpm::apps
