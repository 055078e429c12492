#include "tests/apps/png.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ephpm::apps {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
/// The longest block that deflate stores without compressing it.
constexpr std::size_t kLongestStoredBlock = 65535;

void AppendBigEndian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
}

std::uint32_t ReadBigEndian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

std::uint32_t Crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
  }
  return ~crc;
}

std::uint32_t Adler32(std::string_view bytes) {
  constexpr std::uint32_t kPrime = 65521;
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % kPrime;
    b = (b + a) % kPrime;
  }
  return b << 16 | a;
}

void AppendChunk(std::string& png, std::string_view type, std::string_view content) {
  AppendBigEndian(png, static_cast<std::uint32_t>(content.size()));
  const std::string body = std::string(type).append(content);
  png.append(body);
  AppendBigEndian(png, Crc32(body));
}

/// A zlib stream of stored blocks.
std::string Store(std::string_view bytes) {
  std::string stream = "\x78\x01";
  const std::uint32_t checksum = Adler32(bytes);
  while (!bytes.empty()) {
    const std::size_t length = std::min(bytes.size(), kLongestStoredBlock);
    stream.push_back(length == bytes.size() ? '\1' : '\0');
    for (const std::size_t value : {length, ~length}) {
      stream.push_back(static_cast<char>(value & 0xff));
      stream.push_back(static_cast<char>(value >> 8 & 0xff));
    }
    stream.append(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  AppendBigEndian(stream, checksum);
  return stream;
}

}  // namespace

std::string MakePng(ImageSize size) {
  std::string rows;
  rows.reserve(std::size_t{size.height} * (std::size_t{size.width} * 3 + 1));
  for (std::uint32_t y = 0; y < size.height; ++y) {
    rows.push_back('\0');  // no filter
    for (std::uint32_t x = 0; x < size.width; ++x) {
      rows.push_back(static_cast<char>(x * 255 / size.width));
      rows.push_back(static_cast<char>(y * 255 / size.height));
      rows.push_back('\x80');
    }
  }
  std::string header;
  AppendBigEndian(header, size.width);
  AppendBigEndian(header, size.height);
  // 8 bits a channel, RGB, and the only compression, filter and interlace methods that are plain.
  header.append({8, 2, 0, 0, 0});
  std::string png(kSignature);
  AppendChunk(png, "IHDR", header);
  AppendChunk(png, "IDAT", Store(rows));
  AppendChunk(png, "IEND", "");
  return png;
}

std::optional<ImageSize> ReadPngSize(const std::string& bytes) {
  constexpr std::size_t kHeaderAt = 16;  // behind the signature, the chunk's length and its type
  if (!bytes.starts_with(kSignature) || bytes.size() < kHeaderAt + 8) return std::nullopt;
  const std::string_view view(bytes);
  return ImageSize{ReadBigEndian(view.substr(kHeaderAt)),
                   ReadBigEndian(view.substr(kHeaderAt + 4))};
}

}  // namespace ephpm::apps
