#include "server/error_page.h"

#include "server/http_encoder.h"

namespace ephpm::server {
namespace {

/// Seconds after which a client may try again when all PHP threads are busy and the queue is full:
/// requests leave the queue within moments, and a longer pause would only bunch the clients.
constexpr std::string_view kRetryAfter = "1";

BuiltInResponse Page(int status) {
  BuiltInResponse response;
  response.head.status = status;
  response.head.headers.Add("Content-Type", "text/html; charset=utf-8");
  const std::string title = std::to_string(status) + " " + std::string(StandardReason(status));
  response.body = "<!doctype html>\n<html><head><title>" + title + "</title></head>\n<body><h1>" +
                  title + "</h1></body></html>\n";
  return response;
}

}  // namespace

BuiltInResponse ErrorPage(int status, std::string_view allow) {
  BuiltInResponse response = Page(status);
  if (!allow.empty()) response.head.headers.Add("Allow", allow);
  if (status == 503) response.head.headers.Add("Retry-After", kRetryAfter);
  return response;
}

BuiltInResponse RedirectPage(int status, std::string_view location) {
  BuiltInResponse response = Page(status);
  response.head.headers.Add("Location", location);
  return response;
}

}  // namespace ephpm::server
