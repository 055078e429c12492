// Bodies on their way: sent when the script flushes, as fast as the client reads, and in bounded
// memory, in both directions.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/blackbox/fixture.h"

namespace ephpm::blackbox {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kMegabyte = 1024 * 1024;
/// What the server's memory may grow by while it passes on a body that is several times as large:
/// far more than its buffers, far less than the body.
constexpr std::size_t kFlat = 32 * kMegabyte;

class StreamingTest : public ServerTest {
 protected:
  /// Bytes of memory by which the server grew since it was started, at most.
  std::size_t Growth() {
    const std::size_t bytes = server().ResidentBytes();
    grown_to_ = std::max(grown_to_, bytes);
    return grown_to_ > before_ ? grown_to_ - before_ : 0;
  }
  void StartMeasuring() {
    // What is made once, at the first request, is not growth.
    Get("/hello.php");
    before_ = server().ResidentBytes();
    grown_to_ = 0;
  }
  /// Reads the rest of a body that write_megabytes.php wrote. Returns its size; 0 if a byte of it
  /// is wrong.
  std::uint64_t ReadMegabytes(Client& client, Response& head) {
    std::uint64_t size = 0;
    while (const std::optional<std::string> piece = client.ReadPiece(head)) {
      for (std::size_t i = 0; i < piece->size(); i += 4096) {
        if ((*piece)[i] != static_cast<char>('A' + ((size + i) / 65536) % 26)) return 0;
      }
      size += piece->size();
      if (size / kMegabyte != (size - piece->size()) / kMegabyte) Growth();
    }
    return size;
  }

 private:
  std::size_t before_ = 0;
  std::size_t grown_to_ = 0;
};

// ---- Responses

TEST_P(StreamingTest, FlushSendsAtOnce) {
  Start();
  Client client(endpoint());
  client.Send(Request{.target = "/flush_and_wait.php?go=" + Path("go")}.Encode());
  Response response = client.ReadHead();
  EXPECT_EQ(response.status, 200);
  EXPECT_FALSE(response.Has("Content-Length"));
  EXPECT_EQ(client.ReadPiece(response), "first");
  server().folder().Write("go", "");
  EXPECT_EQ(client.ReadPiece(response), "second");
  EXPECT_EQ(client.ReadPiece(response), std::nullopt);
  EXPECT_FALSE(response.cut);
}

TEST_P(StreamingTest, EventsArriveOneByOneThroughTheDefaultBuffer) {
  Start({.buffering = Buffering::kAsConfigured});
  Client client(endpoint());
  client.Send(Request{.target = "/event_stream.php?go=" + Path("go")}.Encode());
  Response response{};
  for (int i = 1; i <= 5; ++i) {
    const std::string number = std::to_string(i);
    server().folder().Write("go" + number, "");
    if (i == 1) response = client.ReadHead();
    EXPECT_EQ(client.ReadPiece(response), "data: " + number + "\n\n");
  }
  EXPECT_EQ(response.Header("Content-Type"), "text/event-stream;charset=UTF-8");
  EXPECT_EQ(client.ReadPiece(response), std::nullopt);
  EXPECT_FALSE(response.cut);
}

TEST_P(StreamingTest, ConnectionIsUsedAgainAfterAStream) {
  Start();
  server().folder().Write("go", "");
  Client client(endpoint());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.Exchange({.target = "/flush_and_wait.php?go=" + Path("go")}).body,
              "firstsecond");
    EXPECT_EQ(client.Exchange({.target = "/hello.php"}).body, "hello");
  }
}

TEST_P(StreamingTest, ImplicitFlushIsComplete) {
  Start();
  EXPECT_EQ(Get("/implicit_flush.php").body, "one two");
}

TEST_P(StreamingTest, ManySmallWritesArriveInOrder) {
  Start();
  std::string expected;
  for (int i = 0; i < 20000; ++i) expected += std::to_string(i) + ' ';
  EXPECT_EQ(Get("/small_writes.php").body, expected);
}

