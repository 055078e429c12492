#include "server/admin.h"

#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "sapi/unique_fd.h"
#include "server/bound_address.h"

namespace ephpm::server {
namespace {

/// Under the 5 seconds that a container engine commonly gives its health command.
constexpr int kHealthTimeoutSeconds = 3;

BuiltInResponse TextAnswer(int status, std::string_view text) {
  BuiltInResponse response;
  response.head.status = status;
  response.head.headers.Add("Content-Type", "text/plain; charset=utf-8");
  response.head.headers.Add("Cache-Control", "no-store");
  response.body = text;
  return response;
}

/// What the server said until it closed the connection; as much as came.
std::string AskOnce(int socket, std::string_view request) {
  const timeval patience{kHealthTimeoutSeconds, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  std::string answer;
  if (::send(socket, request.data(), request.size(), MSG_NOSIGNAL) < 0) return answer;
  char buffer[1024];
  ssize_t count;
  while (answer.size() < sizeof buffer && (count = ::recv(socket, buffer, sizeof buffer, 0)) > 0) {
    answer.append(buffer, static_cast<std::size_t>(count));
  }
  return answer;
}

}  // namespace

std::optional<BuiltInResponse> AnswerAdmin(std::string_view method, std::string_view target,
                                           Readiness readiness) {
  if (!target.starts_with(kAdminPrefix)) return std::nullopt;
  target.remove_prefix(kAdminPrefix.size());
  const std::string_view name = target.substr(0, std::min(target.find('?'), target.size()));
  if (name != "health" && name != "ready") return ErrorPage(404);
  if (method != "GET" && method != "HEAD") return ErrorPage(405, "GET, HEAD");
  if (name == "ready" && readiness == Readiness::kDraining) return TextAnswer(503, "draining\n");
  return TextAnswer(200, "ok\n");
}

bool AskHealth(const std::string& address, std::string& why) {
  try {
    const sapi::UniqueFd socket = ConnectTo(address);
    const std::string answer = AskOnce(socket.get(),
                                       "GET /_ephpm/health HTTP/1.1\r\nHost: localhost\r\n"
                                       "Connection: close\r\n\r\n");
    if (answer.starts_with("HTTP/1.1 200 ")) return true;
    why = answer.empty() ? "no answer from " + address
                         : address + " answered " + answer.substr(0, answer.find('\r'));
  } catch (const std::exception& error) {
    why = error.what();
  }
  return false;
}

}  // namespace ephpm::server
