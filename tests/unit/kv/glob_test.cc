#include "kv/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace ephpm::kv {
namespace {

TEST(Glob, MatchesPlainTextOnlyAsAWhole) {
  EXPECT_TRUE(GlobMatch("session:1", "session:1"));
  EXPECT_FALSE(GlobMatch("session:1", "session:12"));
  EXPECT_FALSE(GlobMatch("session:12", "session:1"));
  EXPECT_FALSE(GlobMatch("Session", "session"));
  EXPECT_TRUE(GlobMatch("", ""));
  EXPECT_FALSE(GlobMatch("", "a"));
}

TEST(Glob, StarTakesAnyBytesOrNone) {
  EXPECT_TRUE(GlobMatch("*", ""));
  EXPECT_TRUE(GlobMatch("*", "anything"));
  EXPECT_TRUE(GlobMatch("wp:*:meta", "wp:12:meta"));
  EXPECT_TRUE(GlobMatch("wp:*:meta", "wp::meta"));
  EXPECT_TRUE(GlobMatch("wp:*:meta", "wp:1:meta:2:meta"));
  EXPECT_FALSE(GlobMatch("wp:*:meta", "wp:1:metadata"));
  EXPECT_TRUE(GlobMatch("a**b***c", "a-b-b-c"));
  EXPECT_TRUE(GlobMatch("*ab", "aab"));
  EXPECT_TRUE(GlobMatch("*a*b*c*", "xxaxxbxxcxx"));
  EXPECT_FALSE(GlobMatch("*a*b*c*", "xxcxxbxxaxx"));
}

TEST(Glob, QuestionMarkTakesOneByte) {
  EXPECT_TRUE(GlobMatch("h?llo", "hello"));
  EXPECT_FALSE(GlobMatch("h?llo", "hllo"));
  EXPECT_FALSE(GlobMatch("?", ""));
  EXPECT_TRUE(GlobMatch("??*", "ab"));
  EXPECT_FALSE(GlobMatch("??*", "a"));
}

TEST(Glob, SetsTakeOneOfTheirBytes) {
  EXPECT_TRUE(GlobMatch("h[ae]llo", "hello"));
  EXPECT_FALSE(GlobMatch("h[ae]llo", "hillo"));
  EXPECT_TRUE(GlobMatch("[0-9a-f]", "b"));
  EXPECT_FALSE(GlobMatch("[0-9a-f]", "g"));
  EXPECT_TRUE(GlobMatch("[z-a]", "m"));
  EXPECT_TRUE(GlobMatch("[^e]", "a"));
  EXPECT_FALSE(GlobMatch("[^e]", "e"));
  EXPECT_FALSE(GlobMatch("[^e]", ""));
  EXPECT_TRUE(GlobMatch("[a^]", "^"));
  EXPECT_TRUE(GlobMatch("[a-]", "-"));
  EXPECT_TRUE(GlobMatch("*[0-9]x", "a1b2x"));
}

TEST(Glob, EmptySetsTakeNothingAndTheirContraryAnything) {
  EXPECT_FALSE(GlobMatch("[]", "a"));
  EXPECT_TRUE(GlobMatch("[^]", "a"));
}

TEST(Glob, ASetThatIsNotClosedEndsWithThePattern) {
  EXPECT_TRUE(GlobMatch("[ab", "b"));
  EXPECT_FALSE(GlobMatch("[ab", "bc"));
  EXPECT_FALSE(GlobMatch("[", "["));
  EXPECT_TRUE(GlobMatch("[a-", "-"));
  EXPECT_TRUE(GlobMatch("[a\\", "\\"));
}

TEST(Glob, BackslashTakesTheNextByteLiterally) {
  EXPECT_TRUE(GlobMatch("\\*", "*"));
  EXPECT_FALSE(GlobMatch("\\*", "a"));
  EXPECT_TRUE(GlobMatch("\\a", "a"));
  EXPECT_TRUE(GlobMatch("[\\]x]", "]"));
  EXPECT_TRUE(GlobMatch("[\\^-\\`]", "_"));
  EXPECT_TRUE(GlobMatch("end\\", "end\\"));
}

TEST(Glob, KnowsNoSpecialBytes) {
  const std::string zero("a\0b", 3);
  EXPECT_TRUE(GlobMatch("a?b", zero));
  EXPECT_TRUE(GlobMatch(zero, zero));
  EXPECT_TRUE(GlobMatch("[\x80-\xff]", "\xe9"));
  EXPECT_FALSE(GlobMatch("[\x80-\xff]", "e"));
}

TEST(Glob, ManyStarsDoNotMultiply) {
  // Tried star by star this is more than 10^100 steps; the test's time limit is the assertion.
  std::string pattern;
  for (int star = 0; star < 100; ++star) pattern += "*a";
  EXPECT_TRUE(GlobMatch(pattern, std::string(10'000, 'a')));
  EXPECT_FALSE(GlobMatch(pattern + "b", std::string(10'000, 'a')));
}

}  // namespace
}  // namespace ephpm::kv
