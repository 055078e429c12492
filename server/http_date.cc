#include "server/http_date.h"

#include <array>
#include <cstddef>
#include <cstdio>

namespace ephpm::server {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> kLongDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// Reads a date from the left; the first mismatch fails everything after it.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Scanner& Literal(std::string_view expected) {
    ok_ = ok_ && text_.starts_with(expected);
    if (ok_) text_.remove_prefix(expected.size());
    return *this;
  }

  template <std::size_t kSize>
  Scanner& Name(const std::array<std::string_view, kSize>& names, int& index) {
    for (std::size_t i = 0; ok_ && i < kSize; ++i) {
      if (!text_.starts_with(names[i])) continue;
      text_.remove_prefix(names[i].size());
      index = static_cast<int>(i);
      return *this;
    }
    ok_ = false;
    return *this;
  }

  Scanner& Digits(std::size_t count, int& value) {
    ok_ = ok_ && text_.size() >= count;
    int number = 0;
    for (std::size_t i = 0; ok_ && i < count; ++i) {
      ok_ = text_[i] >= '0' && text_[i] <= '9';
      number = number * 10 + (text_[i] - '0');
    }
    if (ok_) {
      text_.remove_prefix(count);
      value = number;
    }
    return *this;
  }

  /// A number of two places whose first may be a blank.
  Scanner& PaddedDigits(int& value) {
    if (!ok_ || !text_.starts_with(' ')) return Digits(2, value);
    return Literal(" ").Digits(1, value);
  }

  Scanner& Time(std::tm& time) {
    return Digits(2, time.tm_hour)
        .Literal(":")
        .Digits(2, time.tm_min)
        .Literal(":")
        .Digits(2, time.tm_sec);
  }

  bool AtEnd() const { return ok_ && text_.empty(); }

 private:
  std::string_view text_;
  bool ok_ = true;
};

/// Two digits mean the year with them that is not more than 50 years ahead (RFC 9110, 5.6.7).
int FullYear(int two_digits) {
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  const int this_year = utc.tm_year + 1900;
  const int year = this_year / 100 * 100 + two_digits;
  return year > this_year + 50 ? year - 100 : year;
}

bool InRange(const std::tm& time) {
  return time.tm_mday >= 1 && time.tm_mday <= 31 && time.tm_hour <= 23 && time.tm_min <= 59 &&
         time.tm_sec <= 60;
}

}  // namespace

std::string FormatHttpDate(std::time_t seconds) {
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                kDays[static_cast<std::size_t>(utc.tm_wday)].data(), utc.tm_mday,
                kMonths[static_cast<std::size_t>(utc.tm_mon)].data(), utc.tm_year + 1900,
                utc.tm_hour, utc.tm_min, utc.tm_sec);
  return text.data();
}

std::optional<std::time_t> ParseHttpDate(std::string_view text) {
  std::tm time{};
  int year = 0;
  const bool fixed = Scanner(text)
                         .Name(kDays, time.tm_wday)
                         .Literal(", ")
                         .Digits(2, time.tm_mday)
                         .Literal(" ")
                         .Name(kMonths, time.tm_mon)
                         .Literal(" ")
                         .Digits(4, year)
                         .Literal(" ")
                         .Time(time)
                         .Literal(" GMT")
                         .AtEnd();
  const bool rfc850 = !fixed && Scanner(text)
                                    .Name(kLongDays, time.tm_wday)
                                    .Literal(", ")
                                    .Digits(2, time.tm_mday)
                                    .Literal("-")
                                    .Name(kMonths, time.tm_mon)
                                    .Literal("-")
                                    .Digits(2, year)
                                    .Literal(" ")
                                    .Time(time)
                                    .Literal(" GMT")
                                    .AtEnd();
  const bool asctime = !fixed && !rfc850 &&
                       Scanner(text)
                           .Name(kDays, time.tm_wday)
                           .Literal(" ")
                           .Name(kMonths, time.tm_mon)
                           .Literal(" ")
                           .PaddedDigits(time.tm_mday)
                           .Literal(" ")
                           .Time(time)
                           .Literal(" ")
                           .Digits(4, year)
                           .AtEnd();
  if ((!fixed && !rfc850 && !asctime) || !InRange(time)) return std::nullopt;
  time.tm_year = (rfc850 ? FullYear(year) : year) - 1900;
  return ::timegm(&time);
}

}  // namespace ephpm::server
