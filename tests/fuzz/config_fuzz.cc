// Any text as a configuration file is settings or a ConfigError.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "config/config.h"
#include "sapi/unique_fd.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ephpm::sapi::UniqueFd file(::memfd_create("config", MFD_CLOEXEC));
  EPHPM_EXPECT(file);
  EPHPM_EXPECT(::write(file.get(), data, size) == static_cast<ssize_t>(size));
  try {
    const auto loaded =
        ephpm::config::LoadConfig("/proc/self/fd/" + std::to_string(file.get()), {}, {});
    EPHPM_EXPECT(!ephpm::config::DescribeSettings(loaded).empty());
    EPHPM_EXPECT(!loaded.config.server.listen.empty());
  } catch (const ephpm::config::ConfigError& error) {
    EPHPM_EXPECT(std::string(error.what()).find('\n') == std::string::npos);
  }
  return 0;
}
