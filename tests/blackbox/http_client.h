#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ephpm::blackbox {

/// Where a server listens. Value type.
struct Endpoint {
  std::string host;  ///< an IPv4 or IPv6 address; empty for a unix socket
  std::uint16_t port = 0;
  std::string unix_path;

  /// "ADDR:PORT", "[::1]:PORT" or "unix:/path". Throws std::invalid_argument.
  static Endpoint Parse(const std::string& text);
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// How a response says where its body ends.
enum class Framing { kNone, kLength, kChunked, kUntilClose };

/// A response as it came. Value type.
struct Response {
  int status = 0;
  std::string version;  ///< "HTTP/1.1"
  std::string reason;
  Headers headers;
  std::string body;
  Framing framing = Framing::kNone;
  bool cut = false;  ///< the connection ended before the framing said that the body does

  /// The value of the first header called `name`; empty if there is none.
  std::string Header(std::string_view name) const;
  bool Has(std::string_view name) const;
  /// The values of all headers called `name`, in order.
  std::vector<std::string> All(std::string_view name) const;
};

/// What a test asks for. Value type.
struct Request {
  std::string target = "/";
  std::string method = "GET";
  Headers headers = {};
  std::string body = {};  ///< sent with Content-Length if not empty or the method is POST or PUT

  /// The bytes of it for HTTP/1.1; Host is added if it is not among the headers.
  std::string Encode() const;
};

/// One connection to a server, at the level of bytes.
///
/// Belongs to one thread. Every wait is bounded: what takes longer throws std::runtime_error.
class Client {
 public:
  struct Options {
    std::chrono::milliseconds patience{20'000};
    int receive_buffer = 0;  ///< bytes that the kernel holds for us; 0: its own choice
  };

  /// Connects. Throws std::runtime_error if nobody listens.
  explicit Client(const Endpoint& endpoint);
  Client(const Endpoint& endpoint, Options options);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  Client(Client&& other) noexcept;
  Client& operator=(Client&&) = delete;
  ~Client();

  /// Sends all bytes. Throws if the server closed the connection.
  void Send(std::string_view bytes);
  /// Sends all bytes. False: the server closed the connection.
  bool TrySend(std::string_view bytes);
  /// Nothing more will be sent, but is still received.
  void FinishSending();
  /// Closes with a reset instead of a regular end.
  void Reset();

  /// The response to `request`, sent now.
  Response Exchange(const Request& request);
  /// The next response. `method` is of the request: the response to HEAD has no body. Interim
  /// responses (1xx) are skipped.
  Response ReadResponse(std::string_view method = "GET");
  /// The next head, also an interim one.
  Response ReadHead(std::string_view method = "GET");
  /// The next piece of `head`'s body: a chunk, or at most `limit` bytes of a body that is not
  /// chunked. With head.cut set: what came before the cut. Nothing: the body is at its end, or cut.
  std::optional<std::string> ReadPiece(Response& head, std::size_t limit = 65536);
  /// The bytes until the server closes.
  std::string ReadToEnd();
  /// True if the server has closed, or does so in time, and sent nothing more.
  bool IsClosed();
  /// True if something can be read already.
  bool HasInput(std::chrono::milliseconds wait = std::chrono::milliseconds{0});

 private:
  enum class Received { kBytes, kEnd };
  Received Receive();
  bool WaitFor(short events, std::chrono::milliseconds patience) const;
  /// The next line without its CR LF. Nothing: the connection ended.
  std::optional<std::string> ReadLine();

  int socket_ = -1;
  std::chrono::milliseconds patience_;
  std::string input_;            // received, not yet read
  bool reset_ = false;           // the connection ended by a reset
  std::uint64_t remaining_ = 0;  // of a body with a length
};

/// One request on a connection of its own.
Response Fetch(const Endpoint& endpoint, const Request& request);
Response Get(const Endpoint& endpoint, const std::string& target, Headers headers = {});

/// Runs `work(0)` ... `work(count - 1)` in a thread each and waits for all. The first exception is
/// thrown again.
void InParallel(int count, const std::function<void(int)>& work);
/// The same request from `count` clients at once.
std::vector<Response> FetchInParallel(const Endpoint& endpoint, const Request& request, int count);

/// The bytes of a multipart/form-data body.
class MultipartBody {
 public:
  static constexpr std::string_view kBoundary = "----ephpm-test-boundary";

  MultipartBody& Field(std::string_view name, std::string_view value);
  MultipartBody& File(std::string_view name, std::string_view file_name, std::string_view content,
                      std::string_view type = "application/octet-stream");
  std::string Encode() const;
  static std::string ContentType();

 private:
  std::string parts_;
};

}  // namespace ephpm::blackbox
