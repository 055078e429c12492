#include "tests/blackbox/fixture.h"

#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

namespace ephpm::blackbox {

bool Eventually(const std::function<bool()>& condition) {
  constexpr std::chrono::milliseconds kBetweenLooks{2};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return true;
}

ServerProcess& ServerTest::Start(ServerOptions options) {
  options.mode = GetParam();
  workers_ = options.workers;
  server_ = std::make_unique<ServerProcess>(options);
  return *server_;
}

void ServerTest::ExpectEveryThreadServes() {
  const std::string folder = Path("meeting" + std::to_string(++meetings_));
  std::filesystem::create_directory(folder);
  const std::string meeting = "/meet.php?count=" + std::to_string(workers_) + "&folder=" + folder;
  for (const Response& response : FetchInParallel(endpoint(), {.target = meeting}, workers_)) {
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "met");
  }
  for (const Response& response :
       FetchInParallel(endpoint(), {.target = "/hello.php"}, 2 * workers_)) {
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "hello");
  }
}

void ServerTest::TearDown() {
  if (server_ == nullptr) return;
  try {
    if (!HasFatalFailure()) CheckBeforeStop();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "after the test: " << error.what();
  }
  EXPECT_EQ(server_->Stop(), 0);
  if (!expects_error_log_) {
    EXPECT_THAT(server_->ErrorLines(), testing::IsEmpty());
  }
  if (HasFailure()) std::fputs(server_->Log().c_str(), stderr);
}

}  // namespace ephpm::blackbox
