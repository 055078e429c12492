#include <gmock/gmock.h>

#include <string>

#include "tests/php/php_fixture.h"

namespace ephpm::sapi {
namespace {

using testing::HasSubstr;

/// Each test ends a script in one way, and then asks the same interpreter for a plain page.
class EndingsTest : public PhpFixture {
 protected:
  void TearDown() override {
    const Response next = Run("echo 'next';");
    EXPECT_EQ(next.status(), 200);
    EXPECT_EQ(next.body, "next");
    EXPECT_EQ(next.ending, Ending::kComplete);
    PhpFixture::TearDown();
  }
};

TEST_F(EndingsTest, Normal) {
  const Response response = Run("echo 'done';");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "done");
  EXPECT_EQ(response.header("content-type"), "text/html; charset=UTF-8");
  EXPECT_GT(response.usage.peak_memory, 0U);
  EXPECT_GT(response.usage.php.count(), 0);
}

TEST_F(EndingsTest, NoOutputAtAll) {
  const Response response = Run("");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "");
}

TEST_F(EndingsTest, Exit) {
  const Response response = Run("echo 'a'; exit(1); echo 'b';");
  EXPECT_EQ(response.status(), 200) << "an exit code is not a status";
  EXPECT_EQ(response.body, "a");
}

TEST_F(EndingsTest, Exit255IsNoFailure) {
  const Response response = Run("echo 'a'; flush(); exit(255);");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.ending, Ending::kComplete);
}

TEST_F(EndingsTest, DieInAFunction) {
  const Response response = Run("function f() { $x = [new stdClass]; die('bye'); } f();");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "bye");
}

TEST_F(EndingsTest, ExitIsNotCaughtAsAThrowable) {
  const Response response =
      Run("try { exit('out'); } catch (\\Throwable $e) { echo 'caught'; } finally { echo 'no'; }");
  EXPECT_EQ(response.body, "out");
}

TEST_F(EndingsTest, UncaughtExceptionIs500) {
  const Response response = Run("echo 'before'; throw new Exception('x');");
  EXPECT_EQ(response.status(), 500);
  EXPECT_EQ(response.body, "before");
  EXPECT_EQ(response.ending, Ending::kComplete);
}

TEST_F(EndingsTest, UncaughtExceptionKeepsAStatusOfTheScript) {
  EXPECT_EQ(Run("http_response_code(418); throw new Exception('x');").status(), 418);
}

TEST_F(EndingsTest, UncaughtExceptionAfterTheHeadCutsTheBody) {
  const Response response = Run("echo 'before'; ob_flush(); flush(); throw new Exception('x');");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "before");
  EXPECT_EQ(response.ending, Ending::kBroken);
}

TEST_F(EndingsTest, DisplayedErrorIsACompleteAnswer) {
  const Response response = Run("ini_set('display_errors', '1'); throw new Exception('shown');");
  EXPECT_EQ(response.status(), 200) << "what PHP does when it shows errors";
  EXPECT_THAT(response.body, HasSubstr("shown"));
  EXPECT_EQ(response.ending, Ending::kComplete);
}

TEST_F(EndingsTest, UserError) {
  const Response response = Run("trigger_error('x', E_USER_ERROR); echo 'not reached';");
  EXPECT_EQ(response.status(), 500);
  EXPECT_EQ(response.body, "");
}

TEST_F(EndingsTest, HandledUserErrorIsNoFailure) {
  const Response response =
      Run("set_error_handler(fn() => true); echo 'a'; flush(); trigger_error('x', E_USER_ERROR);"
          "echo 'b';");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "ab");
  EXPECT_EQ(response.ending, Ending::kComplete);
}

TEST_F(EndingsTest, CompileErrorInEval) {
  const Response response = Run("eval('class A { abstract function f(); }'); echo 'no';");
  EXPECT_EQ(response.status(), 500);
}

TEST_F(EndingsTest, ParseErrorOfTheScript) {
  const Response response = Run("this is not php");
  EXPECT_EQ(response.status(), 500);
  EXPECT_EQ(response.body, "");
}

TEST_F(EndingsTest, MissingScript) {
  FakeClient client;
  Submit(client, "/nonexistent/script.php");
  EXPECT_GE(client.Receive().status(), 404);
}

TEST_F(EndingsTest, MemoryLimit) {
  const Response response = Run(
      "ini_set('memory_limit', '16M'); echo 'x'; $a = []; while (1) $a[] = str_repeat('y', 1e5);");
  EXPECT_EQ(response.status(), 500);
  EXPECT_EQ(response.body, "");
}

TEST_F(EndingsTest, MemoryLimitAfterTheHeadCutsTheBody) {
  const Response response =
      Run("ini_set('memory_limit', '16M'); echo 'x'; ob_flush(); flush();"
          "$a = []; while (1) $a[] = str_repeat('y', 1e5);");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "x");
  EXPECT_EQ(response.ending, Ending::kBroken);
}

