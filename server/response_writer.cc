#include "server/response_writer.h"

#include <cassert>
#include <utility>

namespace ephpm::server {

void ResponseWriter::Start(const sapi::RequestHead& request, const sapi::ResponseHead& response,
                           std::optional<std::uint64_t> body_size, Persistence wanted) {
  assert(!started_);
  EncodedHead head = encoder_.Encode(request, response, body_size, wanted);
  framing_ = head.framing;
  left_ = head.length;
  persistence_ = head.persistence;
  status_ = FinalStatus(response.status);
  started_ = true;
  stream_.Write(std::move(head.bytes));
}

void ResponseWriter::Body(std::string bytes) {
  assert(started_ && !ended_);
  if (framing_ == Framing::kNoBody || bytes.empty()) return;
  if (framing_ == Framing::kLength) {
    if (bytes.size() > left_) {
      overlong_ = true;
      bytes.resize(static_cast<std::size_t>(left_));
    }
    left_ -= bytes.size();
  }
  if (bytes.empty()) return;
  body_bytes_ += bytes.size();
  if (framing_ != Framing::kChunked) {
    stream_.Write(std::move(bytes));
    return;
  }
  stream_.Write(ChunkStart(bytes.size()));
  stream_.Write(std::move(bytes));
  stream_.Write(std::string(kChunkEnd));
}

void ResponseWriter::File(sapi::UniqueFd file, std::uint64_t offset, std::uint64_t size) {
  assert(started_ && framing_ != Framing::kChunked);
  if (framing_ == Framing::kNoBody || size == 0) return;
  left_ -= size;
  body_bytes_ += size;
  stream_.WriteFile(std::move(file), offset, size);
}

void ResponseWriter::End(sapi::Ending ending) {
  assert(started_);
  if (std::exchange(ended_, true)) return;
  const bool complete = ending == sapi::Ending::kComplete;
  if (framing_ == Framing::kChunked && complete) stream_.Write(std::string(kLastChunk));
  const bool short_of_length = framing_ == Framing::kLength && left_ > 0;
  if (!complete || overlong_ || short_of_length) persistence_ = Persistence::kClose;
  needs_reset_ = !complete && framing_ == Framing::kUntilClose;
}

void ResponseWriter::NoteDirect(const sapi::RequestHead& request,
                                const sapi::ResponseHead& response, std::uint64_t body_size) {
  assert(!started_);
  const auto size = static_cast<std::size_t>(body_size);
  status_ = FinalStatus(response.status);
  body_bytes_ = encoder_.BodyToSend(request, response, size);
  persistence_ = encoder_.CompletePersistence(request, response, size);
  started_ = true;
  ended_ = true;
}

void ResponseWriter::Clear() {
  framing_ = Framing::kNoBody;
  persistence_ = Persistence::kClose;
  left_ = 0;
  body_bytes_ = 0;
  status_ = 0;
  started_ = false;
  ended_ = false;
  overlong_ = false;
  needs_reset_ = false;
}

}  // namespace ephpm::server
