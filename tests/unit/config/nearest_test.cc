#include "config/nearest.h"

#include <gtest/gtest.h>

namespace ephpm::config {
namespace {

TEST(EditDistance, CountsLettersAddedRemovedChangedAndSwapped) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("body", "body"), 0u);
  EXPECT_EQ(EditDistance("", "body"), 4u);
  EXPECT_EQ(EditDistance("body", ""), 4u);
  EXPECT_EQ(EditDistance("bdy", "body"), 1u);
  EXPECT_EQ(EditDistance("boddy", "body"), 1u);
  EXPECT_EQ(EditDistance("bodi", "body"), 1u);
  EXPECT_EQ(EditDistance("bdoy", "body"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
}

TEST(Nearest, IsTheClosestName) {
  EXPECT_EQ(Nearest("php.worker", {"php.queue", "php.workers", "php.mode"}), "php.workers");
}

TEST(Nearest, IsTheFirstOfEquals) { EXPECT_EQ(Nearest("log.f", {"log.a", "log.b"}), "log.a"); }

TEST(Nearest, IsEmptyIfNothingIsClose) {
  EXPECT_EQ(Nearest("zzzzzz", {"php.workers"}), "");
  EXPECT_EQ(Nearest("anything", {}), "");
}

}  // namespace
}  // namespace ephpm::config
