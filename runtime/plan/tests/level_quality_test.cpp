// SPDX-License-Identifier: Apache-2.0
#include "throng/plan/level_quality.h"

#include "built_character.h"

namespace throng {
namespace {

// One triangle at every level; shapes off by 0, 1, 2 and 4.
Character leveled(const std::vector<std::optional<FewerBones>>& fewer) {
  CharacterDraft draft;
  draft.clips.resize(1);
  draft.clips[0].name = "still";
  draft.fewer_bones = fewer[0];
  double error = 0.5;
  for (std::size_t i = 1; i < fewer.size(); ++i) draft.levels.push_back({error *= 2.0, 3, {{0, 0, 3}}, fewer[i]});
  return test::built_from_clips(std::move(draft));
}

TEST(LevelQuality, IsAsFewBonesAsAddAQuarterOfTheError) {
  const FewerBones moved{0.51, 0.5, 0.25};
  const Character model = leveled({moved, moved, moved, FewerBones{1.01, 0.9, 0.0}, FewerBones{0.0, 0.0, 0.0}});
  const LevelQualities made = qualities_of(model, usual_qualities());
  EXPECT_EQ(made[0].bones, 4u) << "the full mesh is off by nothing";
  EXPECT_EQ(made[1].bones, 3u);
  EXPECT_EQ(made[2].bones, 2u);
  EXPECT_EQ(made[3].bones, 2u);
  EXPECT_EQ(made[4].bones, 1u);
  EXPECT_EQ(made[9].bones, 1u) << "of levels that are not there, something that can be asked for";
  for (const LevelQuality& quality : made) EXPECT_TRUE(quality.interpolated);
}

TEST(LevelQuality, OfARigidMeshIsOneBoneAtEveryLevel) {
  const Character model = leveled({FewerBones{}, FewerBones{}});
  const LevelQualities made = qualities_of(model, usual_qualities());
  EXPECT_EQ(made[0].bones, 1u);
  EXPECT_EQ(made[1].bones, 1u);
}

TEST(LevelQuality, IsAllBonesWhereAFileDoesNotTellWhatFewerDo) {
  const Character model = leveled({std::nullopt, std::nullopt, FewerBones{}});
  const LevelQualities made = qualities_of(model, usual_qualities());
  EXPECT_EQ(made[0].bones, 4u);
  EXPECT_EQ(made[1].bones, 4u);
  EXPECT_EQ(made[2].bones, 1u);
}

TEST(LevelQuality, IsWhatIsAskedFor) {
  LevelQualities asked = usual_qualities();
  asked[0] = {.bones = 2, .interpolated = false};
  asked[1] = {.bones = 7, .interpolated = true};
  const LevelQualities made = qualities_of(leveled({FewerBones{}, FewerBones{}}), asked);
  EXPECT_EQ(made[0].bones, 2u);
  EXPECT_FALSE(made[0].interpolated);
  EXPECT_EQ(made[1].bones, 4u);
}

TEST(LevelQuality, AddsToALevelsError) {
  const Character model = leveled({FewerBones{0.3, 0.2, 0.1}, FewerBones{0.6, 0.5, 0.4}, std::nullopt});
  EXPECT_EQ(level_error(model, 0, 4), 0.0);
  EXPECT_EQ(level_error(model, 0, 1), 0.3);
  EXPECT_EQ(level_error(model, 1, 4), 1.0);
  EXPECT_EQ(level_error(model, 1, 3), 1.4);
  EXPECT_EQ(level_error(model, 1, 1), 1.6);
  EXPECT_EQ(level_error(model, 2, 1), 2.0);
}

}  // namespace
}  // namespace throng
