#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "config/config.h"

namespace ephpm::config::testing {

/// A folder of one test that is removed with it.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ephpm-config-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes `text` to `name` below the folder and returns the full path.
  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

/// The settings of a file with this text.
inline LoadedConfig FromFile(const std::string& toml) {
  const Folder folder;
  return LoadConfig(folder.Write("ephpm.toml", toml), {}, {});
}

inline LoadedConfig FromEnvironment(const Environment& environment) {
  return LoadConfig("", environment, {});
}

inline LoadedConfig FromFlags(const Flags& flags) { return LoadConfig("", {}, flags); }

/// What `load` throws. The test fails if it throws nothing.
template <class Load>
ConfigError ErrorOf(Load load) {
  try {
    load();
  } catch (const ConfigError& error) {
    return error;
  }
  ADD_FAILURE() << "the settings were accepted";
  return ConfigError("", 0, "", "no error");
}

/// What a file with this text is refused with: the message without the path of the file.
inline std::string FileError(const std::string& toml) {
  const ConfigError error = ErrorOf([&] { FromFile(toml); });
  const std::string message = error.what();
  EXPECT_TRUE(message.starts_with(error.file())) << message;
  return message.substr(error.file().size());
}

inline std::string EnvironmentError(const std::string& assignment) {
  return ErrorOf([&] { FromEnvironment({assignment}); }).what();
}

inline std::string FlagError(const std::string& key, const std::string& value) {
  return ErrorOf([&] { FromFlags({{key, value}}); }).what();
}

/// The TOML value and the origin of one setting; empty if it is not there.
inline Setting SettingOf(const LoadedConfig& loaded, const std::string& key) {
  for (const Setting& setting : loaded.settings) {
    if (setting.key == key) return setting;
  }
  return {};
}

}  // namespace ephpm::config::testing
