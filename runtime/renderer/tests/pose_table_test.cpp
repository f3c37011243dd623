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

}  // namespace
}  // namespace throng::detail::renderer
