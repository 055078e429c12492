// No target of a client becomes a path that could leave the document root.

#include <cstdint>
#include <string>
#include <string_view>

#include "server/url_path.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ephpm::server::EncodeUrl;
  using ephpm::server::ParseUrlPath;
  const std::string_view target(reinterpret_cast<const char*>(data), size);
  const auto url = ParseUrlPath(target);
  if (!url) return 0;
  EPHPM_EXPECT(url->path.starts_with('/'));
  EPHPM_EXPECT(url->path.find_first_of(std::string_view("\\\0", 2)) == std::string::npos);
  const std::string closed = url->path + "/";
  for (const char* bad : {"/../", "/./"}) {
    EPHPM_EXPECT(closed.find(bad) == std::string::npos);
  }
  EPHPM_EXPECT(url->path.find("//") == std::string::npos);
  EPHPM_EXPECT(url->query.find('#') == std::string::npos);
  // What the server itself would send the client to is the same path again.
  const auto again = ParseUrlPath(EncodeUrl(url->path, ephpm::server::UrlPart::kPath));
  EPHPM_EXPECT(again && again->path == url->path);
  return 0;
}
