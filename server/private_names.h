#pragma once

#include <string_view>

namespace ephpm::server {

/// What may be done with a file because of its name. Names are compared without regard to case.
enum class NameRule {
  kPublic,   ///< may be sent
  kPrivate,  ///< never sent if it is there; if it is not, an application may answer for the name
  kPhp,      ///< looks like PHP source that does not execute: 404 whether it is there or not
};

/// The rule for the last segment of a URL path. A name that ends in exactly ".php" is kPhp here:
/// who may execute it asks EndsInPhp first.
NameRule RuleForName(std::string_view file_name);

/// True for what executes: more than the extension, and the extension exactly ".php".
bool EndsInPhp(std::string_view file_name);

/// True if a segment of `path` begins with '.' and is not ".well-known" (RFC 8615).
bool HasHiddenSegment(std::string_view path);

}  // namespace ephpm::server
