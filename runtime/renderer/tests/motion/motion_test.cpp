// SPDX-License-Identifier: Apache-2.0
// How far surfaces moved in the picture, of characters that are placed and of eyes that move, against the same worked
// out in double. motion_poses_test.cpp is about poses.
#include <functional>
#include <glm/gtc/matrix_access.hpp>

#include "moving_characters.h"

namespace throng {
namespace {

using test::Corners;
using test::kSecond;
using test::kSkinningWays;
using test::Snapshot;
using test::Surfaces;

class Motion : public test::MotionOnDevice {
 protected:
  using MotionOnDevice::begin;
  void begin(Skinning skinning) { begin(skinning, test::card_model({.double_sided = true})); }
};

Placement turned_place(float angle) {
  return {{0.3f, -0.2f, -1.0f}, glm::angleAxis(angle, glm::normalize(glm::vec3(0.2f, 1.0f, 0.3f))), 0.8f};
}

TEST_F(Motion, OfACharacterThatIsPutElsewhereAndTurned) {
  for (const Skinning way : kSkinningWays) {
    ASSERT_NO_FATAL_FAILURE(begin(way));
    const InstanceId id = crowd.add({}, 0).value();
    Snapshot before = show(0);
    expect_no_motion();
    for (const float angle : {0.0f, 0.4f, -0.5f}) {
      ASSERT_TRUE(crowd.place(id, turned_place(angle)));
      const Snapshot now = show(0);
      expect_motion(before, now);
      before = now;
    }
    show(0);
    expect_no_motion();
  }
}

TEST_F(Motion, OfTheCamera) {
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic));
  const InstanceId id = crowd.add({.play = {.clip = ClipId(1)}}, 0).value();
  Snapshot before = show(0);
  own->camera = {{0.4, 1.3, 7.0}, {0.1, 1.0, 0.0}, 42.0};
  Snapshot now = show(0);
  expect_motion(before, now, 0.02);
  show(0);
  expect_no_motion();
  own->camera.eye.x = -0.5;
  ASSERT_TRUE(crowd.place(id, turned_place(0.3f)));
  before = now;
  now = show(kSecond / 2);
  expect_motion(before, now, 0.02);
}

TEST_F(Motion, OfSomebodyElseInTheSamePlaceIsNone) {
  for (const Skinning way : kSkinningWays) {
    ASSERT_NO_FATAL_FAILURE(begin(way));
    const InstanceId gone = crowd.add({.placement = {.position = {-1.0f, 0.0f, 0.0f}}}, 0).value();
    show(0);
    ASSERT_TRUE(crowd.remove(gone));
    ASSERT_TRUE(
        crowd.add({.placement = {.position = {0.6f, 0.0f, 0.0f}}, .play = {.clip = ClipId(1), .offset = 0.5}}, 0));
    const Snapshot other = show(0);
    expect_no_motion();
    const Snapshot risen = show(kSecond / 4);
    expect_motion(other, risen, 0.01);
    own->camera.eye.x = 0.3;
    const Snapshot aside = show(kSecond / 4);
    expect_motion(risen, aside, 0.0005);
  }
}

TEST_F(Motion, OfOneThatWasNotDrawnIsThatOfTheCamera) {
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic));
  const InstanceId id = crowd.add({}, 0).value();
  show(0);
  ASSERT_TRUE(crowd.place(id, {.position = {500.0f, 0.0f, 0.0f}}));
  show(0);
  ASSERT_EQ(renderer->far_counts().drawn, 0u);
  ASSERT_TRUE(crowd.place(id, {.position = {0.5f, 0.0f, 0.0f}}));
  show(0);
  ASSERT_EQ(renderer->far_counts().drawn, 1u);
  expect_no_motion();
}

TEST_F(Motion, GoesOnWhenTheCrowdOutgrowsItsBuffers) {
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic));
  const InstanceId id = crowd.add({.play = {.clip = ClipId(1)}}, 0).value();
  const Snapshot before = show(0);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(crowd.add({.placement = {.position = {0.0f, 0.0f, 90.0f}}}, 0));
  ASSERT_TRUE(crowd.place(id, turned_place(0.2f)));
  const Snapshot now = show(kSecond / 2);
  ASSERT_EQ(renderer->far_count(), 1001u);
  expect_motion(before, now, 0.02);
}

