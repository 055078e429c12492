// OPcache under threads: it runs, and emptying it disturbs nobody.

#include <atomic>
#include <nlohmann/json.hpp>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class OpcacheTest : public ServerTest {
 protected:
  static constexpr int kFiles = 200;
  /// Makes the files that opcache_many_files.php includes.
  static void WriteFiles(const TemporaryFolder& folder) {
    for (int i = 0; i < kFiles; ++i) {
      const std::string number = std::to_string(i);
      folder.Write("f" + number + ".php",
                   "<?php\nif (!function_exists('part" + number + "')) { function part" + number +
                       "(): array {\nstatic $words = ['a', 'b', 'c', 'word" + number +
                       "'];\nreturn ['number' => " + number +
                       ", 'words' => $words];\n} }\nclass Part" + number +
                       " { const N = [1, 2, 'x" + number + "']; }\nreturn part" + number + "();\n");
    }
  }
  static std::string ExpectedBody() {
    std::size_t sum = 0;
    for (int i = 0; i < kFiles; ++i) sum += i + ("word" + std::to_string(i)).size();
    return "sum " + std::to_string(sum);
  }
  json Status() { return json::parse(Get("/opcache_status.php").body); }

  TemporaryFolder files_;
};

TEST_P(OpcacheTest, RunsUnderTheEphpmName) {
  Start();
  json status = Status();
  EXPECT_EQ(status["sapi"], "ephpm");
  EXPECT_EQ(status["enabled"], true);
}

TEST_P(OpcacheTest, ScriptsAreTakenFromTheCache) {
  Start({.workers = 1});
  Get("/hello.php");
  const int before = Status()["hits"];
  for (int i = 0; i < 10; ++i) Get("/hello.php");
  EXPECT_GE(static_cast<int>(Status()["hits"]), before + 10);
}

TEST_P(OpcacheTest, CacheIsSharedByAllThreads) {
  Start({.workers = 4});
  ExpectEveryThreadServes();
  const int before = Status()["hits"];
  ExpectEveryThreadServes();
  // meet.php four times, hello.php eight times: nobody compiles them again.
  EXPECT_GE(static_cast<int>(Status()["hits"]), before + 12);
}

TEST_P(OpcacheTest, ResetUnderLoadKeepsServing) {
  Start({.workers = 4});
  WriteFiles(files_);
  const std::string page = "/opcache_many_files.php?folder=" + files_.path().string();
  const std::string expected = ExpectedBody();
  constexpr int kClients = 16;
  std::atomic<bool> over{false};
  std::atomic<int> pages{0};
  InParallel(kClients + 1, [&](int i) {
    if (i == kClients) {
      for (int reset = 0; reset < 20; ++reset) {
        // Each time some pages are under way, and filled the cache since the last time.
        const int served = pages;
        EXPECT_EQ(Get("/opcache_reset.php").body, "reset");
        EXPECT_TRUE(Eventually([&] { return pages >= served + kClients / 2; }));
      }
      over = true;
      return;
    }
    Client client(endpoint());
    while (!over) {
      const Response response = client.Exchange({.target = page});
      ASSERT_EQ(response.status, 200);
      ASSERT_EQ(response.body, expected);
      ++pages;
    }
  });
  EXPECT_GE(pages, 100);
  EXPECT_GE(static_cast<int>(Status()["restarts"]), 1);
  ExpectEveryThreadServes();
}

TEST_P(OpcacheTest, FullCacheIsEmptiedWithoutHarm) {
  // Room for fewer files than there are: the cache restarts by itself, again and again.
  Start({.workers = 4,
         .ini = {"opcache.max_accelerated_files=200", "opcache.memory_consumption=8",
                 "opcache.interned_strings_buffer=1", "opcache.max_wasted_percentage=1"}});
  WriteFiles(files_);
  const std::string page = "/opcache_many_files.php?folder=" + files_.path().string();
  const std::string expected = ExpectedBody();
  InParallel(8, [&](int) {
    Client client(endpoint());
    for (int i = 0; i < 20; ++i) ASSERT_EQ(client.Exchange({.target = page}).body, expected);
  });
}

TEST_P(OpcacheTest, ChangedScriptIsSeen) {
  Start({.root = files_.path(), .ini = {"opcache.revalidate_freq=0"}});
  const auto script = files_.Write("page.php", "<?php echo 'old';");
  // A file this fresh is not trusted by its time alone.
  std::filesystem::last_write_time(
      script, std::filesystem::file_time_type::clock::now() - std::chrono::minutes(5));
  EXPECT_EQ(Get("/page.php").body, "old");
  EXPECT_EQ(Get("/page.php").body, "old");
  files_.Write("page.php", "<?php echo 'changed';");
  EXPECT_EQ(Get("/page.php").body, "changed");
}

TEST_P(OpcacheTest, MayBeSwitchedOff) {
  Start({.ini = {"opcache.enable=0"}});
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(OpcacheTest, MayBeLeftOut) {
  Start({.config = "[php]\nopcache = false\n"});
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(OpcacheTest, RefusesToStartWhereTheCacheCannotRun) {
  ServerOptions options;
  options.mode = GetParam();
  options.ini = {"extension_dir=/nonexistent"};
  const ProgramResult result = RunServerProgram(ServerCommand(options, files_));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("OPcache"));
  EXPECT_EQ(result.output, "");
}

EPHPM_IN_EVERY_MODE(OpcacheTest);

}  // namespace
}  // namespace ephpm::blackbox
