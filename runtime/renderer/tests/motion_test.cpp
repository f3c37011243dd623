// SPDX-License-Identifier: Apache-2.0
// How far surfaces moved in the picture, against the same worked out in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <glm/gtc/matrix_access.hpp>

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

// Corners of triangles in clip space.
using Corners = std::vector<glm::dvec4>;

Corners corners_in_clip_space(const Character& model, const Snapshot& shot) {
  Corners corners;
  const glm::dmat4 clip_from_model = shot.clip_from_world * world_from_model(shot.instance);
  for (const glm::dvec3& position : deform(model, shot.play, shot.now).positions)
    corners.push_back(clip_from_model * glm::dvec4(position, 1.0));
  return corners;
}

glm::dvec2 in_picture(const glm::dvec4& clip) { return 0.5 * glm::dvec2(clip) / clip.w + 0.5; }

// What a picture shows: triangles as they are in it, and as they were in the last one.
struct Surfaces {
  std::vector<std::uint32_t> indices;
  Corners from = {};
  Corners to = {};

  // … and those of something else, in the same pictures.
  void add(std::span<const std::uint32_t> more, const Corners& more_from, const Corners& more_to) {
    for (const std::uint32_t index : more) indices.push_back(index + static_cast<std::uint32_t>(from.size()));
    from.insert(from.end(), more_from.begin(), more_from.end());
    to.insert(to.end(), more_to.begin(), more_to.end());
  }
};

// How far what a pixel shows has moved; none where it shows nothing, an edge, or one of two that are nearly as far.
std::optional<glm::dvec2> expected_motion(const Surfaces& shown, const glm::dvec2& pixel) {
  const glm::dvec2 place = pixel * 2.0 - 1.0;
  // The weights whose sum of corners lies behind the pixel: x − place.x · w = 0, y − place.y · w = 0, sum 1.
  const auto equation = [&](const glm::dvec4& to) {
    return glm::dvec3(to.x - place.x * to.w, to.y - place.y * to.w, 1.0);
  };
  std::optional<glm::dvec2> nearest;
  double depth = 1e30, next_depth = 1e30;
  for (std::size_t i = 0; i < shown.indices.size(); i += 3) {
    const std::uint32_t a = shown.indices[i], b = shown.indices[i + 1], c = shown.indices[i + 2];
    const glm::dmat3 equations(equation(shown.to[a]), equation(shown.to[b]), equation(shown.to[c]));
    if (std::abs(glm::determinant(equations)) < 1e-9) continue;
    const glm::dvec3 weights = glm::inverse(equations) * glm::dvec3(0.0, 0.0, 1.0);
    const double least = std::min({weights.x, weights.y, weights.z});
    if (least < -0.01) continue;
    const double here = weights.x * shown.to[a].w + weights.y * shown.to[b].w + weights.z * shown.to[c].w;
    next_depth = std::min(next_depth, std::max(here, depth));
    if (here >= depth) continue;
    depth = here;
    nearest.reset();
    if (least >= 0.01)
      nearest = pixel - in_picture(weights.x * shown.from[a] + weights.y * shown.from[b] + weights.z * shown.from[c]);
  }
  // The depth buffer of these tests has 16 bits.
  return next_depth > 1.03 * depth ? nearest : std::nullopt;
}


class Motion : public test::OnDevice {
 protected:
  void begin(Skinning skinning, Encoding encoding = Encoding::q16) {
    begin(skinning, test::built(test::card_draft({.double_sided = true}, encoding)));
  }

  void begin(Skinning skinning, const Character& character) {
    model = character;
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
    colour = own->draw(*renderer, now);
    return {crowd.instances(ModelId(0))[index], crowd.plays(ModelId(0))[index], now,
            glm::dmat4(own->clip_from_world())};
  }

  // Of the character alone.
  Surfaces surfaces_of(const Snapshot& before, const Snapshot& now) const {
    Surfaces shown{.indices = {}};
    shown.add(model.indices(), corners_in_clip_space(model, before), corners_in_clip_space(model, now));
    return shown;
  }

  void expect_motion(const Snapshot& before, const Snapshot& now, double least_motion = 0.005) {
    expect_motion(surfaces_of(before, now), least_motion);
  }

