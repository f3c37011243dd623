// SPDX-License-Identifier: Apache-2.0
// Reading an asset costs time and memory in proportion to the file, whichever of its lists is long, and whether the
// file is read or refused in the end.

#include <algorithm>

#include "allocations.h"
#include "cpu_time.h"
#include "small_asset.h"

namespace throng {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Path = OrderedJson::json_pointer;

// Every list of a document, but for lists in lists.
void find_lists(const OrderedJson& json, const Path& path, std::vector<Path>& lists) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) find_lists(value, path / key, lists);
  } else if (json.is_array() && !json.empty()) {
    lists.push_back(path);
    find_lists(json[0], path / 0, lists);
  }
}

// The document with the first element of a list `count` times over.
OrderedJson with_long_list(OrderedJson json, const Path& path, std::size_t count) {
  const OrderedJson element = json[path][0];
  json[path] = OrderedJson(count, element);
  return json;
}

// The least of some tries: whatever else the machine does only adds.
double seconds_to_read(const std::vector<std::byte>& file) {
  constexpr int kTries = 3;
  double least = 1e9;
  for (int i = 0; i < kTries; ++i) {
    const double start = test::cpu_seconds();
    (void)decode_character(SharedBytes(file));
    least = std::min(least, test::cpu_seconds() - start);
  }
  return least;
}

// How many times as long the second file takes. The least of a few measurements, for the machine may be busy.
double slowdown(const std::vector<std::byte>& some, const std::vector<std::byte>& more) {
  constexpr int kTries = 3;
  constexpr double kMeasurable = 0.0002;  // seconds
  constexpr double kExpected = 4.0;
  double least = 1e9;
  for (int i = 0; i < kTries && least > 1.5 * kExpected; ++i) {
    least = std::min(least, seconds_to_read(more) / std::max(seconds_to_read(some), kMeasurable));
  }
  return least;
}

constexpr double kMostSlowdown = 8.0;  // between 4, which is linear, and 16, which is quadratic

class ReadingCost : public testing::Test {
 protected:
  ReadingCost() { find_lists(halves_.json, Path(), lists_); }

  Halves halves_ = taken_apart(file_of(small_models()[0]));
  std::vector<Path> lists_;
};

TEST_F(ReadingCost, FourTimesTheElementsTakeAboutFourTimesTheTime) {
  constexpr std::size_t kElements = 4000;
  for (const Path& path : lists_) {
    const auto some = put_together({with_long_list(halves_.json, path, kElements), halves_.bin});
    const auto more = put_together({with_long_list(halves_.json, path, 4 * kElements), halves_.bin});
    EXPECT_LT(slowdown(some, more), kMostSlowdown) << path;
  }
  EXPECT_GT(lists_.size(), 30u);
}

TEST_F(ReadingCost, AByteOfAFileTakesLimitedMemory) {
  constexpr double kMost = 30.0;  // bytes at once for each of the file's; 16 a value, and lists grow by doubling
  for (const Path& path : lists_) {
    const auto file = put_together({with_long_list(halves_.json, path, 10000), halves_.bin});
    const SharedBytes bytes(file);
    const auto taken = test::allocations_of([&bytes] { (void)decode_character(bytes); });
    EXPECT_LT(static_cast<double>(taken.peak), kMost * static_cast<double>(file.size())) << path;
    EXPECT_EQ(taken.live, 0u) << path;
  }
}

// What holds the most values a byte, where nobody looks for anything.
TEST_F(ReadingCost, FieldsThatNobodyKnowsTakeLimitedMemoryToo) {
  constexpr double kMost = 30.0;
  for (const char* element : {"0", "[]", "{}", R"("")", R"({"":0})", "[[]]"}) {
    OrderedJson json = halves_.json;
    json["extras"] = OrderedJson(50000, OrderedJson::parse(element));
    const auto file = put_together({std::move(json), halves_.bin});
    const SharedBytes bytes(file);
    const auto taken = test::allocations_of([&bytes] { EXPECT_TRUE(decode_character(bytes).has_value()); });
    EXPECT_LT(static_cast<double>(taken.peak), kMost * static_cast<double>(file.size())) << element;
  }
}

// Members are found fast in an object that has many.
TEST_F(ReadingCost, AnObjectWithManyMembersIsNotSearchedThroughForEachElement) {
  const auto file_of_size = [this](std::size_t count) {
    OrderedJson json = with_long_list(halves_.json, Path("/meshes/0/primitives"), count);
    auto& members = json.get_ref<OrderedJson::object_t&>();
    // Names before those that are looked for, in any order.
    for (std::size_t i = 0; i < 4 * count; ++i) members.push_back({"a" + std::to_string(i), 0});
    return put_together({std::move(json), halves_.bin});
  };
  EXPECT_LT(slowdown(file_of_size(2000), file_of_size(8000)), kMostSlowdown);
}

}  // namespace
}  // namespace throng
