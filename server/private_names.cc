#include "server/private_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace ephpm::server {
namespace {

struct NameReason {
  std::string_view name;
  std::string_view why;
};

/// Extensions of PHP source, wherever in the name they stand and whatever version digits follow:
/// "a.PHP", "a.php~", "a.php.bak", "a.php ", "a.phtml", "a.php7". None of them executes.
constexpr std::array kPhpExtensions = {
    NameReason{".php", "source, unless the name ends in exactly this"},
    NameReason{".phps", "source for highlighting"},
    NameReason{".phpt", "a test of PHP itself"},
    NameReason{".phtml", "a template that other servers execute"},
    NameReason{".pht", "a template that other servers execute"},
    NameReason{".phar", "an archive of source"},
};

/// What may follow a PHP extension in a name that is safe to send: pages that documentation
/// generators make ("index.php.html") and assets. Whoever keeps source under such a name means to
/// show it.
constexpr std::array kRenderedEndings = {
    NameReason{".html", "generated documentation"},
    NameReason{".htm", "generated documentation"},
    NameReason{".css", "style sheet"},
    NameReason{".js", "script for the browser"},
    NameReason{".mjs", "script for the browser"},
    NameReason{".map", "source map"},
    NameReason{".svg", "image"},
    NameReason{".png", "image"},
    NameReason{".jpg", "image"},
    NameReason{".jpeg", "image"},
    NameReason{".gif", "image"},
    NameReason{".webp", "image"},
    NameReason{".avif", "image"},
};

/// Endings of files that hold source, settings or data and have no business with a browser.
constexpr std::array kPrivateEndings = {
    NameReason{".inc", "included PHP source"},
    NameReason{".module", "PHP source in Drupal"},
    NameReason{".install", "PHP source in Drupal"},
    NameReason{".theme", "PHP source in Drupal"},
    NameReason{".engine", "PHP source in Drupal"},
    NameReason{".profile", "PHP source in Drupal"},
    NameReason{".ini", "settings, often with passwords"},
    NameReason{".sql", "database dump"},
    NameReason{".sql.gz", "database dump"},
    NameReason{".sql.bz2", "database dump"},
    NameReason{".sql.xz", "database dump"},
    NameReason{".sql.zst", "database dump"},
    NameReason{".sql.zip", "database dump"},
    NameReason{".sqlite", "database"},
    NameReason{".sqlite3", "database"},
    NameReason{".bak", "backup"},
    NameReason{".old", "backup"},
    NameReason{".orig", "backup that merge tools leave"},
    NameReason{".rej", "patch that did not apply"},
    NameReason{".save", "backup that nano leaves"},
    NameReason{".swp", "vim's copy of an open file"},
    NameReason{".swo", "vim's copy of an open file"},
    NameReason{"~", "backup that emacs and others leave"},
    NameReason{"#", "emacs's copy of an open file"},
};

std::string LowerAscii(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

template <std::size_t kSize>
bool EndsInOneOf(std::string_view lower, const std::array<NameReason, kSize>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const NameReason& ending) { return lower.ends_with(ending.name); });
}

/// True if `extension` stands in `lower` as a whole: before its end, a digit or punctuation.
bool HasExtension(std::string_view lower, std::string_view extension) {
  for (std::size_t at = lower.find(extension); at != std::string_view::npos;
       at = lower.find(extension, at + 1)) {
    const std::size_t after = at + extension.size();
    if (after == lower.size() || lower[after] < 'a' || lower[after] > 'z') return true;
  }
  return false;
}

bool LooksLikePhp(std::string_view lower) {
  // Nearly every name ends the search here.
  if (lower.find(".ph") == std::string_view::npos) return false;
  if (EndsInOneOf(lower, kRenderedEndings)) return false;
  return std::any_of(kPhpExtensions.begin(), kPhpExtensions.end(),
                     [&](const NameReason& php) { return HasExtension(lower, php.name); });
}

}  // namespace

NameRule RuleForName(std::string_view file_name) {
  const std::string lower = LowerAscii(file_name);
  if (LooksLikePhp(lower)) return NameRule::kPhp;
  return EndsInOneOf(lower, kPrivateEndings) ? NameRule::kPrivate : NameRule::kPublic;
}

bool EndsInPhp(std::string_view file_name) {
  constexpr std::string_view kExtension = ".php";
  return file_name.size() > kExtension.size() && file_name.ends_with(kExtension);
}

bool HasHiddenSegment(std::string_view path) {
  constexpr std::string_view kWellKnown = "/.well-known";
  for (std::size_t at = path.find("/."); at != std::string_view::npos;
       at = path.find("/.", at + 1)) {
    const std::string_view segment = path.substr(at, path.find('/', at + 1) - at);
    if (segment != kWellKnown) return true;
  }
  return false;
}

}  // namespace ephpm::server