  // At every pixel inside some triangle, of those that `drawn` has where it is given.
  void expect_motion(const Surfaces& shown, double least_motion, std::span<const float> drawn = {}) {
    std::size_t seen = 0;
    double longest = 0.0;
    for (std::size_t i = 0; i < own->motion().size(); ++i) {
      const glm::dvec2 pixel = (glm::dvec2(i % kSize, i / kSize) + 0.5) / static_cast<double>(kSize);
      const auto expected = expected_motion(shown, pixel);
      if (!expected || (!drawn.empty() && drawn[i] == 0.0f)) continue;
      ++seen;
      longest = std::max(longest, glm::length(*expected));
      ASSERT_LT(glm::distance(*expected, glm::dvec2(own->motion()[i])), 2e-5)
          << "pixel " << i % kSize << " " << i / kSize << ": " << own->motion()[i].x << " " << own->motion()[i].y
          << " but " << expected->x << " " << expected->y << " is right";
    }
    EXPECT_GT(seen, 60u) << "for anything to be seen";
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
  std::vector<float> colour;  // red, of the last picture; 0 where there is nothing
};

constexpr std::array kWays{Skinning::compute, Skinning::vertex};

std::string shown(Encoding encoding) {
  std::string name(name_of(encoding));
  std::ranges::replace(name, '-', '_');
  return name;
}

// The same in every encoding, whichever way vertices are skinned.
class MotionEncodings : public Motion, public ::testing::WithParamInterface<Encoding> {
 protected:
  // A few random triangles on random bones: every frame another pose, so that all of it counts.
  static Character random_character(std::uint32_t sockets = 0) {
    const bool vertices = is_vertex_encoding(GetParam());
    test::ModelShape shape{.bones = 5, .layout = {64, is_half(GetParam()) ? 2u : 4u}, .vertices = 18};
    shape.encodings = {GetParam()};
    shape.clip_frames = {7, 6};
    shape.clip_loops = {true};
    shape.morphs = vertices ? 0 : 3;
    shape.sockets = sockets;
    CharacterDraft draft = test::random_draft(shape);
    draft.materials[0].double_sided = true;
    return test::built(std::move(draft));
  }

  static constexpr float kSmall = 0.6f;  // of models that are up to ten metres wide

  static Placement placed(float angle) { return {{0.1f, 0.8f, -0.5f}, glm::angleAxis(angle, glm::vec3(0, 1, 0)), kSmall}; }
};

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

TEST_P(MotionEncodings, OfACharacterThatPlaysAndFades) {
  for (const Skinning way : kWays) {
    SCOPED_TRACE(way == Skinning::compute ? "in the pool" : "in the vertex shader");
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character()));
    const InstanceId id = crowd.add({.placement = placed(0.0f), .play = {.clip = ClipId(1)}}, 0).value();
    Snapshot before = show(kSecond / 8);
    Snapshot now = show(kSecond / 5);
    expect_motion(before, now);
    ASSERT_TRUE(crowd.play(id, {.clip = ClipId(0), .fade = 1.0}, kSecond / 5));
    before = now;
    for (const Ticks time : {kSecond / 4, kSecond / 2, kSecond * 4 / 3}) {
      // It walks while it fades, and the eye goes with it.
      ASSERT_TRUE(crowd.place(id, placed(static_cast<float>(time) / static_cast<float>(kSecond))));
      own->camera.eye.x = 0.1 * static_cast<double>(time) / static_cast<double>(kSecond);
      now = show(time);
      expect_motion(before, now);
      before = now;
    }
    show(kSecond * 4 / 3);
    expect_no_motion();
  }
}

// By the next picture it may play something else: what counts is the pose that was shown.
TEST_P(MotionEncodings, CountsFromThePoseThatWasShownWhenAClipIsCut) {
  for (const Skinning way : kWays) {
    SCOPED_TRACE(way == Skinning::compute ? "in the pool" : "in the vertex shader");
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character()));
    const InstanceId id =
        crowd.add({.placement = placed(0.3f), .play = {.clip = ClipId(1), .speed = 0.0, .offset = 0.25}}, 0).value();
    const Snapshot before = show(kSecond / 4);
    ASSERT_TRUE(crowd.play(id, {.clip = ClipId(0), .speed = 0.0, .offset = 0.6}, kSecond / 4));
    const Snapshot after = show(kSecond / 4 + 1000);
    expect_motion(before, after, 0.05);
    show(kSecond / 2);
    expect_no_motion();
    ASSERT_TRUE(crowd.play(id, {.clip = ClipId(1), .offset = 0.9}, kSecond / 2));
    const Snapshot cut = show(kSecond / 2);
    expect_motion(after, cut, 0.05);
  }
}

