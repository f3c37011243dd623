// SPDX-License-Identifier: Apache-2.0
#include "throng/scene/scene_view.h"

#include "shadow_view.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

using namespace detail::scene;

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

const ViewSettings kSettings{.width = 1280, .height = 720};

glm::dvec3 to_sun(const SceneLook& look = {}) { return glm::normalize(glm::dvec3(look.sun_direction)); }

// Of a point of the world in a cascade: uv, and depth.
glm::vec3 in_map(const gpu::SceneUniforms& scene, std::uint32_t cascade, const glm::vec3& point) {
  const glm::vec3 clip(clip_from_world(scene, scene.cascades[cascade]) * glm::vec4(point, 1.0f));
  return {clip.x * 0.5f + 0.5f, clip.y * 0.5f + 0.5f, clip.z};
}

bool is_inside(const glm::vec3& in_map) {
  return std::min({in_map.x, in_map.y, in_map.z}) >= -1e-5f && std::max({in_map.x, in_map.y, in_map.z}) <= 1.00001f;
}

// The cascade the shader asks for a point; all of them: none.
std::uint32_t cascade_of(const gpu::SceneUniforms& scene, const glm::vec3& point) {
  const float depth = glm::dot(point - scene.eye, scene.view_forward);
  std::uint32_t cascade = 0;
  while (cascade < scene.cascade_count && depth > scene.cascades[cascade].end) ++cascade;
  return cascade;
}

// Points of the ground and of the height of people that the camera sees, in and around `casters`.
std::vector<glm::vec3> seen_points(const gpu::SceneUniforms& scene, const Bounds& casters) {
  std::vector<glm::vec3> points;
  for (double x = casters.min.x - 4.0; x < casters.max.x + 4.0; x += 1.3)
    for (double z = casters.min.z - 4.0; z < casters.max.z + 4.0; z += 1.3)
      for (const double y : {0.0, 0.9, 1.8}) {
        const glm::vec4 clip = scene.clip_from_world * glm::vec4(x, y, z, 1.0);
        if (clip.w > 0.1f && std::abs(clip.x) < clip.w && std::abs(clip.y) < clip.w) points.emplace_back(x, y, z);
      }
  return points;
}

const Bounds kCrowd = box({-60.0, 0.0, -110.0}, {60.0, 1.9, 0.0});
const Camera kOverTheCrowd{{2.0, 6.0, 12.0}, {0.0, 0.0, -32.0}, 23.0};

TEST(Splits, GrowFromTheNearestShadowToTheFarthest) {
  const CascadeSplits splits = split_view(kOverTheCrowd, 16.0 / 9.0, kCrowd, {}, 4);
  ASSERT_EQ(splits.ends.size(), 4u);
  EXPECT_LT(splits.begin, 12.0);
  EXPECT_GT(splits.begin, 4.0) << "nothing is nearer than the crowd's shadows";
  EXPECT_GT(splits.ends.back(), glm::distance(kOverTheCrowd.eye, {-60.0, 0.0, -110.0}));
  double length = 0.0, last = splits.begin;
  for (const double end : splits.ends) {
    EXPECT_GT(end - last, length) << "each covers more than the one before";
    length = end - last;
    last = end;
  }
}

TEST(Splits, SpendNoMoreCascadesThanTheRangeIsWorth) {
  const Bounds person = box({-0.5, 0.0, -0.5}, {0.5, 1.9, 0.5});
  EXPECT_EQ(split_view({{0.0, 1.5, 30.0}, {0.0, 1.0, 0.0}, 10.0}, 1.0, person, {}, 4).ends.size(), 1u);
}

TEST(Cascades, HoldWhatTheCameraSeesAndAllThatShadesIt) {
  for (const glm::vec3 sun : {glm::vec3(-0.6, 0.5, 0.5), glm::vec3(0.9, 0.2, -0.3), glm::vec3(0.05, 1.0, 0.0)}) {
    ViewSettings settings = kSettings;
    settings.look.sun_direction = sun;
    const auto scene = scene_uniforms(kOverTheCrowd, settings, kCrowd);
    const auto points = seen_points(scene, kCrowd);
    ASSERT_GT(points.size(), 1000u);
    std::array<int, gpu::kMostCascades> used{};
    for (const glm::vec3& point : points) {
      const std::uint32_t cascade = cascade_of(scene, point);
      ASSERT_LT(cascade, scene.cascade_count);
      ++used[cascade];
      ASSERT_TRUE(is_inside(in_map(scene, cascade, point)));
      // Any caster between here and the sun, as high as casters get.
      const float up = static_cast<float>((kCrowd.max.y - point.y) / to_sun(settings.look).y);
      const glm::vec3 caster = point + glm::vec3(to_sun(settings.look)) * up;
      const bool is_caster =
          caster.x > kCrowd.min.x && caster.x < kCrowd.max.x && caster.z > kCrowd.min.z && caster.z < kCrowd.max.z;
      ASSERT_TRUE(!is_caster || is_inside(in_map(scene, cascade, caster)));
    }
    for (std::uint32_t i = 0; i < scene.cascade_count; ++i)
      EXPECT_GT(used[i], 0) << "cascade " << i << " is drawn in vain";
  }
}

