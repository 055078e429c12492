#pragma once

#include <gtest/gtest.h>

#include <string>

namespace ephpm::apps {

/// Whether two pages are equal, byte for byte; if not, the message shows where they part.
testing::AssertionResult IsSame(const std::string& expected, const std::string& found);

/// A page of a logged-in user without what WordPress makes anew for each session or second: words
/// of ten hexadecimal digits, which nonces and times are, and the time of day in forms.
std::string Masked(std::string page);

}  // namespace ephpm::apps
