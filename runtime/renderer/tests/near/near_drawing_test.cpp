// SPDX-License-Identifier: Apache-2.0
// Near characters in pictures: as the crowd's look, in as few calls as there are materials, and how they moved.
#include <map>

#include "call_counts.h"
#include "motion_check.h"
#include "near_stage.h"
#include "own_renderer.h"
#include "small_scene.h"
#include "test_device.h"
#include "test_models.h"

namespace throng {
namespace {

using test::kSize;
using test::OwnRenderer;
using test::small_scene;

constexpr Camera kFront{{1.5, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

class NearDrawing : public test::OnDevice {};

TEST_F(NearDrawing, TakesTheSameUploadsAndDispatchesAndOneCallPerMaterialAndPassForAnyNumberOfCharacters) {
  const Model model = test::random_near_model({.meshes = 4, .materials = 2});
  auto scene = SceneRenderer::create(test::counted(context()), small_scene());
  ASSERT_TRUE(scene) << scene.error().message;
  CharacterRenderer& characters = scene->characters();
  const ModelId number = characters.add(test::near_character(model)).value();
  std::map<std::string, std::uint32_t> first;
  for (const std::size_t count : {1u, 3u, 40u}) {
    while (characters.near_count() < count) ASSERT_TRUE(characters.add_near(number));
    test::call_counts().clear();
    const auto report = scene->draw(kFront, 0);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->colour_draws + report->shadow_draws, 6u) << count;
    EXPECT_EQ(test::call_counts()["DrawIndexedIndirectCount"], 6u)
        << count << " characters: the sun's map, the contact map and the picture";
    EXPECT_EQ(report->near.dispatches, 1u) << count;
    if (count == 1) first = test::call_counts();
    EXPECT_EQ(test::call_counts(), first) << count << ": dispatches and copies are as many for any number";
    EXPECT_EQ(report->near.drawn, count);
    EXPECT_EQ(report->near.triangles, count * 4 * 30);
  }
}

// Within what rounding a channel may cost.
void expect_alike(const Image& a, const Image& b) {
  ASSERT_EQ(a.rgba.size(), b.rgba.size());
  int most = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) most = std::max(most, std::abs(int{a.rgba[i]} - int{b.rgba[i]}));
  EXPECT_LE(most, 1);
}

TEST_F(NearDrawing, LooksAsTheCrowdDoes) {
  for (const bool double_sided : {false, true}) {
    Material material{.base_colour = {0.7f, 0.3f, 0.2f, 1.0f}};
    material.double_sided = double_sided;
    const Placement placement{{0.3f, 0.0f, -0.5f}, glm::angleAxis(0.6f, glm::vec3(0.0f, 1.0f, 0.0f)), 1.1f};
    const Look look{{200, 230, 90, 255}, 12345};
    const Character baked = test::card_model(material);
    Crowd crowd(baked);
    ASSERT_TRUE(crowd.add({.placement = placement, .look = look}, 0));
    auto far = SceneRenderer::create(context(), small_scene()).value();
    ASSERT_TRUE(far.add(baked));
    ASSERT_TRUE(far.update(crowd));
    const Image empty = SceneRenderer::create(context(), small_scene())->render(kFront, 0).value();
    const Image there = far.render(kFront, 0).value();

    auto near = SceneRenderer::create(context(), small_scene()).value();
    CharacterRenderer& characters = near.characters();
    const CharacterId id =
        characters.add_near(characters.add(test::near_character(test::card(material))).value()).value();
    const std::vector<Affine> bones(1);
    ASSERT_TRUE(characters.set_pose(id, {.model_from_bones = bones, .placement = placement, .look = look}));
    const Image here = near.render(kFront, 0).value();
    EXPECT_NE(there.rgba, empty.rgba) << "for the comparison to mean something";
    // Cameras and shadow maps fit what there is, and both have the same bounds to within a thousandth.
    expect_alike(there, here);
    EXPECT_EQ(near.render(kFront, 0)->rgba, here.rgba) << "the same twice";
  }
}

TEST_F(NearDrawing, LeavesPicturesWithoutThemAsTheyAre) {
  const Character baked = test::card_model({});
  Crowd crowd(baked);
  ASSERT_TRUE(crowd.add({}, 0));
  auto scene = SceneRenderer::create(context(), small_scene()).value();
  ASSERT_TRUE(scene.add(baked));
  ASSERT_TRUE(scene.update(crowd));
  const Image before = scene.render(kFront, 0).value();
  CharacterRenderer& characters = scene.characters();
  EXPECT_EQ(scene.render(kFront, 0)->rgba, before.rgba);
  const ModelId number = characters.add(test::near_character(test::card())).value();
  EXPECT_EQ(scene.render(kFront, 0)->rgba, before.rgba);
  const CharacterId id = characters.add_near(number).value();
  const std::vector<Affine> bones(1);
  ASSERT_TRUE(characters.set_pose(id, {.model_from_bones = bones, .placement = {.position = {1.0f, 0.0f, 1.0f}}}));
  EXPECT_NE(scene.render(kFront, 0)->rgba, before.rgba);
  EXPECT_EQ(scene.report().near.in_picture, 1u);
  EXPECT_EQ(scene.report().far.in_picture, 1u);
  ASSERT_TRUE(characters.remove(id));
  EXPECT_EQ(scene.render(kFront, 0)->rgba, before.rgba);
}

class NearMotion : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    renderer.emplace(CharacterRenderer::create(context(), {.targets = OwnRenderer::targets(true)}).value());
    Material material;
    material.double_sided = true;
    model = renderer->add(test::near_character(test::card(material))).value();
    id = renderer->add_near(model).value();
    own.emplace(context(), true);
  }

