#pragma once

#include <optional>
#include <string_view>

namespace ephpm::server {

/// The host of "HOST[:PORT]", an IPv6 one with its brackets; empty for an empty text. Nothing if
/// the text cannot be the authority of an http URL: a client that sends it is up to no good.
std::optional<std::string_view> HostOfAuthority(std::string_view authority);

/// The authority of an absolute-form request target ("http://HOST[:PORT]/..."); nothing if the
/// target has another form.
std::optional<std::string_view> AuthorityOfTarget(std::string_view target);

}  // namespace ephpm::server
