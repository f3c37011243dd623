// SPDX-License-Identifier: Apache-2.0
// Skinned characters in pictures: as the crowd's look, in as few calls as there are materials, and how they moved.
#include <cstring>
#include <map>

#include "motion_check.h"
#include "own_renderer.h"
#include "skinned_stage.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

using test::kSize;
using test::OwnRenderer;

std::map<std::string, std::uint32_t> calls;
PFN_vkGetInstanceProcAddr real_instance_functions = nullptr;
PFN_vkGetDeviceProcAddr real_device_functions = nullptr;
PFN_vkCmdDrawIndexedIndirectCount real_draw = nullptr;
PFN_vkCmdDispatch real_dispatch = nullptr;
PFN_vkCmdCopyBuffer real_copy = nullptr;

VKAPI_ATTR void VKAPI_CALL count_draw(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset, VkBuffer counts,
                                      VkDeviceSize count_offset, std::uint32_t most, std::uint32_t stride) {
  ++calls["draw"];
  real_draw(commands, buffer, offset, counts, count_offset, most, stride);
}

VKAPI_ATTR void VKAPI_CALL count_dispatch(VkCommandBuffer commands, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  ++calls["dispatch"];
  real_dispatch(commands, x, y, z);
}

VKAPI_ATTR void VKAPI_CALL count_copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to, std::uint32_t count,
                                      const VkBufferCopy* regions) {
  ++calls["copy"];
  real_copy(commands, from, to, count, regions);
}

template <class F>
PFN_vkVoidFunction between(PFN_vkVoidFunction real, F& kept, F ours) {
  kept = reinterpret_cast<F>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(ours);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_functions(VkDevice device, const char* name) {
  const PFN_vkVoidFunction real = real_device_functions(device, name);
  if (std::strcmp(name, "vkCmdDrawIndexedIndirectCount") == 0) return between(real, real_draw, &count_draw);
  if (std::strcmp(name, "vkCmdDispatch") == 0) return between(real, real_dispatch, &count_dispatch);
  if (std::strcmp(name, "vkCmdCopyBuffer") == 0) return between(real, real_copy, &count_copy);
  return real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_functions(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction real = real_instance_functions(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return real;
  real_device_functions = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
  return reinterpret_cast<PFN_vkVoidFunction>(device_functions);
}

SceneSettings small_scene() {
  SceneSettings settings{.width = 96, .height = 64};
  settings.shadow_size = 128;
  settings.contact_size = 64;
  settings.speck_pixels = 0.0f;
  return settings;
}

constexpr Camera kFront{{1.5, 1.5, 8.0}, {0.0, 1.0, 0.0}, 40.0};

class SkinnedDrawing : public test::OnDevice {
 protected:
  VulkanContext counted_context() {
    VulkanContext counted = context();
    real_instance_functions = counted.get_instance_proc_addr;
    counted.get_instance_proc_addr = instance_functions;
    return counted;
  }
};

TEST_F(SkinnedDrawing, TakesOneUploadOneDispatchAndOneCallPerMaterialAndPassForAnyNumberOfCharacters) {
  const Model model = test::random_skinned_model({.meshes = 4, .materials = 2});
  auto scene = SceneRenderer::create(counted_context(), small_scene());
  ASSERT_TRUE(scene) << scene.error().message;
  SkinnedRenderer& skinned = *scene->skinned().value();
  const std::uint32_t number = skinned.add_model(test::near_character(model)).value();
  for (const std::size_t count : {1u, 3u, 40u}) {
    while (skinned.character_count() < count) ASSERT_TRUE(skinned.add(number));
    calls.clear();
    const auto report = scene->draw(kFront, 0);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(calls["draw"], report->skinned_draws) << count;
    EXPECT_EQ(report->skinned_draws, 6u) << count << " characters: the sun's map, the contact map and the picture";
    EXPECT_EQ(calls["dispatch"], 1u) << count;
    EXPECT_EQ(calls["copy"], 1u) << count << ": one upload, nothing read back";
    EXPECT_EQ(report->skinned.drawn, count);
    EXPECT_EQ(report->skinned.triangles, count * 4 * 30);
  }
}

// Within what rounding a channel may cost.
void expect_alike(const Image& a, const Image& b) {
  ASSERT_EQ(a.rgba.size(), b.rgba.size());
  int most = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) most = std::max(most, std::abs(int{a.rgba[i]} - int{b.rgba[i]}));
  EXPECT_LE(most, 1);
}

TEST_F(SkinnedDrawing, LooksAsTheCrowdDoes) {
  for (const bool double_sided : {false, true}) {
    Material material{.base_colour = {0.7f, 0.3f, 0.2f, 1.0f}};
    material.double_sided = double_sided;
    const Placement placement{{0.3f, 0.0f, -0.5f}, glm::angleAxis(0.6f, glm::vec3(0.0f, 1.0f, 0.0f)), 1.1f};
    const Look look{{200, 230, 90, 255}, 12345};
    const Character baked = test::card_model(material);
    Crowd crowd(baked);
    ASSERT_TRUE(crowd.add({.placement = placement, .look = look}, 0));
    auto far = SceneRenderer::create(context(), small_scene()).value();
    ASSERT_TRUE(far.add_model(baked));
    ASSERT_TRUE(far.update(crowd));
    const Image empty = SceneRenderer::create(context(), small_scene())->render(kFront, 0).value();
    const Image there = far.render(kFront, 0).value();

    auto near = SceneRenderer::create(context(), small_scene()).value();
    SkinnedRenderer& skinned = *near.skinned().value();
    const CharacterId id = skinned.add(skinned.add_model(test::near_character(test::card(material))).value()).value();
    const std::vector<Affine> bones(1);
    ASSERT_TRUE(skinned.set_pose(id, {.model_from_bones = bones, .placement = placement, .look = look}));
    const Image here = near.render(kFront, 0).value();
    EXPECT_NE(there.rgba, empty.rgba) << "for the comparison to mean something";
    // Cameras and shadow maps fit what there is, and both have the same bounds to within a thousandth.
    expect_alike(there, here);
    EXPECT_EQ(near.render(kFront, 0)->rgba, here.rgba) << "the same twice";
  }
}

TEST_F(SkinnedDrawing, LeavesPicturesWithoutThemAsTheyAre) {
  const Character baked = test::card_model({});
  Crowd crowd(baked);
  ASSERT_TRUE(crowd.add({}, 0));
  auto scene = SceneRenderer::create(context(), small_scene()).value();
  ASSERT_TRUE(scene.add_model(baked));
  ASSERT_TRUE(scene.update(crowd));
  const Image before = scene.render(kFront, 0).value();
  SkinnedRenderer& skinned = *scene.skinned().value();
  EXPECT_EQ(scene.render(kFront, 0)->rgba, before.rgba);
  const std::uint32_t number = skinned.add_model(test::near_character(test::card())).value();
  EXPECT_EQ(scene.render(kFront, 0)->rgba, before.rgba);
  const CharacterId id = skinned.add(number).value();
  const std::vector<Affine> bones(1);
  ASSERT_TRUE(skinned.set_pose(id, {.model_from_bones = bones, .placement = {.position = {1.0f, 0.0f, 1.0f}}}));
  EXPECT_NE(scene.render(kFront, 0)->rgba, before.rgba);
  EXPECT_EQ(scene.report().skinned.in_picture, 1u);
  EXPECT_EQ(scene.report().counts.in_picture, 1u);
  ASSERT_TRUE(skinned.remove(id));
  EXPECT_EQ(scene.render(kFront, 0)->rgba, before.rgba);
}

class SkinnedMotion : public test::OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    renderer.emplace(SkinnedRenderer::create(context(), {.targets = OwnRenderer::targets(true)}).value());
    Material material;
    material.double_sided = true;
    model = renderer->add_model(test::near_character(test::card(material))).value();
    id = renderer->add(model).value();
    own.emplace(context(), true);
  }

  void place(const glm::vec3& position, const glm::vec3& bone = glm::vec3(0.0f)) {
    std::vector<Affine> bones(1);
    for (glm::length_t i = 0; i < 3; ++i) bones[0].rows[static_cast<std::size_t>(i)].w = bone[i];
    ASSERT_TRUE(renderer->set_pose(id, {.model_from_bones = bones, .placement = {.position = position}}));
  }

  // Eight metres away.
  void expect_motion(double across, double up) { test::expect_one_motion(own->motion(), across, up, 8.0); }
  void expect_no_motion() { test::expect_no_motion(own->motion()); }

  std::uint32_t model = 0;
  CharacterId id = {};
  std::optional<SkinnedRenderer> renderer;
  std::optional<OwnRenderer> own;
};

