#pragma once

#include <string>

#include "config/config.h"

namespace ephpm::config {

/// Where the share of the machine that this process may use is written. Value type.
struct CpuSources {
  std::string membership = "/proc/self/cgroup";  ///< which control groups the process is in
  std::string mount = "/sys/fs/cgroup";          ///< where the control groups are mounted
  int affinity = 0;                              ///< CPUs it may run on; 0: ask the kernel
};

/// The CPUs that this process can keep busy: those it may run on, less what a CPU quota of its
/// control group (version 2 or 1) or of a group above it leaves over. A part of a CPU counts as
/// one. At least 1. Safe from any thread.
int AvailableCpus(const CpuSources& sources = {});

/// php.workers with "0: automatic" resolved: two a CPU, since PHP waits for databases.
/// Requires: cpus >= 1.
int EffectiveWorkers(const Config& config, int cpus);
/// server.io_threads with "0: automatic" resolved: one a CPU, since loops never wait.
/// Requires: cpus >= 1.
int EffectiveIoThreads(const Config& config, int cpus);

}  // namespace ephpm::config
