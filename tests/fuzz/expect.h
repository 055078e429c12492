#pragma once

#include <cstdio>
#include <cstdlib>

/// Ends a fuzz program, naming what does not hold. Unlike assert it is never compiled out.
#define EPHPM_EXPECT(condition)                                            \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                        \
    }                                                                      \
  } while (false)
