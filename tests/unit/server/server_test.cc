#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sapi/request_queue.h"
#include "server/admin.h"
#include "tests/unit/server/site_tree.h"

namespace ephpm::server {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Threads that answer "hello" as PHP threads would, or wait first if the target says so.
class HelloPool final : public sapi::RequestHandler {
 public:
  explicit HelloPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Work(); });
  }
  ~HelloPool() override {
    Open();
    queue_.Close();
    for (std::thread& thread : threads_) thread.join();
  }
  bool Submit(std::shared_ptr<sapi::Exchange> exchange) override {
    return queue_.Push(std::move(exchange));
  }
  /// Waits until a request stands at the gate.
  void WaitForOneAtTheGate() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return at_gate_ > 0; });
  }
  void Open() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  void Work() {
    while (auto exchange = queue_.Pop()) {
      if (exchange->request().query == "gate") {
        std::unique_lock lock(mutex_);
        ++at_gate_;
        changed_.notify_all();
        changed_.wait(lock, [&] { return open_; });
      }
      exchange->SetHead({});
      exchange->Write("hello");
      exchange->Finish(sapi::Ending::kComplete);
    }
  }

  sapi::RequestQueue queue_{100};
  std::mutex mutex_;
  std::condition_variable changed_;
  int at_gate_ = 0;
  bool open_ = false;
  std::vector<std::thread> threads_;
};

/// A running server on the loopback.
class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    site_.File("www/index.php", "<?php");
    config_.server.document_root = site_.root();
    config_.server.listen = {"127.0.0.1:0", "unix:" + site_.Path("socket")};
  }
  ~ServerTest() override {
    if (thread_.joinable()) {
      pool_->Open();
      server_->Drain();
      Join();
    }
  }
  void Start() {
    server_ = std::make_unique<Server>(config_, access_log_);
    pool_ = std::make_unique<HelloPool>(2);
    server_->Start(*pool_);
    thread_ = std::thread([this] { server_->Run(); });
  }
  void Join() {
    thread_.join();
    pool_.reset();
  }
  sapi::UniqueFd Connect() const { return ConnectTo(server_->addresses().front()); }
  static void Send(const sapi::UniqueFd& socket, const std::string& bytes) {
    ::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  /// Reads until `end` has come or the server closes.
  static std::string Receive(const sapi::UniqueFd& socket, const std::string& end) {
    std::string text;
    char c;
    while (!text.ends_with(end) && ::recv(socket.get(), &c, 1, 0) == 1) text.push_back(c);
    return text;
  }
  static std::string Get(const std::string& target) {
    return "GET " + target + " HTTP/1.1\r\nHost: a.example\r\n\r\n";
  }

  SiteTree site_;
  config::Config config_;
  AccessLog access_log_{nullptr, config::LogFormat::kText};
  std::unique_ptr<Server> server_;
  std::unique_ptr<HelloPool> pool_;
  std::thread thread_;
};

TEST_F(ServerTest, ServesOnEachOfItsAddresses) {
  Start();
  for (const std::string& address : server_->addresses()) {
    const sapi::UniqueFd client = ConnectTo(address);
    for (int i = 0; i < 3; ++i) {
      Send(client, Get("/"));
      EXPECT_THAT(Receive(client, "hello"), StartsWith("HTTP/1.1 200 OK\r\n"));
    }
  }
}

TEST_F(ServerTest, ServesManyClientsOnSeveralLoops) {
  config_.server.io_threads = 3;
  Start();
  std::vector<std::thread> clients;
  std::atomic<int> answers{0};
  for (int i = 0; i < 16; ++i) {
    clients.emplace_back([&] {
      const sapi::UniqueFd client = Connect();
      for (int request = 0; request < 20; ++request) {
        Send(client, Get("/"));
        if (Receive(client, "hello").ends_with("hello")) ++answers;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answers, 16 * 20);
}

TEST_F(ServerTest, LetsFurtherClientsWaitWhenItIsFull) {
  config_.server.max_connections = 1;
  Start();
  sapi::UniqueFd first = Connect();
  Send(first, Get("/"));
  Receive(first, "hello");
  const sapi::UniqueFd second = Connect();
  Send(second, Get("/"));
  first.Reset();
  EXPECT_THAT(Receive(second, "hello"), EndsWith("hello"));
}

TEST_F(ServerTest, AnswersTheHealthCommand) {
  Start();
  std::string why;
  EXPECT_TRUE(AskHealth(server_->addresses()[0], why)) << why;
  EXPECT_TRUE(AskHealth(server_->addresses()[1], why)) << why;
  EXPECT_FALSE(AskHealth("unix:" + site_.Path("nobody"), why));
  EXPECT_THAT(why, HasSubstr("nobody"));
}

TEST_F(ServerTest, FinishesWhatRunsBeforeItEnds) {
  Start();
  const sapi::UniqueFd idle = Connect();
  Send(idle, Get("/"));
  Receive(idle, "hello");
  const sapi::UniqueFd busy = Connect();
  Send(busy, Get("/index.php?gate"));
  pool_->WaitForOneAtTheGate();
  server_->Drain();
  EXPECT_EQ(Receive(idle, "never"), "");
  EXPECT_THROW(
      {
        // The listener is gone once the idle connection is.
        Connect();
      },
      std::runtime_error);
  pool_->Open();
  const std::string response = Receive(busy, "never");
  EXPECT_THAT(response, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(response, EndsWith("hello"));
  Join();
}

TEST_F(ServerTest, EndsAtOnceWhenToldTwice) {
  Start();
  const sapi::UniqueFd busy = Connect();
  Send(busy, Get("/index.php?gate"));
  pool_->WaitForOneAtTheGate();
  server_->Drain();
  server_->Drain();
  EXPECT_EQ(Receive(busy, "never"), "");
  thread_.join();
  EXPECT_EQ(server_->time_left(), std::chrono::milliseconds(0));
  pool_.reset();
}

}  // namespace
}  // namespace ephpm::server
