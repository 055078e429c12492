// What a client sees of a script's status, headers and length.

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using testing::ElementsAre;

class ResponseTest : public ServerTest {};

TEST_P(ResponseTest, DefaultContentTypeIsHtml) {
  Start();
  EXPECT_EQ(Get("/hello.php").All("Content-Type"),
            std::vector<std::string>{"text/html; charset=UTF-8"});
}

TEST_P(ResponseTest, ScriptSetsTheContentType) {
  Start();
  EXPECT_EQ(Get("/header_content_type.php?type=application/json").Header("Content-Type"),
            "application/json");
}

TEST_P(ResponseTest, SmallAnswerSaysItsLength) {
  Start();
  const Response response = Get("/hello.php");
  EXPECT_EQ(response.Header("Content-Length"), "5");
  EXPECT_EQ(response.framing, Framing::kLength);
  EXPECT_TRUE(response.Has("Date"));
}

TEST_P(ResponseTest, HeaderWithALineBreakIsDropped) {
  Start();
  const Response response = Get("/header_injection.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_FALSE(response.Has("Set-Cookie"));
  EXPECT_FALSE(response.Has("X-A"));
}

TEST_P(ResponseTest, StatusLineSetsTheStatus) {
  Start();
  EXPECT_EQ(Get("/header_status_line.php").status, 418);
}

TEST_P(ResponseTest, StatusOutOfRangeDoesNoHarm) {
  Start();
  Get("/header_status_too_large.php");
  EXPECT_EQ(Get("/hello.php").body, "hello");
}

TEST_P(ResponseTest, HeadersAfterTheFirstByteAreIgnored) {
  Start();
  const Response response = Get("/header_after_flush.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_FALSE(response.Has("X-Late"));
  EXPECT_EQ(response.body, "sent");
}

TEST_P(ResponseTest, HeaderCallbackCanAddAHeader) {
  Start();
  EXPECT_EQ(Get("/header_callback.php").Header("X-From-Callback"), "yes");
}

TEST_P(ResponseTest, CreatedKeepsItsStatusWithALocation) {
  Start();
  const Response response = Get("/header_created.php");
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.Header("Location"), "/made");
}

TEST_P(ResponseTest, LocationIsARedirect) {
  Start();
  const Response response = Get("/header_location.php");
  EXPECT_EQ(response.status, 302);
  EXPECT_EQ(response.Header("Location"), "/there");
}

TEST_P(ResponseTest, ReplacingAHeaderIgnoresCase) {
  Start();
  EXPECT_THAT(Get("/header_replace.php").All("X-Y"), ElementsAre("3"));
}

TEST_P(ResponseTest, RepeatedHeadersAreAllSentInOrder) {
  Start();
  const Response response = Get("/header_repeat.php");
  EXPECT_THAT(response.All("X-Y"), ElementsAre("1", "2"));
  EXPECT_THAT(response.All("Set-Cookie"), ElementsAre("c0=v0", "c1=v1", "c2=v2", "c3=v3"));
}

TEST_P(ResponseTest, HalfAStatusLineIsIgnored) {
  Start();
  const Response response = Get("/header_odd_status_line.php");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "fine");
}

TEST_P(ResponseTest, OddHeaderValuesAreSent) {
  Start();
  const Response response = Get("/header_no_space.php");
  EXPECT_EQ(response.Header("X-Tight"), "value");
  EXPECT_EQ(response.Header("X-Long"), std::string(8000, 'l'));
  EXPECT_EQ(response.Header("X-Latin"), "caf\xe9");
}

TEST_P(ResponseTest, SixtyFourKilobytesOfHeadersAreSent) {
  Start();
  const Response response = Get("/header_many_kilobytes.php");
  EXPECT_EQ(response.status, 200);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(response.Header("X-Many-" + std::to_string(i)), std::string(1000, 'm'));
  }
  EXPECT_EQ(response.body, "body");
}

TEST_P(ResponseTest, RemovedHeadersAreNotSent) {
  Start();
  const Response response = Get("/header_removed.php");
  EXPECT_FALSE(response.Has("X-Gone"));
  EXPECT_FALSE(response.Has("X-Powered-By"));
}

TEST_P(ResponseTest, StatusWithoutBodyCarriesNone) {
  Start();
  for (const char* status : {"204", "304"}) {
    Client client(endpoint());
    const Response bare =
        client.Exchange({.target = std::string("/no_content.php?status=") + status});
    EXPECT_EQ(std::to_string(bare.status), status);
    // Stray bytes would be read as the start of the next answer.
    EXPECT_EQ(client.Exchange({.target = "/hello.php"}).body, "hello");
  }
}

TEST_P(ResponseTest, StatusOfOneRequestIsNotThatOfTheNext) {
  Start({.workers = 1});
  Client client(endpoint());
  EXPECT_EQ(client.Exchange({.target = "/header_status_line.php"}).status, 418);
  EXPECT_EQ(client.Exchange({.target = "/hello.php"}).status, 200);
}

TEST_P(ResponseTest, HeadHasTheHeadersOfGetAndNoBody) {
  Start();
  Client client(endpoint());
  const Response head = client.Exchange({.target = "/hello.php", .method = "HEAD"});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.Header("Content-Type"), "text/html; charset=UTF-8");
  EXPECT_EQ(client.Exchange({.target = "/hello.php"}).body, "hello");
}

TEST_P(ResponseTest, HeadRunsTheScriptToItsEnd) {
  Start();
  Client client(endpoint());
  const Response head =
      client.Exchange({.target = "/head_goes_on.php?told=" + Path("told"), .method = "HEAD"});
  EXPECT_EQ(head.status, 200);
  EXPECT_TRUE(Eventually([&] { return ReadFile(Path("told")) == "ran to the end"; }));
  EXPECT_EQ(client.Exchange({.target = "/hello.php"}).body, "hello");
}

TEST_P(ResponseTest, LengthSetByTheScriptIsSentOnce) {
  Start();
  const Response response = Get("/content_length.php?says=5&writes=5");
  EXPECT_THAT(response.All("Content-Length"), ElementsAre("5"));
  EXPECT_EQ(response.body, "xxxxx");
}

TEST_P(ResponseTest, WrongLengthOfAScriptNeverHangsOrSpoilsTheNextAnswer) {
  Start();
  for (const char* target :
       {"/content_length.php?says=5&writes=3", "/content_length.php?says=3&writes=5",
        "/content_length.php?says=100000&writes=90000",
        "/content_length.php?says=90000&writes=100000"}) {
    Client client(endpoint());
    const Response wrong = client.Exchange({.target = target});
    EXPECT_EQ(wrong.body.find_first_not_of('x'), std::string::npos) << target;
    // Either the server closes, or what it sends next is the next answer and no stray byte.
    if (client.TrySend("GET /hello.php HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")) {
      const std::string next = client.ReadToEnd();
      EXPECT_TRUE(next.empty() || next.starts_with("HTTP/1.1 200")) << target << ": " << next;
    }
  }
}

TEST_P(ResponseTest, WarningsDoNotReachTheClient) {
  Start();
  EXPECT_EQ(Get("/warning.php").body, "before after");
  EXPECT_TRUE(server().process().WaitForOutput([](const std::string&, const std::string& errors) {
    return errors.find("Undefined variable $undefined") != std::string::npos;
  }));
}

EPHPM_IN_EVERY_MODE(ResponseTest);

}  // namespace
}  // namespace ephpm::blackbox
