#include "tests/php/php_fixture.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

namespace ephpm::sapi {
namespace {

/// Far above what any script here takes; below it a slow machine must not fail.
constexpr std::chrono::seconds kPatience{60};
constexpr std::size_t kStackSize = 16 * 1024 * 1024;

}  // namespace

void FakeClient::Deliver(std::shared_ptr<Exchange> exchange) noexcept {
  std::lock_guard lock(mutex_);
  delivered_.push_back(std::move(exchange));
  arrived_.notify_all();
}

void FakeClient::OnExchangeReady(Exchange& exchange) {
  Exchange::Output output = exchange.Take();
  if (output.has_head) response_.head = std::move(output.head);
  response_.body += output.body;
  exchange.Sent(output.body.size());
  if (!output.finished) return;
  finished_ = true;
  response_.ending = output.ending;
  response_.usage = exchange.final_usage();
}

void FakeClient::Turn() {
  std::vector<std::shared_ptr<Exchange>> batch;
  {
    std::unique_lock lock(mutex_);
    const bool came = arrived_.wait_for(lock, kPatience, [&] { return !delivered_.empty(); });
    if (!came) {
      ADD_FAILURE() << "no output arrived";
      finished_ = true;
      return;
    }
    batch.swap(delivered_);
  }
  for (const std::shared_ptr<Exchange>& exchange : batch) exchange->NotifyOwner();
}

Response FakeClient::ReceiveSome() {
  Turn();
  return response_;
}

Response FakeClient::Receive() {
  while (!finished_) Turn();
  return response_;
}

EngineForTests::EngineForTests() : engine_(Settings()) { current_ = &engine_; }

EngineForTests::~EngineForTests() { current_ = nullptr; }

config::PhpConfig EngineForTests::Settings() {
  config::PhpConfig config;
#ifdef __SANITIZE_ADDRESS__
  // PHP loads shared extensions with RTLD_DEEPBIND, which the sanitizer's runtime refuses.
  config.opcache = false;
#endif
  return config;
}

PhpEngine* EngineForTests::current_ = nullptr;

PhpFixture::PhpFixture(std::size_t threads)
    : pool_(std::make_unique<PhpPool>(EngineForTests::current(),
                                      PhpPool::Options{threads, 1024, kStackSize})) {
  std::string name = testing::TempDir() + "/ephpm-php-XXXXXX";
  folder_ = ::mkdtemp(name.data());
}

void PhpFixture::TearDown() {
  EXPECT_TRUE(pool_->Stop(kPatience)) << "a PHP thread did not come back";
  std::filesystem::remove_all(folder_);
}

std::string PhpFixture::Script(const std::string& code) {
  const std::string path = folder_ + "/script" + std::to_string(scripts_++) + ".php";
  std::ofstream(path) << "<?php " << code;
  return path;
}

std::shared_ptr<Exchange> PhpFixture::Submit(FakeClient& client, const std::string& path,
                                             RequestHead request, std::string body) {
  if (request.method.empty()) request.method = "GET";
  request.target = "/script.php" + (request.query.empty() ? "" : "?" + request.query);
  request.script = {folder_, "/script.php", path, ""};
  auto exchange = std::make_shared<Exchange>(std::move(request), RequestBody(std::move(body)),
                                             client, client, Exchange::DirectSend{});
  EXPECT_TRUE(pool_->Submit(exchange));
  return exchange;
}

Response PhpFixture::Run(const std::string& code, RequestHead request, std::string body) {
  FakeClient client;
  Submit(client, Script(code), std::move(request), std::move(body));
  return client.Receive();
}

}  // namespace ephpm::sapi
