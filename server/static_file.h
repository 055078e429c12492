#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sapi/http_head.h"
#include "sapi/unique_fd.h"

namespace ephpm::server {

/// A regular file below the document root, open for reading. Value type, move only.
///
/// The facts are those of the open file, so that what was checked is what is sent, even if the
/// name is given to another file meanwhile.
struct StaticFile {
  std::string path;               ///< URL path of the file, decoded
  std::uint64_t size = 0;         ///< bytes
  std::int64_t modified_ns = 0;   ///< since 1970
  std::string_view content_type;  ///< lives as long as the program
  sapi::UniqueFd file;
};

/// What to send for a static file. Value type.
struct StaticResponse {
  sapi::ResponseHead head;   ///< complete but for Date, Server and Connection; has Content-Length
                             ///< unless the status is 204 or 304
  std::uint64_t offset = 0;  ///< first byte of the file to send
  std::uint64_t length = 0;  ///< bytes to send: 0 for HEAD and for every status but 200 and 206
};

/// Answers a GET, HEAD or OPTIONS of `file`: conditions (RFC 9110, section 13), then a single byte
/// range (section 14); several ranges get the whole file. Reads nothing from the file.
/// Requires: request.method is one of the three.
StaticResponse DescribeStaticFile(const StaticFile& file, const sapi::RequestHead& request);

}  // namespace ephpm::server