TEST_P(StreamingTest, BodiesOfEverySizeArriveWhole) {
  Start();
  Client client(endpoint());
  // Around the sizes at which output changes hands and a script has to wait.
  for (const int size : {0, 1, 32767, 32768, 32769, 65535, 65536, 65537, 131072, 1 << 20}) {
    const Response response =
        client.Exchange({.target = "/big_output.php?size=" + std::to_string(size)});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body.size(), static_cast<std::size_t>(size));
    EXPECT_FALSE(response.cut);
  }
}

TEST_P(StreamingTest, ScriptWaitsForASlowClientInsteadOfFillingMemory) {
  Start();
  StartMeasuring();
  Client client(endpoint(), {.receive_buffer = 64 * 1024});
  client.Send(Request{.target = "/write_megabytes.php?count=200"}.Encode());
  Response response = client.ReadHead();
  // The client does not read for a moment: a server that does not make the script wait would take
  // all of the body now.
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    Growth();
  }
  EXPECT_EQ(ReadMegabytes(client, response), 200 * kMegabyte);
  EXPECT_FALSE(response.cut);
  EXPECT_LT(Growth(), kFlat);
}

TEST_P(StreamingTest, ManyClientsThatDoNotReadCostLittleMemoryAndCanLeave) {
  Start({.workers = 8});
  StartMeasuring();
  {
    std::vector<Client> clients;
    for (int i = 0; i < 8; ++i) {
      clients.emplace_back(endpoint(), Client::Options{.receive_buffer = 64 * 1024});
      clients.back().Send(Request{.target = "/write_megabytes.php?count=100"}.Encode());
    }
    for (Client& client : clients) EXPECT_EQ(client.ReadHead().status, 200);
    EXPECT_LT(Growth(), kFlat);
  }
  ExpectEveryThreadServes();
}

TEST_P(StreamingTest, LargeFileIsPassedThroughAScriptInLittleMemory) {
  Start({.ini = {"memory_limit=16M"}});
  StartMeasuring();
  const std::string content(100 * kMegabyte, 'f');
  server().folder().Write("large.bin", content);
  const Response response = Get("/pass_through_file.php?file=" + Path("large.bin"));
  EXPECT_EQ(response.framing, Framing::kLength);
  EXPECT_TRUE(response.body == content);
  EXPECT_LT(Growth(), kFlat);
}

// ---- Requests

