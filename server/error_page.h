#pragma once

#include <string>
#include <string_view>

#include "sapi/http_head.h"

namespace ephpm::server {

/// A response that the server gives in its own name. Value type.
struct BuiltInResponse {
  sapi::ResponseHead head;
  std::string body;
};

/// A small page that says no more than the status. `allow` is the value of the Allow field of a
/// 405.
BuiltInResponse ErrorPage(int status, std::string_view allow = {});

/// A redirect to `location`, with a small page for whoever does not follow it.
BuiltInResponse RedirectPage(int status, std::string_view location);

}  // namespace ephpm::server
