// What a script sees of a request, as under nginx and PHP-FPM.

#include <nlohmann/json.hpp>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

const std::string kForm = "application/x-www-form-urlencoded";

class RequestTest : public ServerTest {
 protected:
  json GetJson(const std::string& target, Headers headers = {}) {
    return json::parse(Get(target, std::move(headers)).body);
  }
  json FetchJson(const Request& request) { return json::parse(Fetch(request).body); }
  static Request Post(const std::string& target, const std::string& type, std::string body) {
    return {.target = target,
            .method = "POST",
            .headers = {{"Content-Type", type}},
            .body = std::move(body)};
  }
};

// ---- Query, cookies, bodies

TEST_P(RequestTest, QueryBecomesGet) {
  Start();
  EXPECT_EQ(GetJson("/show_get.php?a[]=1&a[]=2&a.b=1&c%20d=2&x=1&x=2&e&f=&g=a+b%2Bc&h[k][]=z"
                    "&=novalue&i[=3&j%00k=1&m[a]b=5"),
            json::parse(R"({"a":["1","2"],"a_b":"1","c_d":"2","x":"2","e":"","f":"","g":"a b+c",
                            "h":{"k":["z"]},"i_":"3","j":"1","m":{"a":"5"}})"));
}

TEST_P(RequestTest, CookiesKeepPlusAndTheFirstOfTwo) {
  Start();
  EXPECT_EQ(GetJson("/show_cookies.php",
                    {{"Cookie",
                      "arr[]=x; arr[]=y; a.b=1; plus=a+b; map[k]=v; dup=1; dup=2; sp%20c=a%20b; "
                      "=x; novalue"}}),
            json::parse(R"({"arr":["x","y"],"a_b":"1","plus":"a+b","map":{"k":"v"},"dup":"1",
                            "sp%20c":"a b","novalue":""})"));
}

TEST_P(RequestTest, SeveralCookieHeadersAreOneList) {
  Start();
  EXPECT_EQ(GetJson("/show_cookies.php", {{"Cookie", "a=1"}, {"Cookie", "b=2"}}),
            json::parse(R"({"a":"1","b":"2"})"));
}

TEST_P(RequestTest, LargeCookieArrives) {
  Start();
  const std::string value(16 * 1024, 'c');
  EXPECT_EQ(GetJson("/show_cookies.php", {{"Cookie", "big=" + value}})["big"], value);
}

TEST_P(RequestTest, FormBecomesPost) {
  Start();
  EXPECT_EQ(FetchJson(Post("/show_post.php", kForm, "a[x]=1&b=c+d%2B&e=")),
            json::parse(R"({"a":{"x":"1"},"b":"c d+","e":""})"));
}

TEST_P(RequestTest, InputOfAFormCanBeReadTwice) {
  Start();
  EXPECT_EQ(FetchJson(Post("/input_twice.php", kForm, "a=1&b=2")),
            json::parse(R"({"first":"a=1&b=2","second":"a=1&b=2","post":{"a":"1","b":"2"}})"));
}

