#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "kv/store.h"

namespace ephpm::kv {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A store whose clock only the test moves.
struct Session {
  explicit Session(StoreOptions options = {}) : store(WithClock(std::move(options))) {}
  Session(const Session&) = delete;

  void Pass(milliseconds time) { now += time; }

  /// The store's answer, or "(none)".
  std::string Get(std::string_view key) { return store.Get(key).value_or("(none)"); }

  /// All keys that a scan with pages of `count` meets, in its order.
  std::vector<std::string> Scan(std::string_view pattern = "*", std::size_t count = 10) {
    std::vector<std::string> keys;
    std::uint64_t cursor = 0;
    do {
      ScanPage page = store.Scan(cursor, pattern, count);
      keys.insert(keys.end(), page.keys.begin(), page.keys.end());
      cursor = page.cursor;
    } while (cursor != 0);
    return keys;
  }

  TimePoint now{std::chrono::hours(24 * 365 * 50)};
  Store store;

 private:
  StoreOptions WithClock(StoreOptions options) {
    options.clock = [this] { return now; };
    return options;
  }
};

}  // namespace ephpm::kv
