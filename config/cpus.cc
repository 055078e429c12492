#include "config/cpus.h"

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include "config/schema.h"

namespace ephpm::config {
namespace {

constexpr int kWorkersPerCpu = 2;
constexpr int kNoQuota = std::numeric_limits<int>::max();

int RoundedUp(std::int64_t quota, std::int64_t period) {
  if (quota <= 0 || period <= 0) return kNoQuota;
  const std::int64_t cpus = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<int>(std::min<std::int64_t>(cpus, kNoQuota));
}

/// Version 2: one line, "QUOTA PERIOD" in microseconds or "max PERIOD".
int QuotaOfVersion2(const std::filesystem::path& group) {
  std::ifstream file(group / "cpu.max");
  std::int64_t quota = 0;
  std::int64_t period = 0;
  return file >> quota >> period ? RoundedUp(quota, period) : kNoQuota;
}

/// Version 1: a file for each number; a quota of -1 is none.
int QuotaOfVersion1(const std::filesystem::path& group) {
  std::ifstream quota_file(group / "cpu.cfs_quota_us");
  std::ifstream period_file(group / "cpu.cfs_period_us");
  std::int64_t quota = 0;
  std::int64_t period = 0;
  return quota_file >> quota && period_file >> period ? RoundedUp(quota, period) : kNoQuota;
}

/// The smallest quota from `group` up to the root of `mount`. In a container the path of the group
/// may be the host's and not exist here; the root of the mount is then the container's own group.
int SmallestQuota(const std::filesystem::path& mount, const std::string& group,
                  int (*quota)(const std::filesystem::path&)) {
  int smallest = quota(mount);
  std::filesystem::path folder = mount;
  for (const auto& part : std::filesystem::path(group).relative_path()) {
    if (part == "..") break;  // a group outside of this namespace
    folder /= part;
    smallest = std::min(smallest, quota(folder));
  }
  return smallest;
}

bool Lists(const std::string& controllers, const std::string& name) {
  std::istringstream list(controllers);
  for (std::string item; std::getline(list, item, ',');) {
    if (item == name) return true;
  }
  return false;
}

int Quota(const CpuSources& sources) {
  const std::filesystem::path mount(sources.mount);
  int smallest = kNoQuota;
  std::ifstream file(sources.membership);
  // Each line is "HIERARCHY:CONTROLLERS:PATH"; version 2 is the one without controllers.
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      smallest = std::min(smallest, SmallestQuota(mount, group, QuotaOfVersion2));
    } else if (Lists(controllers, "cpu")) {
      for (const std::string& folder : {std::string("cpu"), controllers}) {
        smallest = std::min(smallest, SmallestQuota(mount / folder, group, QuotaOfVersion1));
      }
    }
  }
  return smallest;
}

int Affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  // A machine with more CPUs than the set holds.
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

int AvailableCpus(const CpuSources& sources) {
  const int usable = sources.affinity > 0 ? sources.affinity : Affinity();
  return std::max(1, std::min(usable, Quota(sources)));
}

int EffectiveWorkers(const Config& config, int cpus) {
  if (config.php.workers > 0) return config.php.workers;
  return std::min(cpus, kMostWorkers / kWorkersPerCpu) * kWorkersPerCpu;
}

int EffectiveIoThreads(const Config& config, int cpus) {
  if (config.server.io_threads > 0) return config.server.io_threads;
  return std::min(cpus, kMostIoThreads);
}

}  // namespace ephpm::config
