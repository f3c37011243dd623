// SPDX-License-Identifier: Apache-2.0
// Whether all bones of a character scale alike in every clip, which lets renderers turn normals by what moves vertices.
#include "upload/scales.h"

#include <gtest/gtest.h>

#include "made_model.h"

namespace throng::detail::character {
namespace {

// Links that keep their size: of localv, what is left when no clip has a word of their scales.
CharacterDraft of_one_size() {
  CharacterDraft model = made_draft(Encoding::localv, {});
  for (PoseLink& link : model.skeleton) {
    link.scale_slot.reset();
    link.rest.scale = 1.0;
  }
  for (BakedBone& bone : model.bones) bone.link_from_mesh.scale = 1.0;
  return model;
}

TEST(Scales, OfChannelsAreAlikeWhereNoLinkIsScaled) {
  EXPECT_TRUE(has_uniform_scale(of_one_size()));
  CharacterDraft larger = of_one_size();
  larger.skeleton[0].rest.scale = 2.0;  // the root of all
  EXPECT_TRUE(has_uniform_scale(larger));
  CharacterDraft made_up_for = of_one_size();
  made_up_for.skeleton[0].rest.scale = 0.01;
  for (BakedBone& bone : made_up_for.bones) bone.link_from_mesh.scale = 100.0;
  EXPECT_TRUE(has_uniform_scale(made_up_for));
}

TEST(Scales, OfChannelsDifferWhereALinkOrAMeshIsOfAnotherSize) {
  CharacterDraft link = of_one_size();
  link.skeleton[3].rest.scale = 1.001;
  EXPECT_FALSE(has_uniform_scale(link)) << "the last of a chain";
  CharacterDraft mesh = of_one_size();
  mesh.bones[1].link_from_mesh.scale = 0.999;
  EXPECT_FALSE(has_uniform_scale(mesh));
  CharacterDraft mirrored = of_one_size();
  for (BakedBone& bone : mirrored.bones) bone.link_from_mesh.scale = -1.0;
  EXPECT_FALSE(has_uniform_scale(mirrored)) << "normals of what mirrors are turned round";
}

// The fourth link hangs on the second, and that on the first.
TEST(Scales, OfChannelsAreThoseOfAllLinksAbove) {
  CharacterDraft model = of_one_size();
  for (std::size_t i = 0; i < model.bones.size(); ++i) model.bones[i].link = i == 0 ? 0 : 3;
  ASSERT_GT(model.bones.size(), 1u);
  model.skeleton[1].rest.scale = 2.0;
  EXPECT_FALSE(has_uniform_scale(model)) << "of one bone and not of the others";
  model.skeleton[3].rest.scale = 0.5;
  EXPECT_TRUE(has_uniform_scale(model)) << "the last link makes up for it";
}

TEST(Scales, OfChannelsDifferWhereAClipScalesALink) {
  CharacterDraft scaled = of_one_size();
  const CharacterDraft made = made_draft(Encoding::localv, {});
  for (std::size_t i = 0; i < made.skeleton.size(); ++i) scaled.skeleton[i].scale_slot = made.skeleton[i].scale_slot;
  EXPECT_FALSE(has_uniform_scale(scaled));
}

}  // namespace
}  // namespace throng::detail::character
