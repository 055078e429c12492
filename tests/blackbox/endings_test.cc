// One test for each way in which a script can end. Whatever it is, the client learns the truth and
// every PHP thread serves on.

#include <filesystem>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class EndingsTest : public ServerTest {
 protected:
  /// As php.ini-development and -production have it: a page is held until 4 KiB are there.
  static ServerOptions Buffered() { return {.ini = {"output_buffering=4096"}}; }
  /// The script cannot have ended well: the client sees a status that says so or a cut body.
  static void ExpectNotPassedOffAsGood(const Response& response) {
    EXPECT_TRUE(response.status >= 500 || response.cut)
        << response.status << " with the complete body \"" << response.body << '"';
  }
  void CheckBeforeStop() override { ExpectEveryThreadServes(); }
};

TEST_P(EndingsTest, NormalEnd) {
  Start();
  const Response response = Get("/hello.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "hello");
}

TEST_P(EndingsTest, ExitCodeIsNotAStatus) {
  Start();
  const Response response = Get("/ending_exit.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "before");
}

TEST_P(EndingsTest, ExitWithAMessage) {
  Start();
  const Response response = Get("/ending_exit_message.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "bye");
}

TEST_P(EndingsTest, DieInAFunction) {
  Start();
  const Response response = Get("/ending_die_in_function.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "died inside");
}

TEST_P(EndingsTest, ExitCannotBeCaught) {
  Start();
  const Response response = Get("/ending_exit_in_try.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "left");
}

TEST_P(EndingsTest, UncaughtExceptionIs500AndKeepsTheBuffer) {
  ExpectErrorLog();
  Start(Buffered());
  const Response response = Get("/ending_uncaught.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "before");
}

TEST_P(EndingsTest, UncaughtExceptionWithoutBufferingIsNotPassedOffAsGood) {
  ExpectErrorLog();
  Start();
  ExpectNotPassedOffAsGood(Get("/ending_uncaught.php"));
}

TEST_P(EndingsTest, UncaughtExceptionIsLoggedWithItsMessageAndPlace) {
  ExpectErrorLog();
  Start(Buffered());
  Get("/ending_uncaught.php");
  EXPECT_TRUE(server().process().WaitForOutput([](const std::string&, const std::string& errors) {
    return errors.find("nobody catches this") != std::string::npos &&
           errors.find("ending_uncaught.php") != std::string::npos;
  }));
}

TEST_P(EndingsTest, UncaughtExceptionIsNotShownToTheClient) {
  ExpectErrorLog();
  Start(Buffered());
  EXPECT_THAT(Get("/ending_uncaught.php").body, Not(HasSubstr("nobody catches this")));
}

TEST_P(EndingsTest, UncaughtExceptionIsShownWhereDisplayErrorsIsOn) {
  ExpectErrorLog();
  Start({.ini = {"output_buffering=4096", "display_errors=1"}});
  EXPECT_THAT(Get("/ending_uncaught.php").body, HasSubstr("nobody catches this"));
}

TEST_P(EndingsTest, UncaughtExceptionKeepsTheStatusOfTheScript) {
  ExpectErrorLog();
  Start(Buffered());
  EXPECT_EQ(Get("/ending_uncaught_418.php").status, 418);
}

TEST_P(EndingsTest, ExceptionHandlerAnswers) {
  Start(Buffered());
  const Response response = Get("/ending_uncaught_handler.php");
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.body, "handled x");
}

TEST_P(EndingsTest, UserErrorIs500) {
  ExpectErrorLog();
  Start(Buffered());
  const Response response = Get("/ending_user_error.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, Not(HasSubstr("not reached")));
}

TEST_P(EndingsTest, ParseErrorIs500WithoutBody) {
  ExpectErrorLog();
  Start();
  const Response response = Get("/ending_parse_error_in_file.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, IsEmpty());
}

TEST_P(EndingsTest, ParseErrorInEvalCanBeCaught) {
  Start();
  EXPECT_EQ(Get("/ending_parse_error_in_eval.php").body, "caught");
}

TEST_P(EndingsTest, CompileErrorInEvalIs500) {
  ExpectErrorLog();
  Start(Buffered());
  const Response response = Get("/ending_compile_error_in_eval.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, Not(HasSubstr("not reached")));
}

TEST_P(EndingsTest, CallOfAMissingFunctionIs500) {
  ExpectErrorLog();
  Start();
  EXPECT_EQ(Get("/ending_missing_function.php").status, 500);
}

TEST_P(EndingsTest, MemoryLimitIs500AndDropsTheBuffer) {
  ExpectErrorLog();
  Start(Buffered());
  const Response response = Get("/ending_memory_limit.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_THAT(response.body, IsEmpty());
}

TEST_P(EndingsTest, MemoryLimitInOneHugeBlockIs500) {
  ExpectErrorLog();
  Start();
  EXPECT_EQ(Get("/ending_memory_limit_one_block.php").status, 500);
}

TEST_P(EndingsTest, MemoryLimitOfOneRequestIsNotThatOfTheNext) {
  ExpectErrorLog();
  Start({.workers = 1, .ini = {"memory_limit=96M"}});
  Get("/ending_memory_limit_one_block.php");
  EXPECT_EQ(Get("/ini_value.php?name=memory_limit").body, "96M");
}

TEST_P(EndingsTest, TimeLimitIs500AndRunsShutdownFunctions) {
  ExpectErrorLog();
  Start(Buffered());
  const Response response = Get("/ending_time_limit.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "xshutdown500");
}

TEST_P(EndingsTest, TimeLimitEndsALoopOfInternalCalls) {
  ExpectErrorLog();
  Start(Buffered());
  EXPECT_EQ(Get("/ending_time_limit_in_internal_call.php").status, 500);
}

TEST_P(EndingsTest, TimeLimitsOnEveryThreadAtOnce) {
  ExpectErrorLog();
  Start(Buffered());
  for (const Response& response :
       FetchInParallel(endpoint(), {.target = "/ending_time_limit.php"}, 2)) {
    EXPECT_EQ(response.status, 500);
  }
}

TEST_P(EndingsTest, ClientGoneEndsTheScriptAndRunsShutdownFunctions) {
  Start();
  {
    Client client(endpoint());
    client.Send(Request{.target = "/ending_client_gone.php?told=" + Path("told")}.Encode());
    EXPECT_EQ(client.ReadHead().status, 200);
  }
  EXPECT_TRUE(Eventually([&] { return ReadFile(Path("told")) == "aborted"; }));
}

TEST_P(EndingsTest, ClientGoneByAResetEndsTheScript) {
  Start();
  Client client(endpoint());
  client.Send(Request{.target = "/ending_client_gone.php?told=" + Path("told")}.Encode());
  EXPECT_EQ(client.ReadHead().status, 200);
  client.Reset();
  EXPECT_TRUE(Eventually([&] { return ReadFile(Path("told")) == "aborted"; }));
}

TEST_P(EndingsTest, ScriptMayIgnoreThatTheClientIsGone) {
  Start();
  {
    Client client(endpoint());
    client.Send(Request{.target = "/ending_client_gone_ignored.php?told=" + Path("told")}.Encode());
    EXPECT_EQ(client.ReadHead().status, 200);
  }
  EXPECT_TRUE(Eventually([&] { return ReadFile(Path("told")) == "went on to the end"; }));
}

TEST_P(EndingsTest, ExitInADestructorAtTheEnd) {
  Start();
  const Response response = Get("/ending_exit_in_destructor.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "body destructor");
}

TEST_P(EndingsTest, ExitInADestructorInTheMiddle) {
  Start();
  const Response response = Get("/ending_exit_in_destructor_on_unset.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "destructor");
}

TEST_P(EndingsTest, ExceptionInADestructorAtTheEnd) {
  ExpectErrorLog();
  Start(Buffered());
  const Response response = Get("/ending_throw_in_destructor.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "body");
}

TEST_P(EndingsTest, ExitInAShutdownFunctionSkipsTheNext) {
  Start();
  const Response response = Get("/ending_exit_in_shutdown.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "body first");
}

TEST_P(EndingsTest, ExitInAnOutputCallback) {
  Start();
  EXPECT_EQ(Get("/ending_exit_in_output_callback.php").status, 200);
}

TEST_P(EndingsTest, ExceptionInAnOutputCallbackIs500) {
  ExpectErrorLog();
  Start();
  EXPECT_EQ(Get("/ending_throw_in_output_callback.php").status, 500);
}

TEST_P(EndingsTest, FatalErrorAfterTheFirstPieceCutsTheBody) {
  ExpectErrorLog();
  Start();
  for (const char* script :
       {"/ending_fatal_after_flush.php", "/ending_memory_limit_after_flush.php"}) {
    const std::string go = std::string("go") + std::to_string(std::string(script).size());
    Client client(endpoint());
    client.Send(Request{.target = script + std::string("?go=") + Path(go)}.Encode());
    Response response = client.ReadHead();
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.framing, Framing::kChunked);
    EXPECT_EQ(client.ReadPiece(response), "first chunk");
    server().folder().Write(go, "");
    EXPECT_EQ(client.ReadPiece(response), std::nullopt);
    EXPECT_TRUE(response.cut);
  }
}

TEST_P(EndingsTest, FatalErrorRightAfterFlushIsNotPassedOffAsGood) {
  ExpectErrorLog();
  Start();
  for (int i = 0; i < 50; ++i) ExpectNotPassedOffAsGood(Get("/ending_fatal_after_flush.php"));
}

TEST_P(EndingsTest, ExitAfterFlushCompletesTheBody) {
  Start();
  const Response response = Get("/ending_exit_after_flush.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "first chunk");
  EXPECT_FALSE(response.cut);
}

TEST_P(EndingsTest, FatalErrorInAShutdownFunctionIs500) {
  ExpectErrorLog();
  Start(Buffered());
  const Response response = Get("/ending_fatal_in_shutdown.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "body");
}

TEST_P(EndingsTest, ObStartInShutdownAfterOutputLockError) {
  ExpectErrorLog();
  Start();
  for (int i = 0; i < 20; ++i) {
    ExpectNotPassedOffAsGood(Get("/ending_ob_start_in_shutdown_after_lock_error.php"));
  }
}

TEST_P(EndingsTest, DeepRecursionIs500) {
  ExpectErrorLog();
  Start();
  EXPECT_EQ(Get("/ending_deep_recursion.php").status, 500);
}

TEST_P(EndingsTest, DeepRecursionOnEveryThreadAtOnce) {
  ExpectErrorLog();
  Start();
  for (const Response& response :
       FetchInParallel(endpoint(), {.target = "/ending_deep_recursion.php"}, 8)) {
    EXPECT_EQ(response.status, 500);
  }
}

TEST_P(EndingsTest, DeepRecursionCanBeCaught) {
  Start();
  const Response response = Get("/ending_deep_recursion_caught.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_THAT(response.body, HasSubstr("caught: Maximum call stack size"));
}

TEST_P(EndingsTest, DeepDataIsFreed) {
  Start();
  EXPECT_EQ(Get("/deep_data.php").body, "freed");
}

TEST_P(EndingsTest, OpenBufferIsSentAfterShutdownFunctions) {
  Start();
  const Response response = Get("/ending_open_buffer_and_shutdown.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "hello shut");
}

TEST_P(EndingsTest, RedirectAndExitKeepsCookiesAndBuffer) {
  Start();
  const Response response = Get("/ending_redirect_and_exit.php");
  EXPECT_EQ(response.status, 302);
  EXPECT_EQ(response.Header("Location"), "/elsewhere");
  EXPECT_THAT(response.All("Set-Cookie"), testing::ElementsAre("one=1", "two=2"));
  EXPECT_EQ(response.body, "bufS302");
}

TEST_P(EndingsTest, DumpAndDieShowsTheDump) {
  Start();
  const Response response = Get("/ending_dump_and_die.php");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "<pre>dumped</pre>");
}

TEST_P(EndingsTest, StackOfOpenBuffersIsSentInOrder) {
  Start();
  std::string expected;
  for (int i = 0; i < 50; ++i) expected += std::to_string(i) + ' ';
  EXPECT_EQ(Get("/ending_stack_of_buffers.php").body, expected);
}

TEST_P(EndingsTest, ExitInALoopOverAGenerator) {
  Start();
  const Response response = Get("/ending_generator_left_open.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "1 finally");
}

TEST_P(EndingsTest, FileLocksAreFreedByEveryEnding) {
  ExpectErrorLog();
  Start(Buffered());
  const std::string locked = "/ending_lock_held.php?file=" + Path("lock");
  EXPECT_EQ(Get(locked).body, "locked");
  EXPECT_EQ(Get(locked + "&how=fatal").status, 500);
  EXPECT_EQ(Get(locked).body, "locked");
  EXPECT_EQ(Get(locked + "&how=timeout").status, 500);
  EXPECT_EQ(Get(locked).body, "locked");
}

TEST_P(EndingsTest, EveryEndingInTurnOnOneThread) {
  ExpectErrorLog();
  Start({.workers = 1, .ini = {"output_buffering=4096"}});
  for (int round = 0; round < 3; ++round) {
    for (const auto& file : std::filesystem::directory_iterator(ScriptsFolder())) {
      const std::string name = file.path().filename();
      const bool takes_a_while = name.find("time_limit") != std::string::npos;
      const bool needs_a_client = name.find("client_gone") != std::string::npos;
      if (!name.starts_with("ending_") || takes_a_while || needs_a_client) continue;
      Get('/' + name + "?file=" + Path("lock"));
      const Response after = Get("/hello.php");
      ASSERT_EQ(after.status, 200) << "after " << name;
      ASSERT_EQ(after.body, "hello") << "after " << name;
    }
  }
}

EPHPM_IN_EVERY_MODE(EndingsTest);

}  // namespace
}  // namespace ephpm::blackbox
