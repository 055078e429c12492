#pragma once

#include <map>
#include <string>

#include "config/config.h"
#include "config/parse_value.h"
#include "config/schema.h"

namespace ephpm::config {

/// A Config in the making: layers are put upon it from the weakest to the strongest, and it
/// remembers who set what. Belongs to the thread that loads.
class Draft {
 public:
  /// Stores a value that was found at `place`. Throws ConfigError if its key cannot take it.
  void Set(const Match& match, Found found, const Place& place);
  LoadedConfig Finish() const;

 private:
  std::string Origin(const std::string& key) const;

  Config config_;
  std::map<std::string, std::string> origins_;  // by dotted key; what is missing is a default
};

/// Puts the variables of the environment that contain "__" upon `draft`.
void ApplyEnvironment(const Environment& environment, Draft& draft);
/// Puts the command line upon `draft`. A list that is given several times is the sum of them.
void ApplyFlags(const Flags& flags, Draft& draft);

}  // namespace ephpm::config
