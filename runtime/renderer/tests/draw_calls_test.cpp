// SPDX-License-Identifier: Apache-2.0
// How often Vulkan is asked to draw: once per material and pass, however many characters, near and far.
#include <gtest/gtest.h>

#include "call_counts.h"
#include "near/near_stage.h"
#include "small_scene.h"
#include "test_device.h"
#include "test_models.h"

namespace throng {
namespace {

using test::small_scene;

constexpr std::uint32_t kSurroundings = 2;  // the ground and the sky
constexpr Camera kFront{{0.0, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

class DrawCalls : public test::OnDevice {};

TEST_F(DrawCalls, AreOnePerMaterialAndPassForAnyNumberOfInstancesAndReportedTruly) {
  CharacterDraft draft = test::card_draft({});
  draft.materials.emplace_back();
  draft.draws = {{0, 0, 3}, {1, 3, 3}};
  const Character model = test::built(std::move(draft));
  SceneSettings settings = small_scene();
  settings.speck_pixels = SceneSettings().speck_pixels;
  auto scene = SceneRenderer::create(test::counted(context()), settings);
  ASSERT_TRUE(scene) << scene.error().message;
  ASSERT_TRUE(scene->add(model));
  for (const std::size_t count : {1u, 3u, 1000u}) {
    const std::vector<InstanceRecord> instances(count, test::standing(0).instance);
    ASSERT_TRUE(scene->set_instances(ModelId(0), instances, std::vector<PlayRecord>(count, test::standing(0).play)));
    test::call_counts().clear();
    const auto report = scene->draw(kFront, 0);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(test::call_counts()["DrawIndexedIndirectCount"], 6u)
        << count << " instances: the sun's map, the contact map and the picture, 2 materials";
    EXPECT_EQ(test::draw_calls(), 7u + kSurroundings) << count << ": and one for specks";
    EXPECT_EQ(report->colour_draws, 3u) << count;
    EXPECT_EQ(report->shadow_draws, 4u) << count;
  }
}

// Baked in either mode, with meshes for near characters; of several materials, and more meshes than those.
Character near_and_far(std::uint32_t meshes, std::uint32_t materials, BakeMode mode) {
  const Model model =
      test::random_near_model({.vertices = 30, .meshes = meshes, .materials = materials, .seed = meshes});
  SerialExecutor executor;
  return bake(model, {.mode = mode, .levels = 1}, executor).value();
}

// Three models, each of them near and far, on the same ground.
class NearAndFar {
 public:
  explicit NearAndFar(const VulkanContext& context, const SceneSettings& settings)
      : scene(SceneRenderer::create(context, settings).value()) {
    for (const Character& character : characters) models.push_back(scene.add(character).value());
  }

  void show(std::size_t far, std::size_t near) {
    for (std::size_t i = 0; i < models.size(); ++i) {
      test::Cast cast;
      for (std::size_t j = 0; j < far; ++j)
        cast.add(test::standing(0, {0.5f * static_cast<float>(j % 20) - 4.0f, 1.0f, -1.0f * static_cast<float>(i)}));
      ASSERT_TRUE(scene.set_instances(models[i], cast.instances, cast.plays));
      for (std::size_t j = 0; j < near; ++j) {
        const CharacterId id = scene.characters().add_near(models[i]).value();
        const std::vector<Affine> bones(characters[i].motion().value().bones().size());
        const glm::vec3 place(0.7f * static_cast<float>(j) - 1.0f, 1.0f, 1.0f + static_cast<float>(i));
        ASSERT_TRUE(scene.characters().set_pose(id, {.model_from_bones = bones, .placement = {.position = place}}));
      }
    }
  }

  static const std::vector<Character>& all() {
    static const std::vector<Character> made{near_and_far(4, 2, BakeMode::bones),
                                             near_and_far(1, 1, BakeMode::vertices),
                                             near_and_far(5, 3, BakeMode::bones)};
    return made;
  }
  const std::vector<Character>& characters = all();
  std::vector<ModelId> models;
  SceneRenderer scene;
};

TEST_F(DrawCalls, AreOnePerMaterialAndPassForThreeModelsNearAndFarInBothModes) {
  for (const DrawnOn drawn_on : {DrawnOn::gpu, DrawnOn::software}) {
    SceneSettings settings = small_scene();
    settings.drawn_on = drawn_on;
    NearAndFar all(test::counted(context()), settings);
    for (const auto& [far, near] : {std::pair{7u, 0u}, std::pair{7u, 1u}, std::pair{100u, 2u}, std::pair{0u, 1u}}) {
      all.show(far, near);
      // Without a GPU far characters' triangles are sorted out, and in the picture they have calls of their own.
      const std::uint32_t more = drawn_on == DrawnOn::software && far > 0 && near > 0 ? 6 : 0;
      test::call_counts().clear();
      const auto report = all.scene.draw(kFront, 0);
      ASSERT_TRUE(report) << report.error().message;
      EXPECT_EQ(test::draw_calls(), 3 * 6 + more + kSurroundings) << "six materials, three passes, " << far << " far";
      EXPECT_EQ(test::call_counts()["DrawIndexedIndirectCount"], 18u + more);
      EXPECT_EQ(report->colour_draws, 6u + more);
      EXPECT_EQ(report->shadow_draws, 12u);
      EXPECT_GT(far == 0 ? report->near.in_picture : report->far.in_picture, 0u);
    }
    EXPECT_EQ(all.scene.report().near.drawn, 12u) << "four of each by now";
    EXPECT_EQ(all.scene.report().far.drawn, 0u);
  }
}

// Everybody is seen as without a limit, near ones among them, whatever the pool has room for.
TEST_F(DrawCalls, AreAsManyWhereThePoolIsTooSmallAndThePictureIsTheSame) {
  SceneSettings settings = small_scene();
  settings.drawn_on = DrawnOn::gpu;
  const auto draw = [&](std::uint32_t pool_vertices) {
    settings.pool_vertices = pool_vertices;
    NearAndFar all(test::counted(context()), settings);
    all.show(30, 2);
    test::call_counts().clear();
    Image picture = all.scene.render(kFront, 0).value();
    EXPECT_EQ(test::draw_calls(), 3 * 6 + kSurroundings) << pool_vertices;
    EXPECT_EQ(all.scene.report().near.in_picture, 6u);
    EXPECT_EQ(all.scene.report().far.in_picture, 90u);
    return picture;
  };
  const Image whole = draw(1u << 20);
  for (const std::uint32_t room : {4000u, 1000u, 1u}) {
    const Image picture = draw(room);
    std::size_t off = 0;
    for (std::size_t i = 0; i < whole.rgba.size(); ++i)
      off += std::abs(int{whole.rgba[i]} - int{picture.rgba[i]}) > 2 ? 1 : 0;
    // Normals are packed in the pool and are not in the vertex shader.
    EXPECT_LT(off, whole.rgba.size() / 500) << room;
  }
}

// What counts its draws in a buffer and what does not follow each other in one pass: the crowd, its specks, its props,
// near characters of a model that has no far ones.
TEST_F(DrawCalls, OfNearCharactersAndPropsAreSeenBesideACrowdBeyondThePool) {
  SceneSettings settings = small_scene();
  settings.speck_pixels = SceneSettings().speck_pixels;
  settings.pool_vertices = 1;
  SceneRenderer scene = SceneRenderer::create(context(), settings).value();
  CharacterDraft draft = test::card_draft({.base_colour = {0.0f, 0.0f, 1.0f, 1.0f}});
  draft.sockets.push_back({.name = "hand", .bone = 0, .mesh_from_socket = {}});
  const ModelId blue = scene.add(test::built(std::move(draft))).value();
  PropMesh flag;
  flag.positions = {{-0.5f, 2.0f, 0.0f}, {0.5f, 2.0f, 0.0f}, {0.0f, 4.0f, 0.0f}};
  flag.normals.assign(3, {0.0f, 0.0f, 1.0f});
  flag.colours.assign(3, {0.0f, 1.0f, 0.0f});
  flag.indices = {0, 1, 2};
  ASSERT_TRUE(scene.add_prop(flag, blue, SocketId(0)));
  test::Cast cast;
  // None so far away that it is a speck: the draw of those comes before the flags and is empty.
  for (int i = 0; i < 20; ++i)
    cast.add(test::standing(0, {2.0f * static_cast<float>(i % 2) - 1.0f, 0.0f, -0.5f * static_cast<float>(i)}));
  ASSERT_TRUE(scene.set_instances(blue, cast.instances, cast.plays));
  const Image without = scene.render(kFront, 0).value();
  ASSERT_EQ(scene.report().far.specks, 0u);
  const auto red = [](const Image& image) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
      count += image.rgba[i] > 2 * image.rgba[i + 1] && image.rgba[i] > 2 * image.rgba[i + 2] ? 1 : 0;
    return count;
  };
  const auto green = [](const Image& image) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4)
      count += image.rgba[i + 1] > 2 * image.rgba[i] && image.rgba[i + 1] > 2 * image.rgba[i + 2] ? 1 : 0;
    return count;
  };
  EXPECT_EQ(red(without), 0u);
  EXPECT_GT(green(without), 50u) << "the flags";
  const Model card = test::card({.base_colour = {1.0f, 0.0f, 0.0f, 1.0f}});
  const ModelId stage = scene.add(test::near_character(card), {.far = false}).value();
  const CharacterId id = scene.characters().add_near(stage).value();
  const std::vector<Affine> bones(1);
  ASSERT_TRUE(
      scene.characters().set_pose(id, {.model_from_bones = bones, .placement = {.position = {0.0f, 0.0f, 2.0f}}}));
  const Image with = scene.render(kFront, 0).value();
  EXPECT_GT(red(with), 200u) << "the near one";
  EXPECT_GT(green(with), 50u) << "the flags";
}

}  // namespace
}  // namespace throng
