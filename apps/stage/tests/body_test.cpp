// SPDX-License-Identifier: Apache-2.0
#include "battle/body.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "mannequin_model.h"
#include "throng/bake/bake.h"
#include "throng/base/executor.h"

namespace throng {
namespace {

std::shared_ptr<const Rig> rig_of(ModelDraft draft) {
  SerialExecutor executor;
  const Model model = build_model(std::move(draft)).value();
  return build_rig(bake(model, {.clips = {"idle"}, .levels = 1}, executor).value()).value();
}

TEST(Body, PointsWithTheHandThatHasASocket) {
  const auto rig = rig_of(test::mannequin_model().draft());
  const Body body = find_body(*rig, {0.0, 1.0});
  ASSERT_TRUE(body.right_socket);
  EXPECT_EQ(rig->sockets()[*body.right_socket].name, "hand.R");
  ASSERT_EQ(body.aim.size(), 5u);
  EXPECT_EQ(rig->bone_name(body.aim.back().bone), "hand.R");
  ASSERT_EQ(body.legs.size(), 2u);
  EXPECT_EQ(rig->bone_name(body.legs[1].foot), "foot.R");
  EXPECT_EQ(rig->bone_name(body.legs[1].toe.value()), "toes.R");
  EXPECT_EQ(rig->bone_name(body.chest), "upper_chest");
}

TEST(Body, LooksWithItsHeadWhereHandsAreEmptyWhateverToolNamedIt) {
  const std::map<std::string, std::string> names{
      {"hips", "mixamorig:Hips"},          {"upper_chest", "mixamorig:Spine2"}, {"head", "mixamorig:Head"},
      {"thigh.L", "mixamorig:LeftUpLeg"},  {"shin.L", "mixamorig:LeftLeg"},     {"foot.L", "mixamorig:LeftFoot"},
      {"thigh.R", "mixamorig:RightUpLeg"}, {"shin.R", "mixamorig:RightLeg"},    {"foot.R", "mixamorig:RightFoot"}};
  ModelDraft draft = test::mannequin_model().draft();
  draft.sockets.clear();
  for (Bone& bone : draft.bones)
    if (const auto other = names.find(bone.name); other != names.end()) bone.name = other->second;
  const auto rig = rig_of(std::move(draft));
  const Body body = find_body(*rig, {0.6, 0.8});
  EXPECT_FALSE(body.right_socket);
  EXPECT_EQ(body.legs.size(), 2u);
  ASSERT_FALSE(body.aim.empty());
  const std::uint32_t head = body.aim.back().bone;
  EXPECT_EQ(rig->bone_name(head), "mixamorig:Head");
  const glm::vec3 looks = rotation_of(rig->rest_models()[head]) * body.axis;
  EXPECT_LT(glm::distance(looks, glm::vec3(0.6f, 0.0f, 0.8f)), 1e-5f);
}

TEST(Body, HasNoLimbsThatNobodyNamed) {
  ModelDraft draft = test::mannequin_model().draft();
  draft.sockets.clear();
  for (std::size_t i = 0; i < draft.bones.size(); ++i) draft.bones[i].name = "b" + std::to_string(i);
  const Body body = find_body(*rig_of(std::move(draft)), {0.0, 1.0});
  EXPECT_TRUE(body.legs.empty());
  EXPECT_TRUE(body.aim.empty());
}

}  // namespace
}  // namespace throng
