#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/error_page.h"

namespace ephpm::server {

/// URL paths that begin so belong to the server, not to the site.
inline constexpr std::string_view kAdminPrefix = "/_ephpm/";

enum class Readiness { kReady, kDraining };

/// Answers a request below kAdminPrefix: `health` is 200 while the process serves at all, `ready`
/// is 503 from the moment it was told to end. Nothing for a target of the site.
std::optional<BuiltInResponse> AnswerAdmin(std::string_view method, std::string_view target,
                                           Readiness readiness);

/// Asks the server that listens on `address` for its health: what `ephpmd healthcheck` does, since
/// a container image has no curl. Blocks for a few seconds at most. True if it answered 200;
/// otherwise `why` says in one line what happened.
bool AskHealth(const std::string& address, std::string& why);

}  // namespace ephpm::server
