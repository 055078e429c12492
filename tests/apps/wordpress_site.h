#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/apps/browser.h"
#include "tests/blackbox/server_process.h"
#include "tests/blackbox/temporary_folder.h"

namespace ephpm::apps {

/// WordPress cannot be had on this machine; what() says why.
class WordPressUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A WordPress of its own, with an empty SQLite database, and the server in front of it.
///
/// Belongs to the test's thread.
class WordPressSite {
 public:
  /// What visitors type. The port is not the one that the server listens on, as behind a published
  /// container port: WordPress may only know it from the Host field.
  static constexpr const char* kAuthority = "www.example.test:8080";

  /// Makes the document root. Throws WordPressUnavailable, or std::runtime_error.
  WordPressSite();

  /// Starts the server with so many PHP threads. Requires: none runs.
  void Start(int workers);
  /// Stops the server; its exit code.
  int Stop();
  bool IsRunning() const { return server_ != nullptr; }

  const Endpoint& endpoint() const { return server_->endpoint(); }
  /// Somebody who has these cookies.
  Browser Visitor(CookieJar cookies = {}) const;
  /// What PHP, WordPress or the server complained about in the log, in all runs so far: warnings,
  /// errors and failed queries, a line each. Without what this WordPress is known to warn of.
  std::vector<std::string> Complaints() const;
  /// All mail that the site sent.
  std::string Mail() const;
  /// Writes a file into the document root.
  void Write(const std::string& name, const std::string& content) const;

 private:
  blackbox::TemporaryFolder folder_;
  std::unique_ptr<blackbox::ServerProcess> server_;
  std::vector<std::string> earlier_complaints_;  // of servers that were stopped
};

}  // namespace ephpm::apps
