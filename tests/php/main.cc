#include <gtest/gtest.h>

#include <csignal>

#include "tests/php/php_fixture.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  std::signal(SIGPIPE, SIG_IGN);
  const ephpm::sapi::EngineForTests engine;
  return RUN_ALL_TESTS();
}
