// Whatever a client sends, and however it is split: the same requests come out, within the limits,
// and nothing after an error.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/http_parser.h"
#include "tests/fuzz/expect.h"

namespace {

using ephpm::server::HttpParser;
using Event = HttpParser::Event;

/// Small enough for short inputs to reach them.
ephpm::config::LimitsConfig Limits() {
  ephpm::config::LimitsConfig limits;
  limits.request_line = 4096;
  limits.header_bytes = 8192;
  limits.header_count = 32;
  limits.body = 16384;
  return limits;
}

/// Everything that a connection would get to see, as text.
std::string Read(std::string_view bytes, std::size_t piece_size) {
  const ephpm::config::LimitsConfig limits = Limits();
  HttpParser parser(limits);
  std::string seen;
  std::size_t body_size = 0;
  while (!bytes.empty()) {
    std::string_view piece = bytes.substr(0, piece_size);
    bytes.remove_prefix(piece.size());
    while (!piece.empty()) {
      const HttpParser::Step step = parser.Feed(piece);
      EPHPM_EXPECT(step.consumed <= piece.size());
      for (const std::string_view part : parser.body()) {
        EPHPM_EXPECT(part.data() >= piece.data() &&
                     part.data() + part.size() <= piece.data() + piece.size());
        body_size += part.size();
        // An error discards the request, so how much of its body came before it is of no matter.
        if (step.event != Event::kError) seen.append(part);
      }
      piece.remove_prefix(step.consumed);
      if (step.event == Event::kError) {
        const int status = parser.error().status;
        EPHPM_EXPECT(status >= 400 && status <= 599);
        return seen.substr(0, seen.rfind('\x01') + 1) + "error";
      }
      EPHPM_EXPECT(body_size <= limits.body);
      if (step.event == Event::kHead) {
        const ephpm::sapi::RequestHead head = parser.TakeHead();
        EPHPM_EXPECT(!head.method.empty() && !head.target.empty());
        EPHPM_EXPECT(head.target.size() <= limits.request_line);
        EPHPM_EXPECT(head.headers.size() <= limits.header_count);
        seen.append(head.method).append(" ").append(head.target).append("\n");
        for (std::size_t i = 0; i < head.headers.size(); ++i) {
          const auto field = head.headers[i];
          EPHPM_EXPECT(!field.name.empty());
          EPHPM_EXPECT(field.value.find_first_of(std::string_view("\r\n\0", 3)) ==
                       std::string_view::npos);
          seen.append(field.name).append(": ").append(field.value).append("\n");
        }
      }
      if (step.event == Event::kComplete || (step.event == Event::kHead && !parser.has_body())) {
        seen.push_back('\x01');
        body_size = 0;
        parser.Restart();
      }
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 100'000) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = Read(bytes, std::max<std::size_t>(size, 1));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1000}}) {
    const std::string split = Read(bytes, piece);
    // Where the end of the input cuts a request that is wrong further on, one way of splitting may
    // have noticed and the other not yet; complete requests must be the same.
    EPHPM_EXPECT(whole.substr(0, whole.rfind('\x01') + 1) ==
                 split.substr(0, split.rfind('\x01') + 1));
  }
  return 0;
}
