// The program's life: start, what it says of itself, overload, and the ways in which it ends.

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class LifeTest : public ServerTest {
 protected:
  ServerOptions Options() const {
    ServerOptions options;
    options.mode = GetParam();
    return options;
  }
  /// The result of a start with a configuration that cannot be used.
  ProgramResult StartInVain(const ServerOptions& options) {
    return RunServerProgram(ServerCommand(options, folder_));
  }
  /// One line, as it should be for whoever operates the server.
  static void ExpectOneLineRefusal(const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_THAT(result.output, IsEmpty());
  }
  std::string WaitingTarget(const std::string& name) const {
    return "/wait_for_file.php?started=" + Path("started" + name) + "&go=" + Path("go");
  }
  bool HasStarted(const std::string& name) {
    return Eventually([&] { return std::filesystem::exists(Path("started" + name)); });
  }
  bool Refuses() {
    try {
      const Client client(endpoint());
      return false;
    } catch (const std::exception&) {
      return true;
    }
  }

  TemporaryFolder folder_;
};

// ---- Start

TEST_P(LifeTest, SaysWhereItServes) {
  Start();
  EXPECT_EQ(endpoint().host, "127.0.0.1");
  EXPECT_NE(endpoint().port, 0);
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(LifeTest, ServesOnAUnixSocket) {
  const std::string path = folder_.path() / "http.socket";
  Start({.listen = {"unix:" + path}});
  EXPECT_EQ(endpoint().unix_path, path);
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(LifeTest, RemovesItsUnixSocketAtTheEnd) {
  const std::string path = folder_.path() / "http.socket";
  Start({.listen = {"unix:" + path}});
  EXPECT_EQ(server().Stop(), 0);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_P(LifeTest, TakesOverTheUnixSocketOfAServerThatDied) {
  const std::string path = folder_.path() / "http.socket";
  {
    ServerOptions options = Options();
    options.listen = {"unix:" + path};
    ServerProcess dies(options);
    EXPECT_EQ(dies.Stop(SIGKILL), 128 + SIGKILL);
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  Start({.listen = {"unix:" + path}});
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(LifeTest, ServesOnSeveralAddresses) {
  const std::string path = folder_.path() / "http.socket";
  Start({.listen = {"127.0.0.1:0", "unix:" + path}});
  EXPECT_EQ(Get("/hello.php").body, "hello");
  EXPECT_EQ(blackbox::Get(Endpoint::Parse("unix:" + path), "/hello.php").body, "hello");
}

TEST_P(LifeTest, ServesOnIpv6) {
  Start({.listen = {"[::1]:0"}});
  EXPECT_EQ(endpoint().host, "::1");
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(LifeTest, AddressOfTheClientIsEmptyOnAUnixSocket) {
  Start({.listen = {"unix:" + (folder_.path() / "http.socket").string()}});
  EXPECT_THAT(Get("/show_server.php").body, HasSubstr("\"REMOTE_ADDR\":\"\""));
}

TEST_P(LifeTest, SeveralLoopsServe) {
  Start({.config = "[server]\nio_threads = 4\n"});
  for (const Response& response : FetchInParallel(endpoint(), {.target = "/hello.php"}, 64)) {
    EXPECT_EQ(response.body, "hello");
  }
}

TEST_P(LifeTest, LargeEnvironmentDoesNoHarm) {
  ServerOptions options;
  for (int i = 0; i < 100; ++i) {
    options.environment.push_back("LARGE_" + std::to_string(i) + "=" + std::string(1000, 'e'));
  }
  options.environment.push_back("EMPTY=");
  options.environment.push_back("EQUALS=a=b=c");
  options.environment.push_back("NOT_UTF8=\xff\xfe");
  Start(options);
  EXPECT_THAT(Get("/show_getenv.php?name=EQUALS").body, HasSubstr("\"getenv\":\"a=b=c\""));
}

// ---- Refusals

TEST_P(LifeTest, TakenPortIsRefused) {
  Start();
  ServerOptions options = Options();
  const std::string taken = "127.0.0.1:" + std::to_string(endpoint().port);
  options.listen = {taken};
  const ProgramResult result = StartInVain(options);
  ExpectOneLineRefusal(result);
  EXPECT_THAT(result.errors, HasSubstr(taken));
}

TEST_P(LifeTest, MissingRootIsRefused) {
  ServerOptions options = Options();
  options.root = folder_.path() / "nothing";
  const ProgramResult result = StartInVain(options);
  ExpectOneLineRefusal(result);
  EXPECT_THAT(result.errors, HasSubstr(options.root.string()));
}

TEST_P(LifeTest, RootThatIsAFileIsRefused) {
  ServerOptions options = Options();
  options.root = folder_.Write("file", "");
  ExpectOneLineRefusal(StartInVain(options));
}

TEST_P(LifeTest, UnknownKeyIsRefusedWithItsLineAndASuggestion) {
  ServerOptions options = Options();
  options.config = "[php]\nqueue = 8\n\n[limits]\nbodi = \"1M\"\n";
  const ProgramResult result = StartInVain(options);
  ExpectOneLineRefusal(result);
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("ephpm.toml:5"), HasSubstr("limits.bodi"), HasSubstr("limits.body")));
}

TEST_P(LifeTest, WrongTypeIsRefusedWithItsLine) {
  ServerOptions options = Options();
  options.config = "[php]\nqueue = \"many\"\n";
  const ProgramResult result = StartInVain(options);
  ExpectOneLineRefusal(result);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("ephpm.toml:2"), HasSubstr("php.queue")));
}

TEST_P(LifeTest, BrokenTomlIsRefusedWithItsLine) {
  ServerOptions options = Options();
  options.config = "[php]\n\nqueue = = 1\n";
  const ProgramResult result = StartInVain(options);
  ExpectOneLineRefusal(result);
  EXPECT_THAT(result.errors, HasSubstr("ephpm.toml:3"));
}

TEST_P(LifeTest, MissingConfigurationFileIsRefused) {
  const ProgramResult result =
      RunServerProgram({"--config", (folder_.path() / "nothing.toml").string()});
  ExpectOneLineRefusal(result);
  EXPECT_THAT(result.errors, HasSubstr("nothing.toml"));
}

TEST_P(LifeTest, UnknownFlagIsRefused) {
  const ProgramResult result = RunServerProgram({"--no-such-flag"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("no-such-flag"));
}

TEST_P(LifeTest, BadAddressIsRefused) {
  ServerOptions options = Options();
  options.listen = {"127.0.0.1:99999"};
  const ProgramResult result = StartInVain(options);
  ExpectOneLineRefusal(result);
  EXPECT_THAT(result.errors, HasSubstr("127.0.0.1:99999"));
}

TEST_P(LifeTest, UnwritableLogFileIsRefused) {
  ServerOptions options = Options();
  options.config = "[log]\nfile = \"" + (folder_.path() / "no/such/folder/log").string() + "\"\n";
  ExpectOneLineRefusal(StartInVain(options));
}

TEST(WorkerModeTest, IsRefusedWhileItIsNotThere) {
  const ProgramResult result =
      RunServerProgram({"--mode", "worker", "--root", ScriptsFolder().string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("worker"));
}

// ---- Questions

TEST_P(LifeTest, SaysItsVersion) {
  const ProgramResult result = RunServerProgram({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr(EPHPM_VERSION));
}

TEST_P(LifeTest, CheckShowsWhatAConfigurationMeans) {
  const std::string config = folder_.Write("ephpm.toml", "[php]\nqueue = 77\n");
  const ProgramResult result = RunServerProgram(
      {"check", "--config", config, "--root", ScriptsFolder().string(), "--workers", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("queue"), HasSubstr("77"), HasSubstr("ephpm.toml:2"),
                                   HasSubstr("command line"), HasSubstr("default")));
}

TEST_P(LifeTest, CheckRefusesWhatTheServerWouldRefuse) {
  const std::string config = folder_.Write("ephpm.toml", "[php]\nqueu = 77\n");
  const ProgramResult result = RunServerProgram({"check", "--config", config});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("ephpm.toml:2"));
}

TEST_P(LifeTest, HealthIsTold) {
  Start();
  EXPECT_EQ(Get("/_ephpm/health").status, 200);
  EXPECT_EQ(Get("/_ephpm/ready").status, 200);
}

TEST_P(LifeTest, HealthIsToldWhileEveryThreadIsBusy) {
  Start({.workers = 1});
  Client busy(endpoint());
  busy.Send(Request{.target = WaitingTarget("1")}.Encode());
  ASSERT_TRUE(HasStarted("1"));
  EXPECT_EQ(Get("/_ephpm/health").status, 200);
  EXPECT_EQ(Get("/_ephpm/ready").status, 200);
  server().folder().Write("go", "");
  EXPECT_EQ(busy.ReadResponse().body, "went");
}

// ---- Overload

TEST_P(LifeTest, FullQueueIsToldAtOnce) {
  Start({.workers = 1, .config = "[php]\nqueue = 1\n"});
  Client running(endpoint());
  running.Send(Request{.target = WaitingTarget("1")}.Encode());
  ASSERT_TRUE(HasStarted("1"));
  // One of these waits in the queue, the others are turned away while it does.
  std::vector<Client> more;
  for (int i = 0; i < 4; ++i) {
    more.emplace_back(endpoint());
    more.back().Send(Request{.target = "/hello.php"}.Encode());
  }
  EXPECT_TRUE(Eventually([&] {
    return std::count_if(more.begin(), more.end(),
                         [](Client& client) { return client.HasInput(); }) == 3;
  }));
  server().folder().Write("go", "");
  EXPECT_EQ(running.ReadResponse().body, "went");
  int served = 0;
  for (Client& client : more) {
    const Response response = client.ReadResponse();
    if (response.status == 200) {
      EXPECT_EQ(response.body, "hello");
      ++served;
    } else {
      EXPECT_EQ(response.status, 503);
      EXPECT_TRUE(response.Has("Retry-After"));
    }
  }
  EXPECT_EQ(served, 1);
}

TEST_P(LifeTest, ConnectionsBeyondTheLimitWaitUntilOthersClose) {
  Start({.config = "[server]\nmax_connections = 4\n"});
  std::unique_ptr<Client> waiting;
  {
    std::vector<Client> clients;
    for (int i = 0; i < 4; ++i) {
      clients.emplace_back(endpoint());
      EXPECT_EQ(clients.back().Exchange({.target = "/hello.php"}).body, "hello");
    }
    waiting = std::make_unique<Client>(endpoint());
    waiting->Send(Request{.target = "/hello.php"}.Encode());
  }
  EXPECT_EQ(waiting->ReadResponse().body, "hello");
}

// ---- Ends

TEST_P(LifeTest, EndsAtTerm) {
  Start();
  EXPECT_EQ(Get("/hello.php").body, "hello");
  EXPECT_EQ(server().Stop(SIGTERM), 0);
}

TEST_P(LifeTest, EndsAtInterrupt) {
  Start();
  EXPECT_EQ(server().Stop(SIGINT), 0);
}

TEST_P(LifeTest, EndsAtQuit) {
  Start();
  EXPECT_EQ(server().Stop(SIGQUIT), 0);
}

TEST_P(LifeTest, EndsRightAfterTheStart) {
  for (int i = 0; i < 5; ++i) {
    ServerProcess short_lived(Options());
    EXPECT_EQ(short_lived.Stop(), 0) << short_lived.Log();
  }
}

TEST_P(LifeTest, EndsWithIdleConnectionsOpen) {
  Start();
  std::vector<Client> idle;
  for (int i = 0; i < 20; ++i) {
    idle.emplace_back(endpoint());
    EXPECT_EQ(idle.back().Exchange({.target = "/hello.php"}).body, "hello");
  }
  EXPECT_EQ(server().Stop(), 0);
}

TEST_P(LifeTest, RunningRequestIsFinishedDuringTheDrain) {
  Start();
  Client running(endpoint());
  running.Send(Request{.target = WaitingTarget("1")}.Encode());
  ASSERT_TRUE(HasStarted("1"));
  server().process().Signal(SIGTERM);
  EXPECT_TRUE(Eventually([&] { return Refuses(); }));
  server().folder().Write("go", "");
  const Response response = running.ReadResponse();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "went");
  EXPECT_EQ(response.Header("Connection"), "close");
  EXPECT_EQ(server().process().Wait(), 0);
}

TEST_P(LifeTest, QueuedRequestIsServedDuringTheDrain) {
  Start({.workers = 1});
  Client running(endpoint());
  running.Send(Request{.target = WaitingTarget("1")}.Encode());
  ASSERT_TRUE(HasStarted("1"));
  Client queued(endpoint());
  queued.Send(Request{.target = "/hello.php"}.Encode());
  // An answer to a later request shows that the loop has read the one before it.
  EXPECT_EQ(Get("/_ephpm/health").status, 200);
  server().process().Signal(SIGTERM);
  EXPECT_TRUE(Eventually([&] { return Refuses(); }));
  server().folder().Write("go", "");
  EXPECT_EQ(running.ReadResponse().body, "went");
  EXPECT_EQ(queued.ReadResponse().body, "hello");
  EXPECT_EQ(server().process().Wait(), 0);
}

TEST_P(LifeTest, ReadinessEndsWithTheDrainAndHealthDoesNot) {
  Start();
  Client running(endpoint());
  running.Send(Request{.target = WaitingTarget("1")}.Encode());
  ASSERT_TRUE(HasStarted("1"));
  // Let in before the drain, so that they can still ask.
  Client asks_ready(endpoint());
  asks_ready.Send("GET /_ephpm/ready HTTP/1.1\r\n");
  Client asks_health(endpoint());
  asks_health.Send("GET /_ephpm/health HTTP/1.1\r\n");
  server().process().Signal(SIGTERM);
  EXPECT_TRUE(Eventually([&] { return Refuses(); }));
  asks_ready.Send("Host: h\r\n\r\n");
  EXPECT_EQ(asks_ready.ReadResponse().status, 503);
  asks_health.Send("Host: h\r\n\r\n");
  EXPECT_EQ(asks_health.ReadResponse().status, 200);
  server().folder().Write("go", "");
  EXPECT_EQ(running.ReadResponse().body, "went");
}

TEST_P(LifeTest, ScriptThatOutlivesTheDrainDoesNotKeepTheServer) {
  Start({.config = "[timeouts]\nshutdown = \"1s\"\n"});
  Client running(endpoint());
  running.Send(Request{.target = WaitingTarget("1")}.Encode());
  ASSERT_TRUE(HasStarted("1"));
  server().process().Signal(SIGTERM);
  // By itself the script would wait for 15 seconds.
  EXPECT_EQ(server().process().Wait(std::chrono::seconds(8)), 0);
}

TEST_P(LifeTest, SecondSignalEndsAtOnce) {
  Start();
  Client running(endpoint());
  running.Send(Request{.target = WaitingTarget("1")}.Encode());
  ASSERT_TRUE(HasStarted("1"));
  server().process().Signal(SIGTERM);
  EXPECT_TRUE(Eventually([&] { return Refuses(); }));
  server().process().Signal(SIGTERM);
  EXPECT_EQ(server().process().Wait(std::chrono::seconds(8)), 0);
}

TEST_P(LifeTest, WhoWasLetInIsServedWhileTheServerEnds) {
  Start({.workers = 4});
  std::atomic<bool> over{false};
  std::atomic<int> served{0};
  std::atomic<int> failed{0};
  std::thread client([&] {
    while (!over) {
      std::unique_ptr<Client> connection;
      try {
        connection = std::make_unique<Client>(endpoint());
      } catch (const std::exception&) {
        break;  // the server has ended: nothing was asked of it
      }
      try {
        const Response response =
            connection->Exchange({.target = "/hello.php", .headers = {{"Connection", "close"}}});
        (response.body == "hello" ? served : failed)++;
      } catch (const std::exception&) {
        ++failed;
      }
    }
  });
  EXPECT_TRUE(Eventually([&] { return served > 200; }));
  EXPECT_EQ(server().Stop(), 0);
  over = true;
  client.join();
  EXPECT_EQ(failed, 0);
}

EPHPM_IN_EVERY_MODE(LifeTest);

}  // namespace
}  // namespace ephpm::blackbox
