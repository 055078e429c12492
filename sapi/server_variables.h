#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sapi/http_head.h"

namespace ephpm::sapi {

/// Name and value of one entry of $_SERVER.
using ServerVariable = std::pair<std::string, std::string>;

/// SERVER_SOFTWARE. It names nginx, because applications (WordPress above all) look for a known
/// name to learn that pretty URLs reach the front controller.
std::string ServerSoftware();

/// The CGI variables of a request, as nginx's fastcgi_params and PHP-FPM give them to $_SERVER:
/// the request, the script, both ends, and every header as HTTP_*.
///
/// Left out, because PHP adds them itself: REQUEST_TIME(_FLOAT), PHP_AUTH_*, argv, argc.
/// A header is left out if its name has other characters than letters, digits and '-', since
/// folding them to '_' would let a client forge the header a proxy sets; and `Proxy`, which old
/// libraries take for the HTTP_PROXY setting. Repeated headers join with ", ", cookies with "; ".
/// `body_size` is the size of the complete body in bytes.
std::vector<ServerVariable> BuildServerVariables(const RequestHead& request,
                                                 std::uint64_t body_size);

/// The values of all Cookie headers joined with "; ", or an empty string.
std::string JoinCookies(const HeaderList& headers);

}  // namespace ephpm::sapi
