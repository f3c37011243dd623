#include "scene_view.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

Bounds box(const glm::dvec3& low, const glm::dvec3& high) {
  Bounds bounds;
  bounds.add(low);
  bounds.add(high);
  return bounds;
}

std::vector<glm::vec3> corners_of(const Bounds& bounds) {
  std::vector<glm::vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back((i & 1) != 0 ? bounds.max.x : bounds.min.x, (i & 2) != 0 ? bounds.max.y : bounds.min.y,
                         (i & 4) != 0 ? bounds.max.z : bounds.min.z);
  return corners;
}

void expect_inside(const gpu::MapUniforms& map, const glm::vec3& point) {
  const glm::vec4 clip = map.clip_from_world * glm::vec4(point, 1.0f);
  EXPECT_LE(std::abs(clip.x), 1.0f);
  EXPECT_LE(std::abs(clip.y), 1.0f);
  EXPECT_GE(clip.z, 0.0f);
  EXPECT_LE(clip.z, 1.0f);
}

TEST(SunMap, HoldsEveryCasterAndTheGroundItsShadowFallsOn) {
  const Bounds casters = box({-20.0, 0.0, -8.0}, {25.0, 1.9, 12.0});
  for (const glm::vec3 sun : {glm::vec3(0, 1, 0), glm::vec3(-0.6, 0.5, 0.5), glm::vec3(0.9, 0.15, -0.3)}) {
    SceneLook look;
    look.sun_direction = sun;
    const gpu::MapUniforms map = fit_sun_map(casters, look, 2048);
    for (const glm::vec3& corner : corners_of(casters)) {
      expect_inside(map, corner);
      expect_inside(map, corner - sun * (corner.y / sun.y));
    }
  }
}

TEST(SunMap, MeasuresItselfInWorldUnits) {
  const gpu::MapUniforms map = fit_sun_map(box({-5.0, 0.0, -5.0}, {5.0, 2.0, 5.0}), {}, 1000);
  EXPECT_FLOAT_EQ(map.texel * 1000.0f, map.width);
  const glm::vec3 point(1.0f, 1.0f, 2.0f);
  const glm::vec3 sun = glm::normalize(SceneLook{}.sun_direction);
  const float depth_here = (map.clip_from_world * glm::vec4(point, 1.0f)).z;
  const float depth_behind = (map.clip_from_world * glm::vec4(point - sun, 1.0f)).z;
  EXPECT_NEAR((depth_behind - depth_here) * map.depth, 1.0f, 1e-4f) << "one unit away from the sun";
  const glm::vec3 across = glm::normalize(glm::cross(sun, glm::vec3(0, 1, 0)));
  const glm::vec4 moved = map.clip_from_world * glm::vec4(across, 0.0f);
  EXPECT_NEAR(glm::length(glm::vec2(moved)) * 0.5f * map.width, 1.0f, 1e-4f) << "one unit sideways";
}

TEST(SunMap, DoesNotDependOnTheCamera) {
  const Bounds casters = box({-5.0, 0.0, -5.0}, {5.0, 2.0, 5.0});
  const auto first = scene_uniforms({.eye = {0, 2, 9}}, {}, casters);
  const auto second = scene_uniforms({.eye = {7, 3, 1}}, {}, casters);
  EXPECT_EQ(first.sun_map.clip_from_world, second.sun_map.clip_from_world);
  EXPECT_NE(first.clip_from_world, second.clip_from_world);
}

TEST(ContactMap, HoldsHeightsAboveTheGround) {
  SceneLook look;
  look.ground_height = 3.0f;
  const gpu::MapUniforms map = fit_contact_map(box({-5.0, 3.0, -5.0}, {5.0, 5.0, 5.0}), look, 512);
  const float low = (map.clip_from_world * glm::vec4(1.0f, 3.0f, 1.0f, 1.0f)).z * map.depth;
  const float high = (map.clip_from_world * glm::vec4(1.0f, 4.5f, 1.0f, 1.0f)).z * map.depth;
  EXPECT_NEAR(high - low, 1.5f, 1e-5f);
  EXPECT_NEAR(low, 0.0f, 0.1f);
}

TEST(View, LooksFromTheEyeToTheTargetWithReversedDepth) {
  const auto uniforms = scene_uniforms({.eye = {3, 4, 5}, .target = {1, 1, 1}}, {.width = 200, .height = 100}, {});
  const glm::vec4 target = uniforms.clip_from_world * glm::vec4(1, 1, 1, 1);
  EXPECT_NEAR(target.x / target.w, 0.0f, 1e-5f);
  EXPECT_NEAR(target.y / target.w, 0.0f, 1e-5f);
  const glm::vec4 above = uniforms.clip_from_world * glm::vec4(1, 1.5, 1, 1);
  EXPECT_LT(above.y / above.w, 0.0f) << "up is towards the top row";
  const glm::vec4 farther = uniforms.clip_from_world * glm::vec4(-1, -2, -3, 1);
  EXPECT_LT(farther.z / farther.w, target.z / target.w);
  EXPECT_EQ(uniforms.sun_map.width, 0.0f) << "no casters, no shadow map";
}

TEST(View, RaysAgreeWithTheProjection) {
  const SceneSettings settings{.width = 320, .height = 180};
  const auto uniforms = scene_uniforms({.eye = {3, 4, 5}, .target = {1, 1, 1}}, settings, {});
  const glm::vec2 place(0.3f, -0.7f);
  const glm::vec3 ray = uniforms.view_forward + uniforms.view_right * place.x + uniforms.view_down * place.y;
  const glm::vec4 clip = uniforms.clip_from_world * glm::vec4(uniforms.eye + ray * 7.0f, 1.0f);
  EXPECT_NEAR(clip.x / clip.w, place.x, 1e-4f);
  EXPECT_NEAR(clip.y / clip.w, place.y, 1e-4f);
}

TEST(FrameBounds, PutsAllOfTheBoxInTheMiddleOfThePicture) {
  for (const Bounds& bounds :
       {box({-1, 0, -1}, {1, 2, 1}), box({-60, 0, -20}, {60, 1.8, 20}), box({4, 0, 0}, {4.1, 90, 0.1})})
    for (const double aspect : {0.5, 1.0, 16.0 / 9.0}) {
      const SceneSettings settings{.width = static_cast<std::uint32_t>(aspect * 900.0), .height = 900};
      const auto uniforms = scene_uniforms(frame_bounds(bounds, aspect, 30.0, 20.0), settings, {});
      glm::vec2 low(9.0f), high(-9.0f);
      for (const glm::vec3& corner : corners_of(bounds)) {
        const glm::vec4 clip = uniforms.clip_from_world * glm::vec4(corner, 1.0f);
        ASSERT_GT(clip.w, 0.0f);
        low = glm::min(low, glm::vec2(clip) / clip.w);
        high = glm::max(high, glm::vec2(clip) / clip.w);
      }
      EXPECT_GE(std::min(low.x, low.y), -1.0f);
      EXPECT_LE(std::max(high.x, high.y), 1.0f);
      EXPECT_GT(std::max(high.x - low.x, high.y - low.y), 1.6f) << "it fills the picture one way";
      EXPECT_NEAR(low.x + high.x, 0.0f, 0.08f);
      EXPECT_NEAR(low.y + high.y, 0.0f, 0.08f);
    }
}

}  // namespace
}  // namespace throng