TEST(Cascades, HoldWhereOneFadesIntoTheNext) {
  const auto scene = scene_uniforms(kOverTheCrowd, kSettings, kCrowd);
  for (const glm::vec3& point : seen_points(scene, kCrowd)) {
    const std::uint32_t cascade = cascade_of(scene, point);
    const float depth = glm::dot(point - scene.eye, scene.view_forward);
    if (cascade + 1 >= scene.cascade_count || depth < 0.86f * scene.cascades[cascade].end) continue;
    ASSERT_TRUE(is_inside(in_map(scene, cascade + 1, point)));
  }
}

TEST(Cascades, AreFinerNearTheCameraThanOneMapOfAllWouldBe) {
  const auto scene = scene_uniforms(kOverTheCrowd, kSettings, kCrowd);
  ASSERT_EQ(scene.cascade_count, 4u);
  for (std::uint32_t i = 1; i < scene.cascade_count; ++i)
    EXPECT_GT(scene.cascades[i].texel, scene.cascades[i - 1].texel);
  ViewSettings one = kSettings;
  one.cascades = 1;
  const auto whole = scene_uniforms(kOverTheCrowd, one, kCrowd);
  ASSERT_EQ(whole.cascade_count, 1u);
  EXPECT_LT(scene.cascades[0].texel, 0.25f * whole.cascades[0].texel);
}

TEST(Cascades, KeepTheirTexelsWhileTheCameraTurnsAndMoveByWholeOnes) {
  const auto first = scene_uniforms(kOverTheCrowd, kSettings, kCrowd);
  for (const double turn : {0.1, 0.5, 1.7, 3.0}) {
    Camera camera = kOverTheCrowd;
    camera.target = camera.eye + glm::dvec3(50.0 * std::sin(turn), -7.0, -50.0 * std::cos(turn));
    const auto turned = scene_uniforms(camera, kSettings, kCrowd);
    ASSERT_EQ(turned.cascade_count, first.cascade_count);
    for (std::uint32_t i = 0; i < first.cascade_count; ++i) {
      EXPECT_EQ(turned.cascades[i].texel, first.cascades[i].texel) << "cascade " << i << " after " << turn;
      EXPECT_EQ(turned.cascades[i].width, first.cascades[i].width);
    }
  }
}

// From far outside into the middle of the crowd, looking around.
TEST(Cascades, MoveWithTheCameraByWholeTexelsOnly) {
  constexpr int kSteps = 400;
  int moves = 0, new_sizes = 0;
  auto last = scene_uniforms(kOverTheCrowd, kSettings, kCrowd);
  for (int step = 1; step <= kSteps; ++step) {
    const double turn = 0.01 * step;
    Camera camera = kOverTheCrowd;
    camera.eye += glm::dvec3(0.017 * step, 0.004 * step, -0.151 * step);
    camera.target = camera.eye + glm::dvec3(30.0 * std::sin(turn), -5.0, -30.0 * std::cos(turn));
    const auto moved = scene_uniforms(camera, kSettings, kCrowd);
    const bool same_size = moved.cascades[0].texel == last.cascades[0].texel;
    new_sizes += same_size ? 0 : 1;
    for (std::uint32_t i = 0; i < last.cascade_count && same_size; ++i) {
      ASSERT_EQ(moved.cascades[i].texel, last.cascades[i].texel) << "cascade " << i << " at step " << step;
      const glm::vec2 texels = glm::vec2(moved.cascades[i].origin - last.cascades[i].origin) / last.cascades[i].texel;
      ASSERT_NEAR(texels.x, std::round(texels.x), 0.02f) << "cascade " << i << " at step " << step;
      ASSERT_NEAR(texels.y, std::round(texels.y), 0.02f);
      moves += texels == glm::vec2(0.0f) ? 0 : 1;
    }
    last = moved;
  }
  EXPECT_GT(moves, kSteps);
  EXPECT_LE(new_sizes, 8) << "of which each is seen";
}

