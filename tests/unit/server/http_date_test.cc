#include "server/http_date.h"

#include <gtest/gtest.h>

namespace ephpm::server {
namespace {

constexpr std::time_t kExample = 784111777;  // the date that RFC 9110 uses

TEST(HttpDate, FormatsInTheFixedForm) {
  EXPECT_EQ(FormatHttpDate(kExample), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(FormatHttpDate(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(FormatHttpDate(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
  EXPECT_EQ(FormatHttpDate(1709164800), "Thu, 29 Feb 2024 00:00:00 GMT");
}

TEST(HttpDate, ReadsTheThreeForms) {
  EXPECT_EQ(ParseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), kExample);
  EXPECT_EQ(ParseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT"), kExample);
  EXPECT_EQ(ParseHttpDate("Sun Nov  6 08:49:37 1994"), kExample);
  EXPECT_EQ(ParseHttpDate("Wed Nov 16 08:49:37 1994"), kExample + 10 * 86400);
}

TEST(HttpDate, TakesATwoDigitYearForOneNotFarAhead) {
  const auto date = ParseHttpDate("Saturday, 01-Jan-00 00:00:00 GMT");
  EXPECT_EQ(date, 946684800) << "2000, not 2100";
}

TEST(HttpDate, ReadsBackWhatItFormats) {
  for (std::time_t seconds = -3'000'000'000; seconds < 6'000'000'000; seconds += 86'400'007) {
    EXPECT_EQ(ParseHttpDate(FormatHttpDate(seconds)), seconds);
  }
}

TEST(HttpDate, RefusesAnythingElse) {
  for (const char* text :
       {"", "0", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 XXX 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, -6 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"}) {
    EXPECT_EQ(ParseHttpDate(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ephpm::server
