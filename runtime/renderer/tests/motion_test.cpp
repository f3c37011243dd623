// SPDX-License-Identifier: Apache-2.0
// How far surfaces moved in the picture, against the same worked out in double.
#include <gtest/gtest.h>

#include "motion_check.h"
#include "own_renderer.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

using test::kSize;
using test::OwnRenderer;

constexpr Ticks kSecond = kTicksPerSecond;

// A character as one picture shows it.
struct Snapshot {
  InstanceRecord instance{};
  PlayRecord play{};
  Ticks now = 0;
  glm::dmat4 clip_from_world{1.0};
};

std::vector<glm::dvec4> corners_in_clip_space(const Character& model, const Snapshot& shot) {
  std::vector<glm::dvec4> corners;
  const glm::dmat4 clip_from_model = shot.clip_from_world * world_from_model(shot.instance);
  for (const glm::dvec3& position : deform(model, shot.play, shot.now).positions)
    corners.push_back(clip_from_model * glm::dvec4(position, 1.0));
  return corners;
}

glm::dvec2 in_picture(const glm::dvec4& clip) { return 0.5 * glm::dvec2(clip) / clip.w + 0.5; }

// How far what a pixel of a card shows has moved; none where it does not show the card's inside.
std::optional<glm::dvec2> expected_motion(std::span<const std::uint32_t> indices, std::span<const glm::dvec4> from,
                                          std::span<const glm::dvec4> to, const glm::dvec2& pixel) {
  const glm::dvec2 place = pixel * 2.0 - 1.0;
  // The weights whose sum of corners lies behind the pixel: x − place.x · w = 0, y − place.y · w = 0, sum 1.
  const auto equation = [&](std::uint32_t corner) {
    return glm::dvec3(to[corner].x - place.x * to[corner].w, to[corner].y - place.y * to[corner].w, 1.0);
  };
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    const std::uint32_t a = indices[i], b = indices[i + 1], c = indices[i + 2];
    const glm::dmat3 equations(equation(a), equation(b), equation(c));
    if (std::abs(glm::determinant(equations)) < 1e-9) continue;
    const glm::dvec3 weights = glm::inverse(equations) * glm::dvec3(0.0, 0.0, 1.0);
    if (std::min({weights.x, weights.y, weights.z}) < 0.01) continue;
    return pixel - in_picture(weights.x * from[a] + weights.y * from[b] + weights.z * from[c]);
  }
  return std::nullopt;
}

class Motion : public test::OnDevice {
 protected:
  void begin(Skinning skinning, Encoding encoding = Encoding::q16) {
    CharacterDraft draft = test::card_draft({.double_sided = true}, encoding);
    if (draft.mode == BakeMode::bones) draft.sockets.emplace_back().name = "hand";
    model = test::built(std::move(draft));
    crowd = Crowd(model);
    auto made = CharacterRenderer::create(context(), {.targets = OwnRenderer::targets(true), .skinning = skinning});
    ASSERT_TRUE(made) << made.error().message;
    renderer.emplace(std::move(*made));
    ASSERT_TRUE(renderer->add(model));
    own.emplace(context(), true);
  }

  Snapshot show(Ticks now, std::size_t index = 0) {
    const auto done = renderer->update(crowd);
    EXPECT_TRUE(done) << done.error().message;
    own->draw(*renderer, now);
    return {crowd.instances(ModelId(0))[index], crowd.plays(ModelId(0))[index], now,
            glm::dmat4(own->clip_from_world())};
  }

  // At every pixel inside the card.
  void expect_motion(const Snapshot& before, const Snapshot& now, double least_motion = 0.005) {
    const auto from = corners_in_clip_space(model, before);
    const auto to = corners_in_clip_space(model, now);
    std::size_t seen = 0;
    double longest = 0.0;
    for (std::size_t i = 0; i < own->motion().size(); ++i) {
      const glm::dvec2 pixel = (glm::dvec2(i % kSize, i / kSize) + 0.5) / static_cast<double>(kSize);
      const auto expected = expected_motion(model.indices(), from, to, pixel);
      if (!expected) continue;
      ++seen;
      longest = std::max(longest, glm::length(*expected));
      ASSERT_LT(glm::distance(*expected, glm::dvec2(own->motion()[i])), 2e-5)
          << "pixel " << i % kSize << " " << i / kSize << ": " << own->motion()[i].x << " " << own->motion()[i].y
          << " but " << expected->x << " " << expected->y << " is right";
    }
    EXPECT_GT(seen, 100u) << "for the card to be seen";
    EXPECT_GE(longest, least_motion) << "for the comparison to mean something";
  }

  void expect_one_motion(double across, double up, double distance) {
    test::expect_one_motion(own->motion(), across, up, distance);
  }
  void expect_no_motion() { test::expect_no_motion(own->motion()); }

  Character model = test::card_model({});
  Crowd crowd;
  std::optional<CharacterRenderer> renderer;
  std::optional<OwnRenderer> own;
};

