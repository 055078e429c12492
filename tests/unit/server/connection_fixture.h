#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "sapi/exchange.h"
#include "sapi/unique_fd.h"
#include "server/http_connection.h"
#include "server/router.h"
#include "tests/unit/server/site_tree.h"

namespace ephpm::server {

/// What follows the head of a response.
inline std::string Body(const std::string& response) {
  return response.substr(response.find("\r\n\r\n") + 4);
}

/// Keeps what is submitted, so that the test can play the PHP thread.
class HeldRequests final : public sapi::RequestHandler {
 public:
  bool Submit(std::shared_ptr<sapi::Exchange> exchange) override {
    if (full) return false;
    submitted.push_back(std::move(exchange));
    return true;
  }
  bool full = false;
  std::vector<std::shared_ptr<sapi::Exchange>> submitted;
};

/// An HttpConnection on a socketpair with a test at the other end. Everything happens on the test's
/// thread, in Turn.
class ConnectionTest : public testing::Test, private HttpConnection::Owner {
 protected:
  ConnectionTest() {
    std::signal(SIGPIPE, SIG_IGN);
    site_.File("www/index.php", "<?php");
    site_.File("www/hello.txt", "hello, file");
    site_.Folder("www/folder");
    config_.server.document_root = site_.Path("www");
    config_.php.temp_dir = site_.Path("");
  }

  /// Connects. Settings are taken as they are then.
  void Connect() {
    router_ = std::make_unique<Router>(config_.server);
    services_ = std::make_unique<HttpServices>(
        HttpServices{loop_, config_, *router_, encoder_, handler_, access_log_});
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) {
      std::abort();
    }
    client_.Reset(ends[0]);
    received_.clear();
    closed_ = false;
    HttpConnection::Owner& owner = *this;
    connection_ = std::make_unique<HttpConnection>(*services_, owner, sapi::UniqueFd(ends[1]),
                                                   sapi::Peers{"192.0.2.1", 4711, "", 0});
  }

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(client_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
      if (sent < 0 && errno != EAGAIN) break;  // the server has closed: the test sees what it said
      Turn();
    }
    Turn();
  }
  void EndSending() {
    ::shutdown(client_.get(), SHUT_WR);
    Turn();
  }
  /// Lets the loop do all that it can do, and reads what the server sends.
  void Turn() {
    for (int i = 0; i < kTurns; ++i) {
      loop_.RunOnce();
      if (reading_) ReadAll();
    }
  }
  /// As if so much time had passed.
  void Pass(std::chrono::milliseconds time) {
    if (connection_) connection_->OnTick(loop_.now() + time);
    Turn();
  }
  /// What the server sent since the last call.
  std::string Received() {
    Turn();
    return std::exchange(received_, {});
  }
  /// The server ended its half, or the whole connection.
  bool Closed() const { return closed_; }
  bool Retired() const { return connection_ == nullptr; }

  /// The request that the handler got last.
  sapi::Exchange& Submitted() { return *handler_.submitted.back(); }
  /// Answers the request that the handler got last.
  void Respond(std::string_view body, sapi::ResponseHead head = {}) {
    Submitted().SetHead(std::move(head));
    Submitted().Write(body);
    Submitted().Finish(sapi::Ending::kComplete);
    Turn();
  }

  EventLoop loop_;
  SiteTree site_;
  config::Config config_;
  HttpEncoder encoder_;
  HeldRequests handler_;
  std::unique_ptr<HttpConnection> connection_;
  sapi::UniqueFd client_;
  bool reading_ = true;  // the client takes what the server sends

 private:
  /// Enough for: read, deliver, write, retire, close.
  static constexpr int kTurns = 4;

  void Retire(HttpConnection&) override {
    loop_.Post([this] { connection_.reset(); });
  }
  void ReadAll() {
    char buffer[64 * 1024];
    ssize_t count;
    while ((count = ::recv(client_.get(), buffer, sizeof buffer, 0)) > 0) {
      received_.append(buffer, static_cast<std::size_t>(count));
    }
    if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) closed_ = true;
  }

  AccessLog access_log_{nullptr, config::LogFormat::kText};
  std::unique_ptr<Router> router_;
  std::unique_ptr<HttpServices> services_;
  std::string received_;
  bool closed_ = false;
};

}  // namespace ephpm::server
