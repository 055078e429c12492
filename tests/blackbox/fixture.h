#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tests/blackbox/http_client.h"
#include "tests/blackbox/server_process.h"

namespace ephpm::blackbox {

/// Every mode in which the server must behave the same. Tests run once for each.
inline constexpr const char* kModes[] = {"request"};

/// Waits until `condition` holds. False: it did not in time. For things that can only be looked at,
/// such as a file that a script writes.
bool Eventually(const std::function<bool()>& condition);

/// A test with a server, started by Start. Afterwards the server must end with code 0 after SIGTERM
/// and must have logged no error, unless the test said ExpectErrorLog.
class ServerTest : public testing::TestWithParam<const char*> {
 protected:
  /// Starts the server in the mode of the test.
  ServerProcess& Start(ServerOptions options = {});
  ServerProcess& server() { return *server_; }
  const Endpoint& endpoint() const { return server_->endpoint(); }
  Response Get(const std::string& target, Headers headers = {}) {
    return blackbox::Get(endpoint(), target, std::move(headers));
  }
  Response Fetch(const Request& request) { return blackbox::Fetch(endpoint(), request); }
  /// A path in the server's folder, for what scripts and test tell each other.
  std::string Path(const std::string& name) const { return server_->folder().path() / name; }

  /// The test makes the server log errors.
  void ExpectErrorLog() { expects_error_log_ = true; }
  /// Checks that each PHP thread serves: as many requests as there are threads wait for each other,
  /// then twice as many plain ones are answered.
  void ExpectEveryThreadServes();

  /// What else a suite wants to see after each of its tests, while the server still runs.
  virtual void CheckBeforeStop() {}
  void TearDown() final;

 private:
  std::unique_ptr<ServerProcess> server_;
  int workers_ = 0;
  int meetings_ = 0;
  bool expects_error_log_ = false;
};

/// Runs the suite in every mode.
#define EPHPM_IN_EVERY_MODE(suite)            \
  INSTANTIATE_TEST_SUITE_P(                   \
      Mode, suite, testing::ValuesIn(kModes), \
      [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); })

}  // namespace ephpm::blackbox