TEST_F(Motion, CountsFromTheLastImageThatWasNotDropped) {
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic));
  const InstanceId id = crowd.add({.play = {.clip = ClipId(1)}}, 0).value();
  const Snapshot before = show(0);
  ASSERT_TRUE(crowd.place(id, turned_place(0.2f)));
  ASSERT_TRUE(renderer->update(crowd));
  const auto gpu = GpuDevice::create(context()).value();
  CommandRecorder never = CommandRecorder::create(*gpu).value();
  ASSERT_TRUE(never.begin());
  RendererImage image;
  image.now = kSecond / 8;
  image.clip_from_world = glm::mat4(0.5f);
  ASSERT_TRUE(renderer->record_prepare(never.buffer(), image));
  renderer->drop_image();
  expect_motion(before, show(kSecond / 2), 0.02);
}

// Nobody is forgotten who changed before or after the image was recorded.
TEST_F(Motion, ShowsWhoChangedAroundAnImageThatWasDropped) {
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic));
  std::vector<InstanceId> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(crowd.add({}, 0).value());
  show(0);
  ASSERT_EQ(renderer->far_counts().drawn, 3u);
  constexpr Placement kAway{.position = {500.0f, 0.0f, 0.0f}};
  ASSERT_TRUE(crowd.place(ids[0], kAway));
  ASSERT_TRUE(renderer->update(crowd));
  const auto gpu = GpuDevice::create(context()).value();
  CommandRecorder never = CommandRecorder::create(*gpu).value();
  ASSERT_TRUE(never.begin());
  ASSERT_TRUE(renderer->record_prepare(never.buffer(), {.now = kSecond / 8, .clip_from_world = glm::mat4(0.5f)}));
  ASSERT_TRUE(crowd.place(ids[1], kAway));
  ASSERT_TRUE(renderer->update(crowd));
  renderer->drop_image();
  show(kSecond / 2);
  EXPECT_EQ(renderer->far_counts().drawn, 1u);
}

// A card that faces the eye, as large as the clip's box: where it was, as large as it was, facing where the eye was.
TEST_F(Motion, OfSpecksIsThatOfTheirCards) {
  CharacterDraft draft = test::card_draft({.double_sided = true});
  draft.clips[1].bounds = {{-0.5, 0.5, -0.5}, {0.8, 3.0, 0.5}};
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic, test::built(std::move(draft))));
  own->speck_pixels = 1000.0f;
  const auto corners = [&](const Snapshot& shot) {
    const Bounds& box = model.clips()[shot.play.track.clip].bounds;
    const glm::dmat4 place = world_from_model(shot.instance);
    const double half = 0.5 * box.size().y * static_cast<double>(shot.instance.scale);
    const glm::dvec3 up = glm::normalize(glm::dvec3(place[1]));
    const glm::dvec4 towards = glm::row(shot.clip_from_world, 3);
    const glm::dvec3 across = glm::normalize(glm::cross(up, glm::dvec3(towards)));
    double widest = 0.0;
    for (const glm::vec4& band : model.upload().speck.bands) widest = std::max(widest, static_cast<double>(band.w));
    Corners out;
    for (int i = 0; i < 4; ++i) {
      const glm::dvec3 aside = ((i & 1) == 0 ? -2.0 : 2.0) * widest * half * across;
      const glm::dvec3 upwards = ((i & 2) == 0 ? -half : half) * up;
      const glm::dvec3 centre(place * glm::dvec4(box.centre(), 1.0));
      out.push_back(shot.clip_from_world * glm::dvec4(centre + aside + upwards, 1.0));
    }
    return out;
  };
  const InstanceId id = crowd.add({}, 0).value();
  Snapshot before = show(0);
  expect_no_motion();
  const std::array<std::function<void()>, 4> changes{
      [&] {
        ASSERT_TRUE(crowd.place(id, {.position = {0.5f, 0.25f, 0.0f}}));
      },
      [&] { ASSERT_TRUE(crowd.play(id, {.clip = ClipId(1)}, 0)); },  // another clip, another box
      [&] {
        own->camera = {{2.0, 1.3, 7.0}, {0.1, 1.0, 0.0}, 42.0};
      },
      [&] { ASSERT_TRUE(crowd.place(id, turned_place(0.4f))); }};
  for (const auto& change : changes) {
    change();
    const Snapshot now = show(0);
    ASSERT_EQ(renderer->far_counts().specks, 1u);
    Surfaces shown;
    shown.add(std::array<std::uint32_t, 6>{0, 1, 2, 2, 1, 3}, corners(before), corners(now));
    expect_motion(shown, 0.02, colour);
    before = now;
  }
  show(0);
  expect_no_motion();
}

}  // namespace
}  // namespace throng