TEST_F(SkinnedMotion, IsWhatPlacementAndPoseMovedSinceTheLastImage) {
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

TEST_F(SkinnedMotion, FollowsTheCamera) {
  own->draw(*renderer, 0);
  own->camera.eye.x = own->camera.target.x = 0.25;
  own->draw(*renderer, 0);
  expect_motion(-0.25, 0.0);
}

TEST_F(SkinnedMotion, IsNotKnownOfWhoChangedClothesOrWasNotDrawn) {
  own->draw(*renderer, 0);
  place({0.5f, 0.0f, 0.0f});
  ASSERT_TRUE(renderer->set_parts(id, std::array{PartRef{model, 0}}));
  own->draw(*renderer, 0);
  expect_no_motion();
  place({100.0f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  place({0.0f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_no_motion();
}

TEST_F(SkinnedMotion, IsRightWhenThePoolGrowsBetweenImages) {
  own->draw(*renderer, 0);
  for (int i = 0; i < 50; ++i) {
    const CharacterId far = renderer->add(model).value();
    const std::vector<Affine> bones(1);
    ASSERT_TRUE(renderer->set_pose(far, {.model_from_bones = bones, .placement = {.position = {0.0f, 0.0f, -900.0f}}}));
  }
  place({0.25f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.25, 0.0);
}

TEST_F(SkinnedMotion, CountsFromTheLastImageThatWasSubmitted) {
  own->draw(*renderer, 0);
  place({0.75f, 0.0f, 0.0f});
  auto gpu = GpuDevice::create(context()).value();
  auto commands = CommandRecorder::create(*gpu).value();
  ASSERT_TRUE(commands.begin());
  ASSERT_TRUE(renderer->record_prepare(commands.buffer(), {.culling = false}));
  renderer->drop_image();
  ASSERT_TRUE(commands.begin());
  place({0.25f, 0.0f, 0.0f});
  own->draw(*renderer, 0);
  expect_motion(0.25, 0.0);
}

}  // namespace
}  // namespace throng