TEST_F(EndingsTest, TimeLimit) {
  const Response response =
      Run("register_shutdown_function(function () { echo http_response_code(); });"
          "set_time_limit(1); echo 'x'; while (1);");
  EXPECT_EQ(response.status(), 500);
  EXPECT_EQ(response.body, "x500");
}

TEST_F(EndingsTest, TimeLimitInADestructor) {
  const Response response = Run(
      "class A { function __destruct() { set_time_limit(1); while (1); } } $GLOBALS['a'] = new A;"
      "echo 'x';");
  EXPECT_EQ(response.status(), 500);
}

TEST_F(EndingsTest, ClientGone) {
  FakeClient client;
  const std::string log = Script("") + ".log";
  auto exchange =
      Submit(client, Script("register_shutdown_function(fn() => file_put_contents('" + log +
                            "', connection_status()));"
                            "echo 'x'; ob_flush(); flush();"
                            "while (1) { echo str_repeat('y', 10000); ob_flush(); flush(); }"));
  client.ReceiveSome();
  exchange->Abort();
  // The same interpreter serves this only once the script above has ended.
  EXPECT_EQ(Run("readfile('" + log + "');").body, "1");
}

TEST_F(EndingsTest, ClientGoneWhileQueuedIsNeverRun) {
  FakeClient blocked;
  FakeClient gone;
  const std::string mark = Script("") + ".mark";
  const std::string go = Script("") + ".go";
  Submit(blocked, Script("while (!file_exists('" + go + "')) { usleep(1000); clearstatcache(); }"));
  auto exchange = Submit(gone, Script("touch('" + mark + "');"));
  exchange->Abort();
  std::fclose(std::fopen(go.c_str(), "w"));
  blocked.Receive();
  EXPECT_EQ(Run("echo file_exists('" + mark + "') ? 'ran' : 'not run';").body, "not run");
}

TEST_F(EndingsTest, IgnoredClientGoneRunsToTheEnd) {
  FakeClient client;
  const std::string log = Script("") + ".log";
  auto exchange =
      Submit(client, Script("ignore_user_abort(true); echo 'x'; ob_flush(); flush();"
                            "while (!connection_aborted()) { echo str_repeat('y', 10000);"
                            " ob_flush(); flush(); } file_put_contents('" +
                            log + "', 'end');"));
  client.ReceiveSome();
  exchange->Abort();
  EXPECT_EQ(Run("readfile('" + log + "');").body, "end");
}

TEST_F(EndingsTest, ExitInADestructor) {
  const Response response =
      Run("class A { function __destruct() { echo 'd'; exit; } } $a = new A; echo 'x';");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "xd");
}

TEST_F(EndingsTest, ExitInAShutdownFunction) {
  const Response response =
      Run("register_shutdown_function(function () { echo 's'; exit; }); echo 'x';");
  EXPECT_EQ(response.status(), 200);
  EXPECT_EQ(response.body, "xs");
}

TEST_F(EndingsTest, FatalInAShutdownFunction) {
  const Response response =
      Run("register_shutdown_function(function () { undefined_function(); }); echo 'x';");
  EXPECT_EQ(response.status(), 500);
}

TEST_F(EndingsTest, ExitInAnOutputCallback) {
  const Response response = Run("ob_start(function ($b) { exit; }); echo 'x'; ob_end_flush();");
  EXPECT_EQ(response.status(), 200);
}

TEST_F(EndingsTest, ObStartInShutdownAfterOutputLockError) {
  const Response response =
      Run("register_shutdown_function(fn() => ob_start(fn($b) => $b));"
          "ob_start(function ($b) { ob_start(); return $b; }, 1); echo 'x';");
  EXPECT_EQ(response.status(), 500);
}

TEST_F(EndingsTest, DeepRecursionIsACleanError) {
  const Response response =
      Run("function r($n) { return $n ? array_map('r', [$n - 1])[0] : 0; }"
          "try { r(500000); } catch (\\Error $e) { echo $e->getMessage(); }");
  EXPECT_EQ(response.status(), 200);
  EXPECT_THAT(response.body, HasSubstr("Maximum call stack size"));
}

TEST_F(EndingsTest, RedirectCookiesBufferAndShutdownOutput) {
  const Response response =
      Run("register_shutdown_function(function () { echo 'S', http_response_code(); });"
          "header('Location: /next'); setcookie('a', '1'); setcookie('b', '2');"
          "ob_start(); echo 'buf'; exit;");
  EXPECT_EQ(response.status(), 302);
  EXPECT_EQ(response.body, "bufS302");
  std::string cookies;
  for (std::size_t i = 0; i < response.head.headers.size(); ++i) {
    if (EqualsIgnoringCase(response.head.headers[i].name, "set-cookie")) {
      cookies.append(response.head.headers[i].value).append(";");
    }
  }
  EXPECT_EQ(cookies, "a=1;b=2;");
}

}  // namespace
}  // namespace ephpm::sapi