TEST_P(RequestTest, InputOfJsonCanBeReadTwiceAndIsNoPost) {
  Start();
  EXPECT_EQ(FetchJson(Post("/input_twice.php", "application/json", R"({"k":1})")),
            json::parse(R"({"first":"{\"k\":1}","second":"{\"k\":1}","post":[]})"));
}

TEST_P(RequestTest, PutIsInputAndNoPost) {
  Start();
  Request put = Post("/input_twice.php", kForm, "a=1");
  put.method = "PUT";
  EXPECT_EQ(FetchJson(put), json::parse(R"({"first":"a=1","second":"a=1","post":[]})"));
}

TEST_P(RequestTest, OwnMethodsReachTheScript) {
  Start();
  for (const char* method : {"DELETE", "PATCH", "OPTIONS", "PROPFIND", "REPORT"}) {
    EXPECT_EQ(FetchJson({.target = "/show_server.php", .method = method})["REQUEST_METHOD"],
              method);
  }
}

TEST_P(RequestTest, BodyOfEverySizeArrivesWhole) {
  Start({.ini = {"post_max_size=0"}});
  // Around the sizes at which buffers and the temporary file take over.
  for (const std::size_t size : {1, 16383, 16384, 65535, 65536, 65537, 1 << 20, 5 << 20}) {
    std::string body(size, 'b');
    body.back() = 'z';
    const Response response = Fetch(Post("/input_digest.php", "application/octet-stream", body));
    EXPECT_THAT(response.body, testing::StartsWith(std::to_string(size) + " "));
  }
}

TEST_P(RequestTest, FormPastPostMaxSizeIsEmptyButTheScriptRunsAndHasTheInput) {
  Start({.ini = {"post_max_size=1K"}});
  const std::string form = "a=" + std::string(4000, 'x');
  json seen = FetchJson(Post("/input_twice.php", kForm, form));
  EXPECT_EQ(seen["post"], json::array());
  EXPECT_EQ(seen["first"], form);
}

TEST_P(RequestTest, FormPastMaxInputVarsKeepsTheFirst) {
  Start({.ini = {"max_input_vars=3"}});
  json post = FetchJson(Post("/show_post.php", kForm, "a=1&b=2&c=3&d=4&e=5"));
  EXPECT_EQ(post["c"], "3");
  EXPECT_FALSE(post.contains("e"));
}

// ---- Uploads

TEST_P(RequestTest, MultipartIsFilesAndPostAndNoInput) {
  Start();
  const MultipartBody body =
      MultipartBody().Field("text", "a value").File("f", "a.txt", "content", "text/plain");
  json seen = FetchJson(Post("/show_files.php", MultipartBody::ContentType(), body.Encode()));
  EXPECT_EQ(seen["post"], json::parse(R"({"text":"a value"})"));
  EXPECT_EQ(seen["input"], "");
  json& file = seen["files"]["f"];
  EXPECT_EQ(file["name"], "a.txt");
  EXPECT_EQ(file["type"], "text/plain");
  EXPECT_EQ(file["error"], 0);
  EXPECT_EQ(file["size"], 7);
  EXPECT_EQ(file["is_uploaded"], true);
  EXPECT_EQ(file["content"], "9a0364b9e99bb480dd25e1f0284c8555");  // md5 of "content"
}

TEST_P(RequestTest, SeveralFilesOfOneFieldAreFieldMajor) {
  Start();
  const MultipartBody body = MultipartBody().File("f[]", "dir/été.png", "1234").File("f[]", "", "");
  json file =
      FetchJson(Post("/show_files.php", MultipartBody::ContentType(), body.Encode()))["files"]["f"];
  EXPECT_EQ(file["name"], json::parse(R"(["été.png",""])"));
  EXPECT_EQ(file["full_path"], json::parse(R"(["dir/été.png",""])"));
  EXPECT_EQ(file["error"], json::parse("[0,4]"));
  EXPECT_EQ(file["size"], json::parse("[4,0]"));
}

TEST_P(RequestTest, FilePastUploadMaxFilesizeIsAnErrorOfThatFileAlone) {
  Start({.ini = {"upload_max_filesize=1K"}});
  const MultipartBody body = MultipartBody()
                                 .Field("before", "1")
                                 .File("f", "big.bin", std::string(4000, 'x'))
                                 .Field("after", "2");
  json seen = FetchJson(Post("/show_files.php", MultipartBody::ContentType(), body.Encode()));
  EXPECT_EQ(seen["post"], json::parse(R"({"before":"1","after":"2"})"));
  EXPECT_EQ(seen["files"]["f"]["error"], 1);
  EXPECT_EQ(seen["files"]["f"]["size"], 0);
  EXPECT_EQ(seen["files"]["f"]["type"], "");
}

TEST_P(RequestTest, MultipartPutIsRawInput) {
  Start();
  const std::string body = MultipartBody().Field("a", "1").Encode();
  Request put = Post("/show_files.php", MultipartBody::ContentType(), body);
  put.method = "PUT";
  json seen = FetchJson(put);
  EXPECT_EQ(seen["post"], json::array());
  EXPECT_EQ(seen["files"], json::array());
  EXPECT_EQ(seen["input"], body);
}

TEST_P(RequestTest, ScriptCanParseTheBodyOfAPutItself) {
  Start();
  Request put = Post("/request_parse_body.php", MultipartBody::ContentType(),
                     MultipartBody().Field("a", "1").File("f", "name.txt", "x").Encode());
  put.method = "PUT";
  EXPECT_EQ(FetchJson(put), json::parse(R"({"post":{"a":"1"},"names":["name.txt"]})"));
}

TEST_P(RequestTest, UploadedFileCanBeMoved) {
  Start();
  const std::string content(300'000, 'm');
  const std::string body = MultipartBody().File("f", "big.bin", content).Encode();
  EXPECT_EQ(
      Fetch(Post("/upload_moved.php?to=" + Path("moved"), MultipartBody::ContentType(), body)).body,
      "moved");
  EXPECT_EQ(ReadFile(Path("moved")), content);
}

TEST_P(RequestTest, UploadedFileThatIsLeftIsRemoved) {
  Start();
  const std::string body = MultipartBody().File("f", "a.bin", "left").Encode();
  const std::string path = Fetch(Post("/upload_left.php", MultipartBody::ContentType(), body)).body;
  EXPECT_THAT(path, Not(HasSubstr("missing")));
  EXPECT_TRUE(Eventually([&] { return !std::filesystem::exists(path); })) << path;
}

// ---- $_SERVER

TEST_P(RequestTest, ServerNamesTheScript) {
  Start();
  json server = GetJson("/show_server.php?a=1&b");
  EXPECT_EQ(server["REQUEST_METHOD"], "GET");
  EXPECT_EQ(server["REQUEST_URI"], "/show_server.php?a=1&b");
  EXPECT_EQ(server["QUERY_STRING"], "a=1&b");
  EXPECT_EQ(server["SCRIPT_NAME"], "/show_server.php");
  EXPECT_EQ(server["PHP_SELF"], "/show_server.php");
  EXPECT_EQ(server["SCRIPT_FILENAME"], (ScriptsFolder() / "show_server.php").string());
  EXPECT_EQ(server["DOCUMENT_ROOT"], ScriptsFolder().string());
  EXPECT_EQ(server["SERVER_PROTOCOL"], "HTTP/1.1");
  EXPECT_EQ(server["GATEWAY_INTERFACE"], "CGI/1.1");
  EXPECT_FALSE(server.contains("PATH_INFO"));
}

TEST_P(RequestTest, ServerNamesBothEnds) {
  Start();
  json server = GetJson("/show_server.php", {{"Host", "example.com:8080"}});
  EXPECT_EQ(server["REMOTE_ADDR"], "127.0.0.1");
  EXPECT_EQ(server["SERVER_ADDR"], "127.0.0.1");
  EXPECT_EQ(server["SERVER_PORT"], std::to_string(endpoint().port));
  EXPECT_EQ(server["SERVER_NAME"], "example.com");
  EXPECT_EQ(server["HTTP_HOST"], "example.com:8080");
  EXPECT_EQ(server["REQUEST_SCHEME"], "http");
  EXPECT_FALSE(server.contains("HTTPS"));
}

TEST_P(RequestTest, QueryStringIsThereWithoutAQuery) {
  Start();
  EXPECT_EQ(GetJson("/show_server.php")["QUERY_STRING"], "");
  EXPECT_EQ(GetJson("/show_server.php?")["QUERY_STRING"], "");
}

TEST_P(RequestTest, RequestUriIsAsItWasSent) {
  Start();
  json server = GetJson("/show_server.php/a%2Fb/%E6%97%A5+c?x=%20");
  EXPECT_EQ(server["REQUEST_URI"], "/show_server.php/a%2Fb/%E6%97%A5+c?x=%20");
  EXPECT_EQ(server["QUERY_STRING"], "x=%20");
}

TEST_P(RequestTest, PathInfoIsWhatFollowsTheScript) {
  Start();
  json server = GetJson("/show_server.php/en/page?x=1");
  EXPECT_EQ(server["SCRIPT_NAME"], "/show_server.php");
  EXPECT_EQ(server["PATH_INFO"], "/en/page");
  EXPECT_EQ(server["PHP_SELF"], "/show_server.php/en/page");
  EXPECT_EQ(server["REQUEST_URI"], "/show_server.php/en/page?x=1");
}

TEST_P(RequestTest, HeadersBecomeVariables) {
  Start();
  json server = GetJson("/show_server.php", {{"X-Some-Name", "value"},
                                             {"Accept-Language", "de, en;q=0.5"},
                                             {"X-Twice", "1"},
                                             {"X-Twice", "2"}});
  EXPECT_EQ(server["HTTP_X_SOME_NAME"], "value");
  EXPECT_EQ(server["HTTP_ACCEPT_LANGUAGE"], "de, en;q=0.5");
  EXPECT_EQ(server["HTTP_X_TWICE"], "1, 2");
}

TEST_P(RequestTest, BodyHeadersBecomeVariables) {
  Start();
  json server = FetchJson(Post("/show_server.php", kForm, "a=1"));
  EXPECT_EQ(server["CONTENT_TYPE"], kForm);
  EXPECT_EQ(server["CONTENT_LENGTH"], "3");
  EXPECT_EQ(server["HTTP_CONTENT_TYPE"], kForm);
}

TEST_P(RequestTest, ProxyHeaderIsNeverTheProxyVariable) {
  Start();
  json server = GetJson("/show_server.php", {{"Proxy", "http://evil.example"}});
  EXPECT_FALSE(server.contains("HTTP_PROXY"));
  EXPECT_EQ(GetJson("/show_getenv.php?name=HTTP_PROXY", {{"Proxy", "http://evil.example"}}),
            json::parse(R"({"getenv":false,"local":false,"server":null})"));
}

TEST_P(RequestTest, HeaderNamesThatWouldFoldIntoOthersAreDropped) {
  Start();
  json server = GetJson(
      "/show_server.php",
      {{"X_Forwarded_For", "1.2.3.4"}, {"X.Forwarded.For", "1.2.3.5"}, {"Remote_User", "admin"}});
  EXPECT_FALSE(server.contains("HTTP_X_FORWARDED_FOR"));
  EXPECT_FALSE(server.contains("HTTP_REMOTE_USER"));
}

TEST_P(RequestTest, BasicCredentialsAreTakenApart) {
  Start();
  json server = GetJson("/show_server.php", {{"Authorization", "Basic YWxpY2U6czNjcjN0"}});
  EXPECT_EQ(server["PHP_AUTH_USER"], "alice");
  EXPECT_EQ(server["PHP_AUTH_PW"], "s3cr3t");
  EXPECT_EQ(server["HTTP_AUTHORIZATION"], "Basic YWxpY2U6czNjcjN0");
  EXPECT_FALSE(server.contains("AUTH_TYPE"));
}

TEST_P(RequestTest, CredentialsOfOneRequestAreNotThoseOfTheNext) {
  Start({.workers = 1});
  GetJson("/show_server.php", {{"Authorization", "Basic YWxpY2U6czNjcjN0"}});
  json server = GetJson("/show_server.php");
  EXPECT_FALSE(server.contains("PHP_AUTH_USER"));
  EXPECT_FALSE(server.contains("PHP_AUTH_PW"));
  EXPECT_FALSE(server.contains("HTTP_AUTHORIZATION"));
}

TEST_P(RequestTest, ScriptCanListTheHeaders) {
  Start();
  json headers = GetJson("/all_headers.php", {{"X-Some-Name", "value"}, {"Cookie", "a=1"}});
  EXPECT_EQ(headers["X-Some-Name"], "value");
  EXPECT_EQ(headers["Cookie"], "a=1");
}

TEST_P(RequestTest, QueryIsNoCommandLine) {
  Start();
  EXPECT_EQ(GetJson("/argv.php?--env=prod+a"), json::parse(R"({"argv":null,"argc":null})"));
}

TEST_P(RequestTest, EnvironmentOfTheProcessReachesScripts) {
  Start({.environment = {"EPHPM_TEST_VALUE=a=b",
                         "NO_VALUE=", "LONG_VALUE=" + std::string(9000, 'x')}});
  EXPECT_EQ(GetJson("/show_getenv.php?name=NO_VALUE")["getenv"], "");
  EXPECT_EQ(GetJson("/show_getenv.php?name=LONG_VALUE")["getenv"], std::string(9000, 'x'));
}

TEST_P(RequestTest, RunsUnderItsOwnName) {
  Start();
  EXPECT_EQ(Get("/sapi_name.php").body, "ephpm ephpm 1");
}

TEST_P(RequestTest, OutputIsBufferedAsOnAProductionServer) {
  Start({.buffering = Buffering::kAsConfigured});
  EXPECT_EQ(Get("/buffer_level.php").body, "1");
}

TEST_P(RequestTest, OutputBufferingCanBeSwitchedOff) {
  Start({.ini = {"output_buffering=0"}, .buffering = Buffering::kAsConfigured});
  EXPECT_EQ(Get("/buffer_level.php").body, "0");
}

TEST_P(RequestTest, ScriptRunsInItsOwnFolder) {
  Start();
  EXPECT_EQ(Get("/included_by_relative_path.php").body, "sub scripts");
}

TEST_P(RequestTest, FolderAnswersWithItsIndex) {
  Start();
  json seen = GetJson("/sub/?a=1");
  EXPECT_EQ(seen["index_of"], "sub");
  EXPECT_EQ(seen["script"], "/sub/index.php");
  EXPECT_EQ(seen["self"], "/sub/index.php");
  EXPECT_EQ(seen["uri"], "/sub/?a=1");
}

TEST_P(RequestTest, FrontControllerAnswersForPathsWithoutFile) {
  Start();
  json seen = GetJson("/no/such/%70age/?q=1");
  EXPECT_EQ(seen["front"], true);
  EXPECT_EQ(seen["uri"], "/no/such/%70age/?q=1");
  EXPECT_EQ(seen["script"], "/index.php");
  EXPECT_EQ(seen["path_info"], nullptr);
  EXPECT_EQ(seen["query"], "q=1");
}

EPHPM_IN_EVERY_MODE(RequestTest);

}  // namespace
}  // namespace ephpm::blackbox
