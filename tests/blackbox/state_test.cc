// What one request leaves to the next, and to the processes that it starts: nothing.

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

class StateTest : public ServerTest {};

TEST_P(StateTest, NothingOfARequestIsLeftForTheNext) {
  Start({.workers = 1});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Get("/state.php").body, "clean") << "request " << i;
}

TEST_P(StateTest, NothingOfARequestIsLeftForTheNextOnManyThreads) {
  Start({.workers = 4});
  InParallel(8, [&](int) {
    Client client(endpoint());
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(client.Exchange({.target = "/state.php?threads"}).body, "clean") << "request " << i;
    }
  });
}

TEST_P(StateTest, SessionsFollowTheirCookies) {
  Start({.workers = 2});
  const std::string target = "/session_counter.php?folder=" + server().folder().path().string();
  InParallel(4, [&](int visitor) {
    const std::string who = "visitor" + std::to_string(visitor);
    const Response first = Get(target + "&who=" + who);
    ASSERT_EQ(first.body, who + " 1");
    const std::string cookie = first.Header("Set-Cookie");
    const std::string pair = cookie.substr(0, cookie.find(';'));
    for (int i = 2; i <= 30; ++i) {
      ASSERT_EQ(Get(target, {{"Cookie", pair}}).body, who + ' ' + std::to_string(i));
    }
  });
}

TEST_P(StateTest, SessionStartsEmptyWithoutACookie) {
  Start({.workers = 1});
  const std::string target = "/session_counter.php?folder=" + server().folder().path().string();
  EXPECT_EQ(Get(target + "&who=first").body, "first 1");
  EXPECT_EQ(Get(target).body, "nobody 1");
}

TEST_P(StateTest, ChildProcessSeesTheEnvironmentOfItsRequest) {
  Start();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Get("/process.php").body, "seen");
}

TEST_P(StateTest, ChildProcessInheritsNoSocket) {
  Start();
  EXPECT_EQ(Get("/child_descriptors.php").body, "0");
}

TEST_P(StateTest, AnswerIsSentWhenTheScriptFinishesTheRequestAndTheScriptGoesOn) {
  Start();
  const Response response = Get("/finish_request.php?go=" + Path("go") + "&told=" + Path("told"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "whole answer");
  server().folder().Write("go", "");
  EXPECT_TRUE(Eventually([&] { return ReadFile(Path("told")) == "[true,false,0]"; }));
}

EPHPM_IN_EVERY_MODE(StateTest);

}  // namespace
}  // namespace ephpm::blackbox
