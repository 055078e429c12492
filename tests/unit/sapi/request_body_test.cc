#include "sapi/request_body.h"

#include <gtest/gtest.h>

namespace ephpm::sapi {
namespace {

std::string ReadAll(RequestBody& body, std::size_t piece) {
  std::string all;
  std::string buffer(piece, '\0');
  while (const std::ptrdiff_t count = body.Read(buffer.data(), buffer.size())) {
    if (count < 0) return "I/O error";
    all.append(buffer, 0, static_cast<std::size_t>(count));
  }
  return all;
}

TEST(RequestBody, StaysInMemoryUpToItsLimit) {
  RequestBody body(8, testing::TempDir());
  EXPECT_TRUE(body.Append("1234"));
  EXPECT_TRUE(body.Append("5678"));
  EXPECT_FALSE(body.spilled());
  EXPECT_EQ(body.size(), 8U);
  EXPECT_EQ(ReadAll(body, 3), "12345678");
}

TEST(RequestBody, SpillsIntoAFileBeyondIt) {
  RequestBody body(8, testing::TempDir());
  EXPECT_TRUE(body.Append("12345678"));
  EXPECT_TRUE(body.Append("9"));
  EXPECT_TRUE(body.spilled());
  EXPECT_TRUE(body.Append(std::string(100000, 'x')));
  EXPECT_EQ(body.size(), 100009U);
  EXPECT_EQ(ReadAll(body, 4096), "123456789" + std::string(100000, 'x'));
}

TEST(RequestBody, SaysWhenTheFileCannotBeMade) {
  RequestBody body(4, "/nonexistent/folder");
  EXPECT_FALSE(body.Append("12345"));
}

TEST(RequestBody, IsEmptyByDefault) {
  RequestBody body;
  char byte;
  EXPECT_EQ(body.size(), 0U);
  EXPECT_EQ(body.Read(&byte, 1), 0);
}

TEST(RequestBody, MovesWithItsContent) {
  RequestBody body(4, testing::TempDir());
  ASSERT_TRUE(body.Append("spilled!"));
  RequestBody moved = std::move(body);
  EXPECT_EQ(ReadAll(moved, 100), "spilled!");
}

}  // namespace
}  // namespace ephpm::sapi
