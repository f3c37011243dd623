// SPDX-License-Identifier: Apache-2.0
// The table of encodings, which everybody asks.
#include <gtest/gtest.h>

#include <set>

#include "encodings/entry.h"
#include "encodings_where.h"

namespace throng {
namespace {

using detail::character::entry_of;

TEST(EncodingTable, HasEveryEncodingAtItsNumberUnderAnUnmistakableName) {
  std::set<std::string_view> names;
  for (const Encoding encoding : kEncodings) {
    const EncodingInfo& info = info_of(encoding);
    EXPECT_EQ(info.encoding, encoding) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(encoding_named(info.name), encoding);
    EXPECT_FALSE(info.holds.empty()) << info.name;
    EXPECT_EQ(info.words > 0, info.kind != ItemKind::channel) << info.name;
  }
  EXPECT_FALSE(encoding_named("q17"));
}

TEST(EncodingTable, GivesEachKindItsFunctions) {
  for (const Encoding encoding : kEncodings) {
    const auto& entry = entry_of(encoding);
    const ItemKind kind = entry.info.kind;
    EXPECT_EQ(entry.encode_bone != nullptr && entry.decode_bone != nullptr, kind == ItemKind::bone) << entry.info.name;
    EXPECT_EQ(entry.encode_affine != nullptr && entry.decode_affine != nullptr, kind == ItemKind::affine)
        << entry.info.name;
    EXPECT_EQ(entry.encode_vertex != nullptr && entry.decode_vertex != nullptr, kind == ItemKind::vertex)
        << entry.info.name;
    EXPECT_EQ(is_vertex_encoding(encoding), kind == ItemKind::vertex) << entry.info.name;
    EXPECT_EQ(entry.info.tangent_words > 0, kind == ItemKind::vertex) << entry.info.name;
    EXPECT_EQ(entry.info.one_scale && entry.info.scale, false) << entry.info.name;
  }
}

// Shaders ask which kinds a model has by these.
TEST(EncodingTable, HasTheKindsThatShadersAskFor) {
  for (const Encoding encoding : kEncodings) {
    const ItemKind kind = info_of(encoding).kind;
    const std::uint32_t bit = 1u << static_cast<std::uint32_t>(encoding);
    EXPECT_EQ((gpu::kAffineEncodings & bit) != 0, kind == ItemKind::affine) << name_of(encoding);
    EXPECT_EQ((gpu::kLinkedEncodings & bit) != 0, kind == ItemKind::slot || kind == ItemKind::channel)
        << name_of(encoding);
    EXPECT_EQ((gpu::kVertexEncodings & bit) != 0, kind == ItemKind::vertex) << name_of(encoding);
  }
}

TEST(EncodingTable, CountsRowsByColumnsAndSlots) {
  EXPECT_EQ(table_rows(Encoding::q16, 5, 3), 5u);
  EXPECT_EQ(table_rows(Encoding::q8, 5, 3), 15u);
  EXPECT_EQ(table_rows(Encoding::local8, 5, 3), 6u);
  EXPECT_EQ(table_rows(Encoding::half_rows, 5, 3), 5u);
  for (const Encoding encoding : test::vertex_encodings()) EXPECT_EQ(table_rows(encoding, 5, 3), 0u);
  EXPECT_EQ(words_per_frame(Encoding::q8, 5, false), 14u);
  EXPECT_EQ(words_per_frame(Encoding::v8, 5, true), 15u);
}

}  // namespace
}  // namespace throng
