#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sapi/php_engine.h"
#include "sapi/php_pool.h"

namespace ephpm::sapi {

/// What a client would have received.
struct Response {
  ResponseHead head;
  std::string body;
  Ending ending = Ending::kComplete;
  Usage usage;

  int status() const { return head.status; }
  std::string_view header(std::string_view name) const { return head.headers.Find(name); }
};

/// A client and its loop for one exchange. Used by the thread of the test.
class FakeClient : public Mailbox, public ExchangeOwner {
 public:
  void Deliver(std::shared_ptr<Exchange> exchange) noexcept override;
  void OnExchangeReady(Exchange& exchange) override;
  /// Takes everything until the exchange is finished.
  Response Receive();
  /// Takes what the first delivery brings.
  Response ReceiveSome();

 private:
  void Turn();

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<std::shared_ptr<Exchange>> delivered_;
  Response response_;
  bool finished_ = false;
};

/// The engine of the test program: PHP starts once a process. Lives on main's stack.
class EngineForTests {
 public:
  EngineForTests();
  ~EngineForTests();
  static const PhpEngine& current() { return *current_; }

 private:
  static config::PhpConfig Settings();
  static PhpEngine* current_;
  PhpEngine engine_;
};

/// Runs scripts on a pool of `threads` interpreters of its own, in this process.
class PhpFixture : public testing::Test {
 protected:
  explicit PhpFixture(std::size_t threads = 1);
  void TearDown() override;

  /// Writes a script and returns its path.
  std::string Script(const std::string& code);
  std::shared_ptr<Exchange> Submit(FakeClient& client, const std::string& path,
                                   RequestHead request = {}, std::string body = {});
  /// Runs `code`, which stands after "<?php ".
  Response Run(const std::string& code, RequestHead request = {}, std::string body = {});

  PhpPool& pool() { return *pool_; }

 private:
  std::string folder_;
  int scripts_ = 0;
  std::unique_ptr<PhpPool> pool_;
};

}  // namespace ephpm::sapi