  void place(const glm::vec3& position, const glm::vec3& bone = glm::vec3(0.0f)) {
    std::vector<Affine> bones(1);
    for (glm::length_t i = 0; i < 3; ++i) bones[0].rows[static_cast<std::size_t>(i)].w = bone[i];
    ASSERT_TRUE(renderer->set_pose(id, {.model_from_bones = bones, .placement = {.position = position}}));
  }

  // By many who are not in the picture.
  void grow_pool() {
    for (int i = 0; i < 50; ++i) {
      const CharacterId other = renderer->add_near(model).value();
      const std::vector<Affine> bones(1);
      ASSERT_TRUE(
          renderer->set_pose(other, {.model_from_bones = bones, .placement = {.position = {0.0f, 0.0f, -900.0f}}}));
    }
  }

  // An image that is recorded, or refused, and never submitted.
  void drop_one(const RendererImage& image, bool recorded) {
    auto gpu = GpuDevice::create(context()).value();
    auto commands = CommandRecorder::create(*gpu).value();
    ASSERT_TRUE(commands.begin());
    EXPECT_EQ(renderer->record_prepare(commands.buffer(), image).has_value(), recorded);
    renderer->drop_image();
    ASSERT_TRUE(commands.begin());
  }

  // Eight metres away.
  void expect_motion(double across, double up) { test::expect_one_motion(own->motion(), across, up, 8.0); }
  void expect_no_motion() { test::expect_no_motion(own->motion()); }

  ModelId model = {};
  CharacterId id = {};
  std::optional<CharacterRenderer> renderer;
  std::optional<OwnRenderer> own;
};

TEST_F(NearMotion, IsWhatPlacementAndPoseMovedSinceTheLastImage) {
  own->draw(*renderer, 0);
  expect_no_motion();  // just added
  place({0.25f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.25, 0.0);
  place({0.25f, 0.0f, 0.0f}, {0.0f, 0.5f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.0, 0.5);
  own->draw(*renderer, 0);
  expect_no_motion();  // it stood still
}

TEST_F(NearMotion, FollowsTheCamera) {
  own->draw(*renderer, 0);
  own->camera.eye.x = own->camera.target.x = 0.25;
  own->draw(*renderer, 0);
  expect_motion(-0.25, 0.0);
}

TEST_F(NearMotion, IsNotKnownOfWhoChangedClothesOrWasNotDrawn) {
  own->draw(*renderer, 0);
  place({0.5f, 0.0f, 0.0f});
  ASSERT_TRUE(renderer->set_pieces(id, std::array{PieceRef{model, 0}}));
  own->draw(*renderer, 0);
  expect_no_motion();
  place({100.0f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  place({0.0f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_no_motion();
}

TEST_F(NearMotion, IsRightWhenThePoolGrowsBetweenImages) {
  own->draw(*renderer, 0);
  grow_pool();
  place({0.25f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.25, 0.0);
}

TEST_F(NearMotion, CountsFromTheLastImageThatWasSubmitted) {
  own->draw(*renderer, 0);
  place({0.75f, 0.0f, 0.0f});
  drop_one({.culling = false}, true);
  place({0.25f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.25, 0.0);
}

TEST_F(NearDrawing, SeveralMeshesOfOneMaterialLookAsTheCrowdDoes) {
  ModelDraft draft = test::card({.base_colour = {0.7f, 0.3f, 0.2f, 1.0f}}).draft();
  Mesh second = draft.meshes[0];
  second.name = "second";
  second.primitive = 1;
  for (glm::vec3& p : second.positions) p = 0.5f * p + glm::vec3(1.7f, 0.2f, 0.1f);
  draft.meshes.push_back(std::move(second));
  const Character character = test::near_character(build_model(std::move(draft)).value());
  Crowd crowd(character);
  ASSERT_TRUE(crowd.add({}, 0));
  auto far = SceneRenderer::create(context(), small_scene()).value();
  ASSERT_TRUE(far.add(character));
  ASSERT_TRUE(far.update(crowd));
  auto near = SceneRenderer::create(context(), small_scene()).value();
  const ModelId number = near.add(character).value();
  const CharacterId id = near.characters().add_near(number).value();
  const std::vector<Affine> bones(1);
  ASSERT_TRUE(near.characters().set_pose(id, {.model_from_bones = bones}));
  expect_alike(far.render(kFront, 0).value(), near.render(kFront, 0).value());
}

TEST_F(NearDrawing, ShowsPartsOfAModelNobodyElseIsOf) {
  auto scene = SceneRenderer::create(context(), small_scene()).value();
  CharacterRenderer& characters = scene.characters();
  const ModelId body = characters.add(test::near_character(test::card())).value();
  const ModelId hat =
      characters.add(test::near_character(test::card({.base_colour = {1.0f, 0.0f, 0.0f, 1.0f}}))).value();
  const CharacterId id = characters.add_near(body).value();
  const Image before = scene.render(kFront, 0).value();
  ASSERT_TRUE(characters.set_pieces(id, std::array{PieceRef{hat, 0}}));
  EXPECT_NE(scene.render(kFront, 0)->rgba, before.rgba);
}

TEST_F(NearMotion, CountsFromTheLastSubmittedThoughTheDroppedOneGrewThePool) {
  own->draw(*renderer, 0);
  grow_pool();
  drop_one({.culling = false}, true);
  place({0.25f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.25, 0.0);
}

TEST_F(NearMotion, DropAfterARefusedImageLeavesTheSubmittedOne) {
  own->draw(*renderer, 0);
  drop_one({.pixels = std::nanf("")}, false);
  place({0.25f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.25, 0.0);
}

}  // namespace
}  // namespace throng