constexpr std::array kWays{Skinning::compute, Skinning::vertex};
struct Way {
  Skinning skinning;
  Encoding encoding;
};
constexpr std::array kMixedWays{Way{Skinning::compute, Encoding::q16}, Way{Skinning::vertex, Encoding::q16},
                                Way{Skinning::compute, Encoding::v8}, Way{Skinning::vertex, Encoding::rows}};

Placement turned_place(float angle) {
  return {{0.3f, -0.2f, -1.0f}, glm::angleAxis(angle, glm::normalize(glm::vec3(0.2f, 1.0f, 0.3f))), 0.8f};
}

TEST_F(Motion, OfACharacterThatIsPutElsewhereAndTurned) {
  for (const Skinning way : kWays) {
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

TEST_F(Motion, OfACharacterThatPlaysAndFades) {
  for (const auto& [skinning, encoding] : kMixedWays) {
    ASSERT_NO_FATAL_FAILURE(begin(skinning, encoding));
    const InstanceId id = crowd.add({.play = {.clip = ClipId(1)}}, 0).value();
    Snapshot before = show(kSecond / 8);
    Snapshot now = show(kSecond / 3);
    expect_motion(before, now);
    ASSERT_TRUE(crowd.play(id, {.clip = ClipId(0), .fade = 1.0}, kSecond / 3));
    before = now;
    for (const Ticks time : {kSecond * 2 / 3, kSecond, kSecond * 3 / 2}) {
      now = show(time);
      expect_motion(before, now);
      before = now;
    }
  }
}

TEST_F(Motion, CountsFromThePoseThatWasShownWhenAClipIsCut) {
  for (const auto& [skinning, encoding] : kMixedWays) {
    ASSERT_NO_FATAL_FAILURE(begin(skinning, encoding));
    const InstanceId id = crowd.add({.play = {.clip = ClipId(1), .offset = 0.25}}, 0).value();
    const Snapshot before = show(kSecond / 4);
    ASSERT_TRUE(crowd.play(id, {.clip = ClipId(0)}, kSecond / 4));
    const Snapshot after = show(kSecond / 4 + 1000);
    expect_motion(before, after, 0.05);
    show(kSecond / 2);
    expect_no_motion();
    ASSERT_TRUE(crowd.play(id, {.clip = ClipId(1), .offset = 0.9}, kSecond / 2));
    const Snapshot cut = show(kSecond / 2);
    expect_motion(after, cut, 0.05);
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
  for (const Skinning way : kWays) {
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

// Their poses of last time are not kept: placement and camera are what counts.
TEST_F(Motion, OfLocal8ClipsIsThatOfTheirPlacement) {
  for (const Skinning way : kWays) {
    ASSERT_NO_FATAL_FAILURE(begin(way, Encoding::local8));
    const InstanceId id = crowd.add({.play = {.clip = ClipId(1)}}, 0).value();
    Snapshot before = show(0);
    ASSERT_TRUE(crowd.place(id, turned_place(0.4f)));
    own->camera.eye.x = 0.4;
    const Snapshot now = show(kSecond / 2);
    before.now = now.now;
    expect_motion(before, now, 0.02);
  }
}

TEST_F(Motion, OfSpecksIsThatOfTheirPlacement) {
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic));
  own->speck_pixels = 1000.0f;
  const InstanceId id = crowd.add({}, 0).value();
  show(0);
  expect_no_motion();
  ASSERT_TRUE(crowd.place(id, {.position = {0.5f, 0.25f, 0.0f}}));
  show(0);
  ASSERT_EQ(renderer->far_counts().specks, 1u);
  expect_one_motion(0.5, 0.25, 8.0);
}

// One that hides the whole card, which plays: what that does is not counted.
TEST_F(Motion, OfPropsIsThatOfTheirCharactersPlacement) {
  ASSERT_NO_FATAL_FAILURE(begin(Skinning::automatic));
  PropMesh shield;
  shield.positions = {{-2.0f, -3.0f, 0.5f}, {2.0f, -3.0f, 0.5f}, {2.0f, 3.0f, 0.5f}, {-2.0f, 3.0f, 0.5f}};
  shield.normals.assign(4, {0.0f, 0.0f, 1.0f});
  shield.colours.assign(4, {0.8f, 0.1f, 0.1f});
  shield.indices = {0, 1, 2, 0, 2, 3};
  ASSERT_TRUE(renderer->add_prop(shield, ModelId(0), SocketId(0)));
  own->speck_pixels = 1.0f;  // nobody is one, but they are drawn too
  const InstanceId id = crowd.add({.play = {.clip = ClipId(1)}}, 0).value();
  show(0);
  ASSERT_TRUE(crowd.place(id, {.position = {0.5f, 0.25f, 0.0f}}));
  show(kSecond / 2);
  expect_one_motion(0.5, 0.25, 7.5);
}

}  // namespace
}  // namespace throng
