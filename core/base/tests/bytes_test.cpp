// SPDX-License-Identifier: Apache-2.0
#include "throng/base/bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace throng {
namespace {

std::vector<std::byte> counting(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i);
  return bytes;
}

TEST(ByteReader, ReadsLittleEndianAndStopsAtTheEnd) {
  const auto bytes = counting(6);
  ByteReader reader(bytes);
  EXPECT_EQ(*reader.u32(), 0x03020100u);
  EXPECT_EQ(reader.remaining(), 2u);
  EXPECT_FALSE(reader.u32());
  EXPECT_EQ(reader.remaining(), 2u) << "a failed read takes nothing";
  EXPECT_EQ(reader.take(2)->size(), 2u);
  EXPECT_TRUE(reader.take(0));
  EXPECT_FALSE(reader.take(1));
}

TEST(Slice, RefusesWhatLiesOutsideEvenWhenTheSumOverflows) {
  const auto bytes = counting(10);
  EXPECT_EQ(slice(bytes, 2, 8)->size(), 8u);
  EXPECT_EQ(slice(bytes, 10, 0)->size(), 0u);
  EXPECT_FALSE(slice(bytes, 2, 9));
  EXPECT_FALSE(slice(bytes, 11, 0));
  constexpr auto kHuge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(slice(bytes, kHuge, 2));
  EXPECT_FALSE(slice(bytes, 2, kHuge));
}

TEST(SharedBytes, OutliveTheObjectThatMadeThem) {
  SharedBytes copy;
  {
    const SharedBytes original(counting(4));
    copy = original;
  }
  EXPECT_EQ(copy.size(), 4u);
  EXPECT_EQ(copy.span()[3], std::byte{3});
}

TEST(Hash, IsTheXxh3NamedInTheFormat) {
  EXPECT_EQ(hash64({}), 0x2D06800538D394C2u);  // the published value for no input
  auto bytes = counting(1000);
  const std::uint64_t before = hash64(bytes);
  bytes[500] ^= std::byte{1};
  EXPECT_NE(hash64(bytes), before);
}

TEST(Hash, IsTheSameInPiecesOfAnySize) {
  const auto bytes = counting(5000);
  for (const std::size_t step : {1u, 7u, 240u, 256u, 1024u, 4999u}) {
    Hasher64 hasher;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
      hasher.add(std::span(bytes).subspan(at, std::min(step, bytes.size() - at)));
    }
    hasher.add({});
    EXPECT_EQ(hasher.value(), hash64(bytes)) << step;
  }
  EXPECT_EQ(Hasher64().value(), hash64({}));
}

TEST(Hash, GoesOnAfterItsValueWasAskedForAndAfterAMove) {
  const auto bytes = counting(600);
  Hasher64 hasher;
  hasher.add(std::span(bytes).first(300));
  EXPECT_EQ(hasher.value(), hash64(std::span(bytes).first(300)));
  Hasher64 moved = std::move(hasher);
  moved.add(std::span(bytes).subspan(300));
  EXPECT_EQ(moved.value(), hash64(bytes));
}

}  // namespace
}  // namespace throng
