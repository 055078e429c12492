#include "config/cpus.h"

#include <gtest/gtest.h>

#include <thread>

#include "session.h"

namespace ephpm::config::testing {
namespace {

/// A machine made of files: what the kernel would show to this process.
class Machine {
 public:
  explicit Machine(int affinity) {
    sources_.affinity = affinity;
    sources_.mount = (folder_.path() / "cgroup").string();
    sources_.membership = (folder_.path() / "membership").string();
  }
  Machine& MemberOf(const std::string& text) {
    folder_.Write("membership", text);
    return *this;
  }
  Machine& File(const std::string& name, const std::string& text) {
    folder_.Write("cgroup/" + name, text);
    return *this;
  }
  int Cpus() const { return AvailableCpus(sources_); }

 private:
  Folder folder_;
  CpuSources sources_;
};

TEST(AvailableCpus, AreThoseOfTheAffinityWithoutControlGroups) { EXPECT_EQ(Machine(6).Cpus(), 6); }

TEST(AvailableCpus, OfThisMachineAreBetween1AndAll) {
  EXPECT_GE(AvailableCpus(), 1);
  EXPECT_LE(AvailableCpus(), static_cast<int>(std::thread::hardware_concurrency()));
}

TEST(AvailableCpus, FollowAVersion2Quota) {
  EXPECT_EQ(Machine(8).MemberOf("0::/\n").File("cpu.max", "200000 100000\n").Cpus(), 2);
}

TEST(AvailableCpus, CountAPartOfACpuAsOne) {
  EXPECT_EQ(Machine(8).MemberOf("0::/\n").File("cpu.max", "150000 100000\n").Cpus(), 2);
  EXPECT_EQ(Machine(8).MemberOf("0::/\n").File("cpu.max", "20000 100000\n").Cpus(), 1);
}

TEST(AvailableCpus, AreNotMoreThanTheAffinity) {
  EXPECT_EQ(Machine(2).MemberOf("0::/\n").File("cpu.max", "400000 100000\n").Cpus(), 2);
}

TEST(AvailableCpus, IgnoreAQuotaOfMax) {
  EXPECT_EQ(Machine(8).MemberOf("0::/\n").File("cpu.max", "max 100000\n").Cpus(), 8);
}

TEST(AvailableCpus, IgnoreFilesThatMakeNoSense) {
  for (const char* text : {"", "\n", "many", "100000", "0 0", "-5 100000", "100000 -1"}) {
    EXPECT_EQ(Machine(8).MemberOf("0::/\n").File("cpu.max", text).Cpus(), 8) << text;
  }
  EXPECT_EQ(Machine(8).MemberOf("no colons\n0:\n:\n").File("cpu.max", "1 1").Cpus(), 8);
}

TEST(AvailableCpus, FollowTheSmallestQuotaOnTheWayUp) {
  Machine machine(16);
  machine.MemberOf("0::/site/web\n")
      .File("site/cpu.max", "300000 100000")
      .File("site/web/cpu.max", "800000 100000");
  EXPECT_EQ(machine.Cpus(), 3);
  machine.File("site/web/cpu.max", "100000 100000");
  EXPECT_EQ(machine.Cpus(), 1);
  machine.File("cpu.max", "50000 100000").File("site/web/cpu.max", "max 100000");
  EXPECT_EQ(machine.Cpus(), 1);
}

TEST(AvailableCpus, UseTheRootWhereThePathOfTheGroupIsTheHosts) {
  Machine machine(8);
  machine.MemberOf("0::/kubepods/pod1/abc\n").File("cpu.max", "200000 100000");
  EXPECT_EQ(machine.Cpus(), 2);
}

TEST(AvailableCpus, DoNotLeaveTheMount) {
  Machine machine(8);
  machine.MemberOf("0::/../other\n").File("../other/cpu.max", "100000 100000");
  EXPECT_EQ(machine.Cpus(), 8);
}

TEST(AvailableCpus, FollowAVersion1Quota) {
  Machine machine(8);
  machine.MemberOf("4:memory:/m\n3:cpu,cpuacct:/docker/abc\n0::/\n")
      .File("cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "250000\n")
      .File("cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(machine.Cpus(), 3);
}

TEST(AvailableCpus, IgnoreAVersion1QuotaOfMinusOneAndOtherControllers) {
  Machine machine(8);
  machine.MemberOf("3:cpu:/\n2:cpuset:/\n")
      .File("cpu/cpu.cfs_quota_us", "-1")
      .File("cpu/cpu.cfs_period_us", "100000")
      .File("cpuset/cpu.cfs_quota_us", "100000")
      .File("cpuset/cpu.cfs_period_us", "100000");
  EXPECT_EQ(machine.Cpus(), 8);
}

TEST(EffectiveWorkers, AreTwoACpuUnlessSet) {
  Config config;
  EXPECT_EQ(EffectiveWorkers(config, 3), 6);
  EXPECT_EQ(EffectiveWorkers(config, 5000), 1024);
  config.php.workers = 5;
  EXPECT_EQ(EffectiveWorkers(config, 3), 5);
}

TEST(EffectiveIoThreads, AreOneACpuIfAutomatic) {
  Config config;
  EXPECT_EQ(EffectiveIoThreads(config, 3), 1);
  config.server.io_threads = 0;
  EXPECT_EQ(EffectiveIoThreads(config, 3), 3);
  EXPECT_EQ(EffectiveIoThreads(config, 5000), 256);
  config.server.io_threads = 2;
  EXPECT_EQ(EffectiveIoThreads(config, 3), 2);
}

}  // namespace
}  // namespace ephpm::config::testing