TEST_P(StreamingTest, ChunkedBodyIsInput) {
  Start();
  Client client(endpoint());
  client.Send(
      "POST /echo_input.php HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, "hello world");
  EXPECT_EQ(client.Exchange({.target = "/hello.php"}).body, "hello");
}

TEST_P(StreamingTest, ChunkedFormIsPost) {
  Start();
  Client client(endpoint());
  client.Send(
      "POST /show_post.php HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"
      "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
      "4\r\na=1&\r\n3\r\nb=2\r\n0\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, R"({"a":"1","b":"2"})");
}

TEST_P(StreamingTest, ChunkedUploadIsAFile) {
  Start();
  const std::string body = MultipartBody().File("f", "a.txt", "content", "text/plain").Encode();
  std::string chunks;
  for (const char byte : body) chunks.append("1\r\n").append(1, byte).append("\r\n");
  Client client(endpoint());
  client.Send(
      "POST /show_files.php HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"
      "Content-Type: " +
      MultipartBody::ContentType() + "\r\n\r\n" + chunks + "0\r\n\r\n");
  nlohmann::json seen = nlohmann::json::parse(client.ReadResponse().body);
  EXPECT_EQ(seen["files"]["f"]["size"], 7);
}

TEST_P(StreamingTest, RequestInSingleBytesIsUnderstood) {
  Start();
  Client client(endpoint());
  for (const char byte :
       Request{.target = "/echo_input.php", .method = "POST", .body = "bytes"}.Encode()) {
    client.Send(std::string(1, byte));
  }
  EXPECT_EQ(client.ReadResponse().body, "bytes");
}

TEST_P(StreamingTest, SlowUploadsHoldNoPhpThread) {
  Start({.workers = 1});
  constexpr int kUploads = 50;
  constexpr std::size_t kSize = 200;
  std::vector<Client> uploads;
  for (int i = 0; i < kUploads; ++i) {
    uploads.emplace_back(endpoint());
    uploads.back().Send("POST /echo_input.php HTTP/1.1\r\nHost: h\r\nContent-Length: " +
                        std::to_string(kSize) + "\r\n\r\n");
  }
  for (std::size_t sent = 0; sent < kSize; sent += 10) {
    for (Client& upload : uploads) upload.Send("slowslowsl");
    EXPECT_EQ(Get("/hello.php").body, "hello");
  }
  for (Client& upload : uploads) EXPECT_EQ(upload.ReadResponse().body.size(), kSize);
}

TEST_P(StreamingTest, LargeUploadTakesLittleMemory) {
  Start({.ini = {"memory_limit=16M"}});
  StartMeasuring();
  constexpr std::size_t kSize = 100;
  const std::string piece(kMegabyte, 'u');
  Client client(endpoint());
  client.Send("PUT /input_digest.php HTTP/1.1\r\nHost: h\r\nContent-Length: " +
              std::to_string(kSize * kMegabyte) + "\r\n\r\n");
  for (std::size_t i = 0; i < kSize; ++i) {
    client.Send(piece);
    Growth();
  }
  EXPECT_EQ(client.ReadResponse("PUT").body,
            std::to_string(kSize * kMegabyte) + " baffe7bc9bd8a87c5329b966aacbeafc");
  EXPECT_LT(Growth(), kFlat);
}

TEST_P(StreamingTest, UploadThatIsBrokenOffRunsNoScript) {
  Start({.workers = 1});
  {
    Client client(endpoint());
    client.Send("POST /head_goes_on.php?told=" + Path("told") +
                " HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\npart of it");
  }
  EXPECT_EQ(Get("/hello.php").body, "hello");
  EXPECT_FALSE(std::filesystem::exists(Path("told")));
}

TEST_P(StreamingTest, LongBodiesLeaveNoFileBehind) {
  TemporaryFolder spill;
  Start({.config = "[php]\ntemp_dir = \"" + spill.path().string() + "\"\n"});
  const std::string body = MultipartBody().File("f", "a.bin", std::string(kMegabyte, 'x')).Encode();
  const Request upload{.target = "/upload_left.php",
                       .method = "POST",
                       .headers = {{"Content-Type", MultipartBody::ContentType()}},
                       .body = body};
  for (int i = 0; i < 10; ++i) EXPECT_THAT(Fetch(upload).body, StartsWith(spill.path().string()));
  {
    Client client(endpoint());
    const std::string half = upload.Encode().substr(0, body.size() / 2);
    client.Send(half);
  }
  EXPECT_TRUE(Eventually([&] { return std::filesystem::is_empty(spill.path()); }));
  EXPECT_EQ(server().Stop(), 0) << "while its folder is still there";
}

TEST_P(StreamingTest, ContinueIsSentForWhoWaitsForIt) {
  Start();
  Client client(endpoint());
  client.Send(
      "POST /echo_input.php HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.ReadHead().status, 100);
  client.Send("body");
  EXPECT_EQ(client.ReadResponse().body, "body");
}

TEST_P(StreamingTest, BodyPastTheLimitIsRefusedBeforeItIsSent) {
  Start({.config = "[limits]\nbody = \"1K\"\n"});
  Client client(endpoint());
  client.Send(
      "POST /echo_input.php HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.ReadHead().status, 413);
}

TEST_P(StreamingTest, ChunkedBodyPastTheLimitIsRefused) {
  Start({.config = "[limits]\nbody = \"1K\"\n"});
  Client client(endpoint());
  client.Send("POST /echo_input.php HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  client.TrySend("7d0\r\n" + std::string(2000, 'x') + "\r\n0\r\n\r\n");
  const Response response = client.ReadResponse();
  EXPECT_EQ(response.status, 413);
  EXPECT_TRUE(client.IsClosed());
}

// ---- Connections

TEST_P(StreamingTest, KeepAliveServesManyRequests) {
  Start();
  Client client(endpoint());
  for (int i = 0; i < 200; ++i) {
    const std::string number = std::to_string(i);
    ASSERT_EQ(client.Exchange({.target = "/echo_number.php?n=" + number}).body, "number " + number);
  }
}

TEST_P(StreamingTest, PipelinedRequestsAreAnsweredInOrder) {
  Start();
  Client client(endpoint());
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests += Request{.target = "/echo_number.php?n=" + std::to_string(i)}.Encode();
    requests += Request{.target = "/echo_input.php", .method = "POST", .body = "posted"}.Encode();
    requests += Request{.target = "/missing.css"}.Encode();
    requests += Request{.target = "/hello.php", .method = "HEAD"}.Encode();
  }
  client.Send(requests);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(client.ReadResponse().body, "number " + std::to_string(i));
    ASSERT_EQ(client.ReadResponse().body, "posted");
    ASSERT_EQ(client.ReadResponse().status, 404);
    ASSERT_EQ(client.ReadResponse("HEAD").status, 200);
  }
}

TEST_P(StreamingTest, ClientMayEndItsHalfAfterTheRequest) {
  Start();
  server().folder().Write("go", "");
  Client client(endpoint());
  client.Send(Request{.target = "/flush_and_wait.php?go=" + Path("go")}.Encode());
  client.FinishSending();
  EXPECT_EQ(client.ReadResponse().body, "firstsecond");
  EXPECT_TRUE(client.IsClosed());
}

TEST_P(StreamingTest, CloseIsDoneWhenAskedFor) {
  Start();
  Client client(endpoint());
  const Response response =
      client.Exchange({.target = "/hello.php", .headers = {{"Connection", "close"}}});
  EXPECT_EQ(response.Header("Connection"), "close");
  EXPECT_EQ(response.body, "hello");
  EXPECT_TRUE(client.IsClosed());
}

TEST_P(StreamingTest, OldProtocolEndsWithTheConnection) {
  Start();
  Client client(endpoint());
  client.Send("GET /hello.php HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.ReadResponse().body, "hello");
  EXPECT_TRUE(client.IsClosed());
}

TEST_P(StreamingTest, OldProtocolGetsNoChunks) {
  Start();
  server().folder().Write("go", "");
  Client client(endpoint());
  client.Send("GET /flush_and_wait.php?go=" + Path("go") + " HTTP/1.0\r\n\r\n");
  const Response response = client.ReadResponse();
  EXPECT_NE(response.framing, Framing::kChunked);
  EXPECT_EQ(response.body, "firstsecond");
  EXPECT_FALSE(response.cut);
}

TEST_P(StreamingTest, OldProtocolSeesACutBodyAsAReset) {
  ExpectErrorLog();
  Start();
  Client client(endpoint());
  client.Send("GET /ending_fatal_after_flush.php?go=" + Path("go") + " HTTP/1.0\r\n\r\n");
  Response response = client.ReadHead();
  EXPECT_EQ(response.framing, Framing::kUntilClose);
  EXPECT_EQ(client.ReadPiece(response), "first chunk");
  server().folder().Write("go", "");
  EXPECT_EQ(client.ReadPiece(response), std::nullopt);
  EXPECT_TRUE(response.cut);
}

TEST_P(StreamingTest, OldProtocolMayKeepTheConnection) {
  Start();
  Client client(endpoint());
  for (int i = 0; i < 3; ++i) {
    client.Send("GET /hello.php HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const Response response = client.ReadResponse();
    EXPECT_EQ(response.body, "hello");
    EXPECT_THAT(response.Header("Connection"), HasSubstr("keep-alive"));
  }
}

EPHPM_IN_EVERY_MODE(StreamingTest);

}  // namespace
}  // namespace ephpm::blackbox
