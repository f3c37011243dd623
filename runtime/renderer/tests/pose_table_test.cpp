// SPDX-License-Identifier: Apache-2.0
#include "far/pose_table.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "built_character.h"
#include "test_models.h"
#include "throng/shaders/shared/pose_records.h"

namespace throng::detail::renderer {
namespace {

test::ModelShape of_channels(std::uint32_t links) {
  test::ModelShape shape{.bones = 5, .layout = {1, 4}, .vertices = 12, .encodings = {Encoding::localv}};
  shape.links = links;
  shape.seed = links;
  return shape;
}

TEST(PoseTable, IsOfCharactersAllOfWhoseClipsAreChannels) {
  EXPECT_FALSE(pose_table(test::random_model(of_channels(7))).rows.empty());
  EXPECT_FALSE(pose_table(test::random_model(of_channels(255))).rows.empty());
  EXPECT_TRUE(pose_table(test::random_model(of_channels(256))).rows.empty())
      << "a byte is a link, or that there is none";
  test::ModelShape mixed = of_channels(7);
  mixed.encodings = {Encoding::localv, Encoding::q16};
  EXPECT_TRUE(pose_table(test::random_model(mixed)).rows.empty());
  mixed.encodings = {Encoding::q16};
  EXPECT_TRUE(pose_table(test::random_model(mixed)).rows.empty());
}

TEST(PoseTable, SaysWhereEveryLinkJumpsTo) {
  CharacterDraft draft = test::random_draft(of_channels(60));
  for (std::uint32_t i = 1; i < 40; ++i) draft.skeleton[i].parent = i - 1;  // a chain of 40, and others on it
  const PoseTable table = pose_table(test::built(draft));
  EXPECT_EQ(table.jumps, 6u) << "39 steps, or up to 59, take six bits";
  for (std::uint32_t link = 0; link < 60; ++link) {
    const auto jumps = std::bit_cast<std::array<std::uint8_t, 16>>(table.rows[link]);
    for (std::uint32_t s = 0; s < 8; ++s) {
      std::uint32_t at = link;
      for (std::uint32_t step = 0; step < (1u << s) && at != gpu::kNoJump; ++step)
        at = draft.skeleton[at].parent.value_or(gpu::kNoJump);
      ASSERT_EQ(jumps.at(s), at) << "link " << link << ", jump " << s;
    }
  }
}

TEST(PoseTable, HasRowsForEveryClipAndMoreOnlyForLinksThatMove) {
  const CharacterDraft draft = test::random_draft(of_channels(9));
  std::size_t moved = 0;
  const PoseTable table = pose_table(test::built(draft));
  const std::size_t plain = 9 * (1 + gpu::kPoseRows * draft.clips.size());
  for (std::size_t clip = 0; clip < draft.clips.size(); ++clip)
    for (std::size_t link = 0; link < 9; ++link) {
      const glm::uvec4 bits = table.rows[9 * (1 + gpu::kPoseRows * clip + 2) + link];
      const PoseLink& of = draft.skeleton[link];
      const bool has_slots = of.translation_slot.has_value() || of.scale_slot.has_value();
      if (bits.w == gpu::kNoPoseRow) continue;
      EXPECT_TRUE(has_slots);
      EXPECT_EQ(bits.w, plain + 4 * moved++) << "one after another, four rows each";
    }
  EXPECT_GT(moved, 0u);
  EXPECT_EQ(table.rows.size(), plain + 4 * moved);
}

// A subgroup has threads to spare: they unpack translations, as many as there are of them.
TEST(PoseTable, LendsThreadsWithoutALinkToLinksThatAreMoved) {
  constexpr std::uint32_t kLinks = 9, kThreads = 11;
  const CharacterDraft draft = test::random_draft(of_channels(kLinks));
  const Character model = test::built(draft);
  const PoseTable plain = pose_table(model), table = pose_table(model, kThreads);
  EXPECT_EQ(plain.width, kLinks);
  EXPECT_EQ(table.width, kThreads);
  for (std::uint32_t thread = kLinks; thread < kThreads; ++thread)
    EXPECT_EQ(table.rows[thread], glm::uvec4(0xFFFFFFFFu)) << "it jumps nowhere";
  std::size_t lent = 0, own = 0;
  for (std::size_t clip = 0; clip < draft.clips.size(); ++clip) {
    const auto row = [&](const PoseTable& of, std::size_t which, std::size_t at) {
      return of.rows[of.width * (1 + gpu::kPoseRows * clip + which) + at];
    };
    std::uint32_t next = kLinks;
    for (std::uint32_t link = 0; link < kLinks; ++link) {
      for (const std::size_t which : {0u, 1u, 3u}) EXPECT_EQ(row(table, which, link), row(plain, which, link));
      const glm::uvec4 bits = row(table, 2, link), before = row(plain, 2, link);
      EXPECT_EQ(glm::uvec3(bits), glm::uvec3(before));
      EXPECT_EQ(bits.w == gpu::kNoPoseRow, before.w == gpu::kNoPoseRow);
      if (bits.w == gpu::kNoPoseRow) continue;
      if ((bits.w & gpu::kPoseLane) == 0) {
        ++own;
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(table.rows[bits.w + i], plain.rows[before.w + i]);
        continue;
      }
      ++lent;
      EXPECT_EQ(bits.w & ~gpu::kPoseLane, next++) << "one after another";
      EXPECT_EQ(row(table, 1, next - 1), plain.rows[before.w]);
      EXPECT_EQ(glm::uvec2(row(table, 2, next - 1)), glm::uvec2(plain.rows[before.w + 1]));
    }
    EXPECT_LE(next, kThreads);
  }
  EXPECT_GT(lent, 0u);
  EXPECT_GT(own, 0u) << "scaled, or more than there are threads for";
  EXPECT_NE(table.shapes & gpu::kPoseOwn, 0u);
}

TEST(PoseTable, SaysWhatNoChannelIs) {
  CharacterDraft draft = test::random_draft(of_channels(7));
  const auto shapes = [&](auto change) {
    CharacterDraft changed = draft;
    for (PoseLink& link : changed.skeleton) change(link);
    return pose_table(test::built(changed)).shapes;
  };
  EXPECT_NE(shapes([](PoseLink&) {}) & gpu::kPoseScales, 0u);
  const std::uint32_t still = shapes([](PoseLink& link) {
    link.translation_slot = link.scale_slot = std::nullopt;
    link.rest.scale = 1.0;
  });
  EXPECT_EQ(still & (gpu::kPoseScales | gpu::kPoseOwn), 0u);
}

}  // namespace
}  // namespace throng::detail::renderer
