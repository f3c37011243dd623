// SPDX-License-Identifier: Apache-2.0
#include "preview/orbit.h"

#include <gtest/gtest.h>

namespace throng::studio {
namespace {

Bounds person() {
  Bounds bounds;
  bounds.add(glm::dvec3(-0.5, 0.0, -0.3));
  bounds.add(glm::dvec3(0.5, 1.8, 0.3));
  return bounds;
}

TEST(Orbit, LooksAtTheMiddleFromItsYawAndPitch) {
  const Camera camera = Orbit{.yaw_degrees = 90.0, .pitch_degrees = 0.0}.camera(person(), 1.5);
  EXPECT_GT(camera.eye.x, 1.0);
  EXPECT_NEAR(camera.eye.z, camera.target.z, 1e-9);
  EXPECT_NEAR(camera.eye.y, camera.target.y, 1e-9);
}

TEST(Projected, PutsTheTargetInTheMiddleAndKnowsRightFromLeft) {
  const Camera camera{.eye = {0.0, 1.0, 4.0}, .target = {0.0, 1.0, 0.0}, .vertical_fov_degrees = 90.0};
  const auto middle = projected(camera, 2.0, {0.0, 1.0, 0.0});
  ASSERT_TRUE(middle);
  EXPECT_NEAR(middle->x, 0.5, 1e-12);
  EXPECT_NEAR(middle->y, 0.5, 1e-12);
  // At a distance of 4 a field of view of 90 degrees is 8 high, and in this picture 16 wide.
  const auto aside = projected(camera, 2.0, {4.0, 3.0, 0.0});
  ASSERT_TRUE(aside);
  EXPECT_NEAR(aside->x, 0.75, 1e-12);
  EXPECT_NEAR(aside->y, 0.25, 1e-12);
  EXPECT_FALSE(projected(camera, 2.0, {0.0, 1.0, 5.0})) << "behind the camera";
}

TEST(Orbit, TurnsWithThePointerAndStaysBetweenTheGroundAndTheTop) {
  Orbit orbit{.yaw_degrees = 0.0, .pitch_degrees = 10.0};
  orbit.turn({0.25, 0.0});
  EXPECT_NEAR(orbit.yaw_degrees, -60.0, 1e-9) << "dragged to the right, the camera goes to the left";
  orbit.turn({0.0, 10.0});
  EXPECT_LT(orbit.pitch_degrees, 90.0);
  orbit.turn({0.0, -20.0});
  EXPECT_GT(orbit.pitch_degrees, -5.0);
  for (int i = 0; i < 100; ++i) orbit.turn({0.5, 0.0});
  EXPECT_LE(std::abs(orbit.yaw_degrees), 180.0);
}

TEST(Orbit, ComesNearerWithTheWheelWithoutPassingThrough) {
  Orbit orbit;
  const auto distance = [&] {
    const Camera camera = orbit.camera(person(), 1.5);
    return glm::distance(camera.eye, camera.target);
  };
  const double start = distance();
  orbit.approach(1.0);
  EXPECT_LT(distance(), start);
  orbit.approach(-1.0);
  EXPECT_NEAR(distance(), start, 1e-9);
  orbit.approach(1000.0);
  EXPECT_GT(distance(), 0.0);
}

TEST(Orbit, ShiftsThePictureByAsMuchAsThePointerMoves) {
  Orbit orbit{.yaw_degrees = 0.0, .pitch_degrees = 0.0};
  const Camera before = orbit.camera(person(), 1.5);
  orbit.shift({0.5, 0.0});  // half the picture's height to the right
  const Camera after = orbit.camera(person(), 1.5);
  const double height =
      2.0 * glm::distance(before.eye, before.target) * std::tan(glm::radians(before.vertical_fov_degrees) / 2.0);
  EXPECT_NEAR(after.target.x - before.target.x, -0.5 * height, 1e-9) << "the camera goes left, the picture right";
  EXPECT_NEAR(glm::distance(after.eye, after.target), glm::distance(before.eye, before.target), 1e-9);
  EXPECT_NEAR(after.target.y, before.target.y, 1e-9);
}

TEST(PreviewClock, GoesRoundTheClipAtItsSpeed) {
  PreviewClock clock;
  clock.advance(0.75, 1.0);
  clock.speed = 2.0;
  clock.advance(0.25, 1.0);
  EXPECT_NEAR(clock.seconds, 0.25, 1e-12);
  clock.advance(10.0, 0.0);
  EXPECT_NEAR(clock.seconds, 20.25, 1e-12) << "time without an end";
  clock.playing = false;
  clock.advance(1.0, 1.0);
  EXPECT_NEAR(clock.seconds, 20.25, 1e-12);
}

TEST(PreviewClock, StepsFromFrameToFrameAndStopsThere) {
  PreviewClock clock;
  clock.seconds = 0.31;  // between frames 9 and 10 of 30 a second
  clock.step(1, 30.0, 1.0);
  EXPECT_NEAR(clock.seconds, 10.0 / 30.0, 1e-9);
  EXPECT_FALSE(clock.playing);
  clock.step(1, 30.0, 1.0);
  EXPECT_NEAR(clock.seconds, 11.0 / 30.0, 1e-9);
  clock.step(-1, 30.0, 1.0);
  clock.step(-1, 30.0, 1.0);
  EXPECT_NEAR(clock.seconds, 9.0 / 30.0, 1e-9);
  clock.seconds = 0.0;
  clock.step(-1, 30.0, 1.0);
  EXPECT_NEAR(clock.seconds, 29.0 / 30.0, 1e-9) << "round the clip";
}

}  // namespace
}  // namespace throng::studio
