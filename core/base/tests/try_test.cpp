// SPDX-License-Identifier: Apache-2.0
#include "throng/base/try.h"

#include <gtest/gtest.h>

#include <memory>

namespace throng {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail("{} is odd", value);
  return value / 2;
}
Result<void> even(int value) {
  THRONG_CHECK(half(value));
  return {};
}

Result<std::string> quarter_in_words(int value) {
  THRONG_TRY(const int first, half(value));
  THRONG_TRY(const int second, half(first));
  return std::to_string(second);
}

TEST(Try, DeclaresWhatSucceeds) { EXPECT_EQ(quarter_in_words(12).value(), "3"); }

TEST(Try, ReturnsTheErrorOfWhatFailsAsThatOfAnotherType) {
  EXPECT_EQ(quarter_in_words(6).error().message, "3 is odd");
  EXPECT_EQ(quarter_in_words(5).error().message, "5 is odd");
}

TEST(Try, MovesValuesThatCannotBeCopied) {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(7); };
  const auto read = [&]() -> Result<int> {
    THRONG_TRY(const std::unique_ptr<int> value, make());
    return *value;
  };
  EXPECT_EQ(read().value(), 7);
}

TEST(Try, TakesExpressionsWithCommas) {
  const auto both = []() -> Result<int> {
    THRONG_TRY(const auto pair, Result<std::pair<int, int>>(std::pair<int, int>(1, 2)));
    return pair.first + pair.second;
  };
  EXPECT_EQ(both().value(), 3);
}

TEST(Check, GoesOnOrReturnsTheError) {
  EXPECT_TRUE(even(2));
  EXPECT_EQ(even(3).error().message, "3 is odd");
}

TEST(WithContext, SaysFirstWhereItWas) {
  const Error error = with_context("walk.glb", with_context("clip 'run'", Error{"it has no keys"}));
  EXPECT_EQ(error.message, "walk.glb: clip 'run': it has no keys");
}

}  // namespace
}  // namespace throng
