#pragma once

#include <string_view>

namespace ephpm::server {

/// The Content-Type of a file by the extension of its name, without regard to case;
/// application/octet-stream if it has none or an unknown one. The result lives for ever.
std::string_view ContentTypeOf(std::string_view file_name);

}  // namespace ephpm::server
