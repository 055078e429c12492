#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ephpm::apps {

/// Width and height in pixels. Value type.
struct ImageSize {
  std::uint32_t width;
  std::uint32_t height;
  bool operator==(const ImageSize&) const = default;
};

/// A PNG of that size with a colour gradient; it is not compressed, so that it is about
/// 3 * width * height bytes.
std::string MakePng(ImageSize size);

/// The size that a PNG says it has. Nothing: these bytes are not a PNG.
std::optional<ImageSize> ReadPngSize(const std::string& bytes);

}  // namespace ephpm::apps