TEST(Cascades, MeasureThemselvesInWorldUnits) {
  const auto scene = scene_uniforms(kOverTheCrowd, kSettings, kCrowd);
  const gpu::CascadeUniforms& map = scene.cascades[1];
  EXPECT_FLOAT_EQ(map.texel * static_cast<float>(kSettings.shadow_size), map.width);
  const glm::vec3 point(1.0f, 1.0f, -20.0f);
  const glm::vec3 sun(to_sun());
  EXPECT_NEAR((in_map(scene, 1, point - sun).z - in_map(scene, 1, point).z) * map.depth, 1.0f, 1e-3f)
      << "one unit away from the sun";
  const glm::vec3 across = glm::normalize(glm::cross(sun, glm::vec3(0, 1, 0)));
  const glm::vec3 moved = in_map(scene, 1, point + across) - in_map(scene, 1, point);
  EXPECT_NEAR(glm::length(glm::vec2(moved)) * map.width, 1.0f, 1e-3f) << "one unit sideways";
  // As the shader finds it, without the matrix.
  const glm::vec3 light(glm::dot(scene.light_x, point), glm::dot(scene.light_y, point), glm::dot(scene.light_z, point));
  const glm::vec3 found = (light - map.origin) / glm::vec3(map.width, map.width, map.depth);
  EXPECT_LT(glm::distance(found, in_map(scene, 1, point)), 1e-4f);
}

TEST(Cascades, AreOneMapOfAllCastersWhereThatIsFineEnough) {
  const Bounds few = box({-1.0, 0.0, -1.0}, {1.0, 2.0, 1.0});
  const auto near = scene_uniforms({.eye = {0, 2, 9}, .target = {0, 1, 0}}, kSettings, few);
  const auto elsewhere = scene_uniforms({.eye = {7, 3, 5}, .target = {0, 1, 0}}, kSettings, few);
  ASSERT_EQ(near.cascade_count, 1u);
  EXPECT_EQ(near.cascades[0].origin, elsewhere.cascades[0].origin) << "it does not depend on the camera";
  EXPECT_EQ(near.cascades[0].width, elsewhere.cascades[0].width);
}

TEST(ShadowPasses, AreTheCascadesAndThenTheContactMap) {
  ViewSettings settings = kSettings;
  const auto scene = scene_uniforms(kOverTheCrowd, settings, kCrowd);
  const auto passes = shadow_passes(scene_uniforms(kOverTheCrowd, settings, kCrowd));
  ASSERT_EQ(passes.size(), scene.cascade_count + 1u);
  for (std::uint32_t i = 0; i < scene.cascade_count; ++i)
    EXPECT_EQ(passes[i], clip_from_world(scene, scene.cascades[i]));
  EXPECT_EQ(passes.back(), scene.contact_map.clip_from_world);
  settings.contact_size = 0;
  EXPECT_EQ(shadow_passes(scene_uniforms(kOverTheCrowd, settings, kCrowd)).size(), scene.cascade_count);
  EXPECT_TRUE(shadow_passes(scene_uniforms(kOverTheCrowd, settings, {})).empty()) << "nobody, no shadow";
}

TEST(ContactMap, HoldsHeightsAboveTheGround) {
  SceneLook look;
  look.ground_height = 3.0f;
  const Bounds casters = box({-5.0, 3.0, -5.0}, {5.0, 5.0, 5.0});
  const gpu::MapUniforms map = fit_contact_map({}, casters, look, 512);
  const float low = (map.clip_from_world * glm::vec4(1.0f, 3.0f, 1.0f, 1.0f)).z * map.depth;
  const float high = (map.clip_from_world * glm::vec4(1.0f, 4.5f, 1.0f, 1.0f)).z * map.depth;
  EXPECT_NEAR(high - low, 1.5f, 1e-5f);
  EXPECT_NEAR(low, 0.0f, 0.1f);
  for (const glm::vec3& corner : corners_of(casters)) {
    const glm::vec4 clip = map.clip_from_world * glm::vec4(corner, 1.0f);
    EXPECT_LE(std::max(std::abs(clip.x), std::abs(clip.y)), 0.85f) << "none stands where the map fades out";
  }
}

TEST(ContactMap, StaysWithTheCameraInALargeCrowdByWholeTexels) {
  const gpu::MapUniforms first = fit_contact_map(kOverTheCrowd, kCrowd, {}, 1024);
  EXPECT_LT(first.width, 50.0f);
  Camera camera = kOverTheCrowd;
  camera.eye += glm::dvec3(1.37, 0.0, -3.21);
  camera.target += glm::dvec3(1.37, 0.0, -3.21);
  const gpu::MapUniforms moved = fit_contact_map(camera, kCrowd, {}, 1024);
  EXPECT_EQ(moved.texel, first.texel);
  const glm::vec2 texels = glm::vec2(moved.clip_from_world[3] - first.clip_from_world[3]) * 512.0f;
  EXPECT_GT(glm::length(texels), 1.0f);
  EXPECT_NEAR(texels.x, std::round(texels.x), 0.01f);
  EXPECT_NEAR(texels.y, std::round(texels.y), 0.01f);
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
  EXPECT_EQ(uniforms.cascade_count, 0u) << "no casters, no shadow map";
}

TEST(View, RaysAgreeWithTheProjection) {
  const ViewSettings settings{.width = 320, .height = 180};
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
      const ViewSettings settings{.width = static_cast<std::uint32_t>(aspect * 900.0), .height = 900};
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
