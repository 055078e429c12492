#include "sapi/server_variables.h"

#include <gtest/gtest.h>

#include <map>

namespace ephpm::sapi {
namespace {

RequestHead Request() {
  RequestHead request;
  request.method = "GET";
  request.target = "/blog/a%20b?x=1";
  request.query = "x=1";
  request.host = "example.com";
  request.script = {"/srv/site", "/index.php", "/srv/site/index.php", ""};
  request.peers = {"192.0.2.7", 51000, "192.0.2.1", 8080};
  return request;
}

std::map<std::string, std::string> Variables(const RequestHead& request, std::uint64_t body = 0) {
  std::map<std::string, std::string> variables;
  for (auto& [name, value] : BuildServerVariables(request, body)) {
    EXPECT_TRUE(variables.emplace(name, value).second) << name << " stands there twice";
  }
  return variables;
}

TEST(ServerVariables, DescribeTheRequestAsNginxDoes) {
  auto variables = Variables(Request());
  EXPECT_EQ(variables["REQUEST_URI"], "/blog/a%20b?x=1");
  EXPECT_EQ(variables["QUERY_STRING"], "x=1");
  EXPECT_EQ(variables["SCRIPT_NAME"], "/index.php");
  EXPECT_EQ(variables["SCRIPT_FILENAME"], "/srv/site/index.php");
  EXPECT_EQ(variables["PHP_SELF"], "/index.php");
  EXPECT_EQ(variables["DOCUMENT_URI"], "/index.php");
  EXPECT_EQ(variables["DOCUMENT_ROOT"], "/srv/site");
  EXPECT_EQ(variables["SERVER_PROTOCOL"], "HTTP/1.1");
  EXPECT_EQ(variables["SERVER_NAME"], "example.com");
  EXPECT_EQ(variables["SERVER_PORT"], "8080");
  EXPECT_EQ(variables["REMOTE_ADDR"], "192.0.2.7");
  EXPECT_EQ(variables["REMOTE_PORT"], "51000");
  EXPECT_EQ(variables["REQUEST_SCHEME"], "http");
  EXPECT_EQ(variables["REDIRECT_STATUS"], "200");
  EXPECT_EQ(variables["CONTENT_TYPE"], "");
  EXPECT_EQ(variables["CONTENT_LENGTH"], "");
  EXPECT_EQ(variables.count("HTTPS"), 0U);
  EXPECT_EQ(variables.count("PATH_INFO"), 0U);
}

TEST(ServerVariables, NameNginxSoThatPrettyUrlsAreUsed) {
  EXPECT_NE(Variables(Request())["SERVER_SOFTWARE"].find("nginx"), std::string::npos);
}

TEST(ServerVariables, SplitPathInfoFromTheScript) {
  RequestHead request = Request();
  request.script.path_info = "/en/page";
  auto variables = Variables(request);
  EXPECT_EQ(variables["SCRIPT_NAME"], "/index.php");
  EXPECT_EQ(variables["PATH_INFO"], "/en/page");
  EXPECT_EQ(variables["PHP_SELF"], "/index.php/en/page");
  EXPECT_EQ(variables["PATH_TRANSLATED"], "/srv/site/en/page");
}

TEST(ServerVariables, SayHttpsForAnEncryptedConnection) {
  RequestHead request = Request();
  request.https = true;
  auto variables = Variables(request);
  EXPECT_EQ(variables["HTTPS"], "on");
  EXPECT_EQ(variables["REQUEST_SCHEME"], "https");
}

TEST(ServerVariables, GiveTheBodySizeWithAndWithoutALengthHeader) {
  RequestHead request = Request();
  request.headers.Add("Content-Type", "text/plain");
  EXPECT_EQ(Variables(request, 12)["CONTENT_LENGTH"], "12");
  request.headers.Add("Content-Length", "0");
  auto variables = Variables(request, 0);
  EXPECT_EQ(variables["CONTENT_LENGTH"], "0");
  EXPECT_EQ(variables["HTTP_CONTENT_LENGTH"], "0");
  EXPECT_EQ(variables["CONTENT_TYPE"], "text/plain");
  EXPECT_EQ(variables["HTTP_CONTENT_TYPE"], "text/plain");
}

TEST(ServerVariables, JoinRepeatedHeaders) {
  RequestHead request = Request();
  request.headers.Add("Accept", "a");
  request.headers.Add("cookie", "x=1");
  request.headers.Add("ACCEPT", "b");
  request.headers.Add("Cookie", "y=2");
  auto variables = Variables(request);
  EXPECT_EQ(variables["HTTP_ACCEPT"], "a, b");
  EXPECT_EQ(variables["HTTP_COOKIE"], "x=1; y=2");
  EXPECT_EQ(JoinCookies(request.headers), "x=1; y=2");
}

TEST(ServerVariables, KeepAnEmptyHeader) {
  RequestHead request = Request();
  request.headers.Add("X-Empty", "");
  EXPECT_EQ(Variables(request).count("HTTP_X_EMPTY"), 1U);
}

TEST(ServerVariables, LeaveOutHeadersThatForgeOthers) {
  RequestHead request = Request();
  for (const char* name : {"X_Forwarded_For", "X.Forwarded.For", "Proxy", "PROXY", "Remote_User",
                           "X-Odd!", "X-\xc3\xa9"}) {
    request.headers.Add(name, "evil");
  }
  for (const auto& [name, value] : BuildServerVariables(request, 0)) {
    EXPECT_NE(value, "evil") << name;
  }
}

TEST(ServerVariables, StandWithoutAddressesOnAUnixSocket) {
  RequestHead request = Request();
  request.peers = {};
  request.host.clear();
  auto variables = Variables(request);
  EXPECT_EQ(variables["REMOTE_ADDR"], "");
  EXPECT_EQ(variables["REMOTE_PORT"], "");
  EXPECT_EQ(variables["SERVER_PORT"], "80");
  EXPECT_EQ(variables["SERVER_NAME"], "");
}

}  // namespace
}  // namespace ephpm::sapi