// Somebody in front of it in the crowd comes and goes: its place in the list of those that are drawn is another one
// every time.
TEST_P(MotionEncodings, FollowsACharacterWhoseTurnInTheListChanges) {
  for (const Skinning way : kWays) {
    SCOPED_TRACE(way == Skinning::compute ? "in the pool" : "in the vertex shader");
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character()));
    const InstanceId first = crowd.add({.placement = {.position = {0.0f, 0.0f, 900.0f}}}, 0).value();
    ASSERT_TRUE(crowd.add({.placement = placed(0.0f), .play = {.clip = ClipId(1)}}, 0));
    Snapshot before = show(0, 1);
    for (int i = 1; i < 4; ++i) {
      // Behind the eye, or so far off that nothing is seen of it.
      ASSERT_TRUE(crowd.place(first, {.position = {0.0f, 0.0f, i % 2 == 1 ? -900.0f : 900.0f}, .scale = 1e-4f}));
      const Snapshot now = show(i * kSecond / 9, 1);
      expect_motion(before, now);
      before = now;
    }
  }
}

// Things that hang on a socket go with the pose that the character is drawn in.
TEST_P(MotionEncodings, OfPropsIsThatOfTheirSockets) {
  for (const Skinning way : kWays) {
    SCOPED_TRACE(way == Skinning::compute ? "in the pool" : "in the vertex shader");
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character(2)));
    PropMesh shield;
    shield.positions = {{-2.0f, -3.0f, 0.5f}, {2.0f, -3.0f, 0.5f}, {2.0f, 3.0f, 0.5f}, {-2.0f, 3.0f, 0.5f}};
    shield.normals.assign(4, {0.0f, 0.0f, 1.0f});
    shield.colours.assign(4, {0.8f, 0.1f, 0.1f});
    shield.indices = {0, 1, 2, 0, 2, 3};
    const SocketId socket(1);
    ASSERT_TRUE(renderer->add_prop(shield, ModelId(0), socket));
    const auto corners = [&](const Snapshot& shot) {
      const glm::dmat4 place = socket_place(model, shot.play, socket, shot.now).value().matrix;
      Corners out;
      for (const glm::vec3& position : shield.positions)
        out.push_back(shot.clip_from_world * world_from_model(shot.instance) * place * glm::dvec4(position, 1.0));
      return out;
    };
    const InstanceId id = crowd.add({.placement = placed(0.0f), .play = {.clip = ClipId(1)}}, 0).value();
    Snapshot before = show(0);
    expect_no_motion();
    for (const Ticks time : {kSecond / 9, kSecond / 7, kSecond / 5, kSecond / 5}) {
      if (time == kSecond / 7) {
        ASSERT_TRUE(crowd.play(id, {.clip = ClipId(0), .fade = 0.5}, time));
      }
      if (time == kSecond / 5) own->camera.eye.x += 0.2;
      ASSERT_TRUE(crowd.place(id, placed(static_cast<float>(time) / static_cast<float>(kSecond))));
      const Snapshot now = show(time);
      Surfaces shown = surfaces_of(before, now);
      shown.add(shield.indices, corners(before), corners(now));
      expect_motion(shown, 0.0005);
      before = now;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Encodings, MotionEncodings, ::testing::ValuesIn(kEncodings),
                         [](const auto& tested) { return shown(tested.param); });

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
      [&] { ASSERT_TRUE(crowd.place(id, {.position = {0.5f, 0.25f, 0.0f}})); },
      [&] { ASSERT_TRUE(crowd.play(id, {.clip = ClipId(1)}, 0)); },  // another clip, another box
      [&] { own->camera = {{2.0, 1.3, 7.0}, {0.1, 1.0, 0.0}, 42.0}; },
      [&] { ASSERT_TRUE(crowd.place(id, turned_place(0.4f))); }};
  for (const auto& change : changes) {
    change();
    const Snapshot now = show(0);
    ASSERT_EQ(renderer->far_counts().specks, 1u);
    Surfaces shown{.indices = {}};
    shown.add(std::array<std::uint32_t, 6>{0, 1, 2, 2, 1, 3}, corners(before), corners(now));
    expect_motion(shown, 0.02, colour);
    before = now;
  }
  show(0);
  expect_no_motion();
}

}  // namespace
}  // namespace throng
