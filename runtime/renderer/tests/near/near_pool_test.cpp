// SPDX-License-Identifier: Apache-2.0
// Near and far characters in one vertex pool: each has its room, whatever the other needs.
#include "near_stage.h"
#include "own_renderer.h"
#include "test_device.h"
#include "test_models.h"

namespace throng {
namespace {

using test::OwnRenderer;

class NearPool : public test::OnDevice {
 protected:
  CharacterRenderer make(const Character& model, Skinning skinning, const ModelSettings& how = {}) {
    const RendererSettings settings{.targets = OwnRenderer::targets(), .skinning = skinning};
    CharacterRenderer renderer = CharacterRenderer::create(context(), settings).value();
    EXPECT_TRUE(renderer.add(model, how));
    return renderer;
  }
};

std::vector<CharacterId> show_near(CharacterRenderer& renderer, std::span<const Placement> places,
                                   ModelId model = ModelId(0)) {
  const std::vector<Affine> bones(1);
  std::vector<CharacterId> ids;
  for (const Placement& placement : places) {
    ids.push_back(renderer.add_near(model).value());
    EXPECT_TRUE(renderer.set_pose(ids.back(), {.model_from_bones = bones, .placement = placement}));
  }
  return ids;
}

void show_far(CharacterRenderer& renderer, const Character& model, std::span<const Placement> places) {
  Crowd crowd(model);
  for (const Placement& placement : places) ASSERT_TRUE(crowd.add({.placement = placement}, 0));
  ASSERT_TRUE(renderer.update(crowd));
}

std::size_t pixels_off(std::span<const float> a, std::span<const float> b) {
  std::size_t off = 0;
  for (std::size_t i = 0; i < a.size(); ++i) off += std::abs(a[i] - b[i]) > 0.01f ? 1 : 0;
  return off;
}

// `columns` small ones side by side, from x on, in six rows.
std::vector<Placement> small_ones(float x, int columns) {
  std::vector<Placement> places;
  for (int i = 0; i < 6 * columns; ++i)
    places.push_back(
        {.position = {x + 0.4f * static_cast<float>(i / 6), 0.4f * static_cast<float>(i % 6), 0.0f}, .scale = 0.15f});
  return places;
}

// Its normal map bends all normals by about half a right angle to one side.
Model bent_card() {
  ModelDraft draft = test::card().draft();
  draft.materials[0].normal_image = 0;
  draft.meshes[0].tangents.assign(4, {1.0f, 0.0f, 0.0f, 1.0f});
  constexpr std::array<std::uint8_t, 4> kAside{215, 128, 220, 255};
  draft.images.push_back(test::png({kAside, kAside, kAside, kAside}));
  return build_model(std::move(draft)).value();
}

// Of those who are skinned as they are drawn the pool has nothing: near characters alone say what it must hold.
TEST_F(NearPool, HoldsTangentsOfNearCharactersBesideACrowdThatHasNone) {
  const Character bent = test::near_character(bent_card());
  const Character flat = test::near_character(test::card());
  const std::array places{Placement{.position = {-1.1f, 0.0f, 0.0f}}, Placement{.position = {1.1f, 0.0f, 0.0f}}};
  OwnRenderer own(context());
  const auto near = [&](const Character& model, Skinning way) {
    CharacterRenderer renderer = make(model, way, {.far = false});
    show_near(renderer, places);
    return own.draw(renderer, 0);
  };
  const std::vector<float> right = near(bent, Skinning::compute);
  EXPECT_GT(pixels_off(right, near(flat, Skinning::compute)), 500u) << "for the comparison to mean something";
  EXPECT_EQ(pixels_off(right, near(bent, Skinning::vertex)), 0u);
  // The pool that was made for the others is large enough, but has no tangents.
  CharacterRenderer renderer = make(flat, Skinning::compute, {.far = false});
  const std::vector<CharacterId> others = show_near(renderer, places);
  own.draw(renderer, 0);
  for (const CharacterId id : others) ASSERT_TRUE(renderer.remove(id));
  const ModelId second = renderer.add(bent, {.far = false}).value();
  show_near(renderer, places, second);
  EXPECT_EQ(pixels_off(right, own.draw(renderer, 0)), 0u);
}

// The pool is made for near ones, half as many again, and the budget, which far ones cannot keep: most of them find no
// room and are skinned as they are drawn.
TEST_F(NearPool, GivesTheRoomOfNearCharactersToNobodyElse) {
  const Character model = test::near_character(test::card());
  CharacterRenderer renderer = make(model, Skinning::compute);
  const std::vector<CharacterId> near = show_near(renderer, small_ones(-1.8f, 4));
  show_far(renderer, model, small_ones(0.2f, 5));
  OwnRenderer own(context());
  own.vertex_budget = 1;
  const std::vector<float> together = own.draw(renderer, 0);
  EXPECT_EQ(renderer.near_counts().in_picture, 24u);
  EXPECT_EQ(renderer.far_counts().in_picture, 30u);
  // Nobody covers anybody: together they look as they do one after the other.
  own.vertex_budget = 0;
  show_far(renderer, model, {});
  std::vector<float> apart = own.draw(renderer, 0);
  for (const CharacterId id : near) ASSERT_TRUE(renderer.remove(id));
  show_far(renderer, model, small_ones(0.2f, 5));
  const std::vector<float> far_alone = own.draw(renderer, 0);
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] += far_alone[i];
  EXPECT_EQ(pixels_off(together, apart), 0u);
}

}  // namespace
}  // namespace throng
