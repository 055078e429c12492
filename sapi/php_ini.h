#pragma once

#include <string>

#include "config/config.h"

namespace ephpm::sapi {

/// The ini text that PHP reads after php.ini: what the operator set in [php.ini] and by -d.
/// Throws std::runtime_error for a value that cannot be written in ini syntax.
std::string BuildIniEntries(const config::PhpConfig& config);

/// One default of ours that differs from what PHP has built in; php.ini and the operator win over
/// it.
struct IniDefault {
  const char* name;
  const char* value;
};
/// All of them, ended by an entry with a null name.
extern const IniDefault kIniDefaults[];

}  // namespace ephpm::sapi
