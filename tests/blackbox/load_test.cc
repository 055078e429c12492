// Many requests: none fails, and memory stays where it was.

#include <atomic>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

class LoadTest : public ServerTest {
 protected:
  static constexpr int kConnections = 64;

  /// Sends `count` requests over kConnections connections at once. Returns how many failed.
  int Failures(int count, const std::function<Request(int)>& request,
               const std::function<bool(int, const Response&)>& is_right) {
    std::atomic<int> next{0};
    std::atomic<int> failures{0};
    InParallel(kConnections, [&](int) {
      Client client(endpoint());
      for (int i = next++; i < count; i = next++) {
        if (!is_right(i, client.Exchange(request(i)))) ++failures;
      }
    });
    return failures;
  }
};

TEST_P(LoadTest, TenThousandRequestsSucceedInSteadyMemory) {
  Start({.workers = 4});
  const auto request = [](int i) -> Request {
    const std::string number = std::to_string(i);
    switch (i % 4) {
      case 0:
        return {.target = "/echo_number.php?n=" + number};
      case 1:
        return {.target = "/echo_input.php", .method = "POST", .body = "number " + number};
      case 2:
        return {.target = "/big_output.php?size=" + std::to_string(20000 + i)};
      default:
        return {.target = "/static.txt"};
    }
  };
  const auto is_right = [](int i, const Response& response) {
    if (response.status != 200 || response.cut) return false;
    if (i % 4 == 2) return response.body == std::string(static_cast<std::size_t>(20000 + i), 'x');
    return response.body == (i % 4 == 3 ? "static\n" : "number " + std::to_string(i));
  };
  EXPECT_EQ(Failures(2000, request, is_right), 0);
  const std::size_t before = server().ResidentBytes();
  EXPECT_EQ(Failures(8000, request, is_right), 0);
  const std::size_t after = server().ResidentBytes();
  // The allocator's arenas of a handful of threads settle late, by a megabyte or two. A leak of
  // only 1 KiB a request would be 8 MB.
  constexpr std::size_t kTolerance = 4 * 1024 * 1024;
  EXPECT_LT(after, before + kTolerance);
}

TEST_P(LoadTest, FatalErrorsDoNotEatMemoryOrThreads) {
  ExpectErrorLog();
  Start({.workers = 4, .ini = {"output_buffering=4096"}});
  const char* scripts[] = {"/ending_uncaught.php",          "/ending_memory_limit_one_block.php",
                           "/ending_exit_in_try.php",       "/ending_compile_error_in_eval.php",
                           "/ending_fatal_in_shutdown.php", "/hello.php"};
  const auto request = [&](int i) -> Request { return {.target = scripts[i % 6]}; };
  const auto is_right = [](int i, const Response& response) {
    return response.status == (i % 6 == 2 || i % 6 == 5 ? 200 : 500);
  };
  EXPECT_EQ(Failures(600, request, is_right), 0);
  const std::size_t before = server().ResidentBytes();
  EXPECT_EQ(Failures(2400, request, is_right), 0);
  // As above; a leak of 4 KiB for each of the 1,600 fatal errors would be 6 MB.
  constexpr std::size_t kTolerance = 4 * 1024 * 1024;
  EXPECT_LT(server().ResidentBytes(), before + kTolerance);
  ExpectEveryThreadServes();
}

TEST_P(LoadTest, ClientsThatLeaveInTheMiddleDoNoHarm) {
  Start({.workers = 4});
  InParallel(16, [&](int thread) {
    for (int i = 0; i < 40; ++i) {
      Client client(endpoint());
      switch ((thread + i) % 4) {
        case 0:
          client.Send("GET /write_megabytes.php?count=8 HTTP/1.1\r\nHost: h\r\n\r\n");
          client.ReadHead();
          break;
        case 1:
          client.Send("POST /echo_input.php HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\npart");
          break;
        case 2:
          client.Send("GET /hello.php HTT");
          break;
        default:
          client.Send(Request{.target = "/hello.php"}.Encode());
          client.Reset();
      }
    }
  });
  ExpectEveryThreadServes();
}

EPHPM_IN_EVERY_MODE(LoadTest);

}  // namespace
}  // namespace ephpm::blackbox
