#include "server/mime_types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace ephpm::server {
namespace {

struct MimeType {
  std::string_view extension;
  std::string_view type;
};

constexpr std::string_view kUnknown = "application/octet-stream";

/// Sorted by extension. Text that has no place of its own for its encoding says UTF-8 here; XML and
/// JSON carry theirs.
constexpr std::array kTypes = {
    MimeType{"3gp", "video/3gpp"},
    MimeType{"7z", "application/x-7z-compressed"},
    MimeType{"aac", "audio/aac"},
    MimeType{"apng", "image/apng"},
    MimeType{"atom", "application/atom+xml"},
    MimeType{"avi", "video/x-msvideo"},
    MimeType{"avif", "image/avif"},
    MimeType{"bmp", "image/bmp"},
    MimeType{"br", "application/x-brotli"},
    MimeType{"bz2", "application/x-bzip2"},
    MimeType{"css", "text/css; charset=utf-8"},
    MimeType{"csv", "text/csv; charset=utf-8"},
    MimeType{"cur", "image/x-icon"},
    MimeType{"doc", "application/msword"},
    MimeType{"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    MimeType{"eot", "application/vnd.ms-fontobject"},
    MimeType{"epub", "application/epub+zip"},
    MimeType{"flac", "audio/flac"},
    MimeType{"geojson", "application/geo+json"},
    MimeType{"gif", "image/gif"},
    MimeType{"glb", "model/gltf-binary"},
    MimeType{"gltf", "model/gltf+json"},
    MimeType{"gz", "application/gzip"},
    MimeType{"heic", "image/heic"},
    MimeType{"heif", "image/heif"},
    MimeType{"htm", "text/html; charset=utf-8"},
    MimeType{"html", "text/html; charset=utf-8"},
    MimeType{"ico", "image/x-icon"},
    MimeType{"ics", "text/calendar; charset=utf-8"},
    MimeType{"jpeg", "image/jpeg"},
    MimeType{"jpg", "image/jpeg"},
    MimeType{"js", "text/javascript; charset=utf-8"},
    MimeType{"json", "application/json"},
    MimeType{"jsonld", "application/ld+json"},
    MimeType{"jxl", "image/jxl"},
    MimeType{"m3u8", "application/vnd.apple.mpegurl"},
    MimeType{"m4a", "audio/mp4"},
    MimeType{"m4v", "video/x-m4v"},
    MimeType{"map", "application/json"},
    MimeType{"markdown", "text/markdown; charset=utf-8"},
    MimeType{"md", "text/markdown; charset=utf-8"},
    MimeType{"mid", "audio/midi"},
    MimeType{"mjs", "text/javascript; charset=utf-8"},
    MimeType{"mkv", "video/x-matroska"},
    MimeType{"mov", "video/quicktime"},
    MimeType{"mp3", "audio/mpeg"},
    MimeType{"mp4", "video/mp4"},
    MimeType{"mpeg", "video/mpeg"},
    MimeType{"mpg", "video/mpeg"},
    MimeType{"odp", "application/vnd.oasis.opendocument.presentation"},
    MimeType{"ods", "application/vnd.oasis.opendocument.spreadsheet"},
    MimeType{"odt", "application/vnd.oasis.opendocument.text"},
    MimeType{"oga", "audio/ogg"},
    MimeType{"ogg", "audio/ogg"},
    MimeType{"ogv", "video/ogg"},
    MimeType{"opus", "audio/ogg"},
    MimeType{"otf", "font/otf"},
    MimeType{"pdf", "application/pdf"},
    MimeType{"png", "image/png"},
    MimeType{"ppt", "application/vnd.ms-powerpoint"},
    MimeType{"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    MimeType{"ps", "application/postscript"},
    MimeType{"rar", "application/vnd.rar"},
    MimeType{"rss", "application/rss+xml"},
    MimeType{"rtf", "application/rtf"},
    MimeType{"svg", "image/svg+xml"},
    MimeType{"tar", "application/x-tar"},
    MimeType{"tif", "image/tiff"},
    MimeType{"tiff", "image/tiff"},
    MimeType{"ts", "video/mp2t"},
    MimeType{"ttc", "font/collection"},
    MimeType{"ttf", "font/ttf"},
    MimeType{"txt", "text/plain; charset=utf-8"},
    MimeType{"vcf", "text/vcard; charset=utf-8"},
    MimeType{"vtt", "text/vtt; charset=utf-8"},
    MimeType{"wasm", "application/wasm"},
    MimeType{"wav", "audio/wav"},
    MimeType{"weba", "audio/webm"},
    MimeType{"webm", "video/webm"},
    MimeType{"webmanifest", "application/manifest+json"},
    MimeType{"webp", "image/webp"},
    MimeType{"woff", "font/woff"},
    MimeType{"woff2", "font/woff2"},
    MimeType{"xhtml", "application/xhtml+xml"},
    MimeType{"xls", "application/vnd.ms-excel"},
    MimeType{"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    MimeType{"xml", "application/xml"},
    MimeType{"xsl", "application/xml"},
    MimeType{"yaml", "application/yaml"},
    MimeType{"yml", "application/yaml"},
    MimeType{"zip", "application/zip"},
    MimeType{"zst", "application/zstd"},
};

constexpr bool IsSorted() {
  for (std::size_t i = 1; i < kTypes.size(); ++i) {
    if (kTypes[i - 1].extension >= kTypes[i].extension) return false;
  }
  return true;
}
static_assert(IsSorted(), "the search below needs the order");

}  // namespace

std::string_view ContentTypeOf(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return kUnknown;
  std::string extension(file_name.substr(dot + 1));
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto found = std::lower_bound(
      kTypes.begin(), kTypes.end(), extension,
      [](const MimeType& type, const std::string& wanted) { return type.extension < wanted; });
  return found != kTypes.end() && found->extension == extension ? found->type : kUnknown;
}

}  // namespace ephpm::server
