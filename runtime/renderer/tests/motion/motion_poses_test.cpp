// SPDX-License-Identifier: Apache-2.0
// Motion vectors count the pose that was shown last, whatever poses are written in and whichever way vertices are
// skinned: of characters and of the things that hang on their sockets.
#include <algorithm>

#include "instrumented.h"
#include "moving_characters.h"
#include "throng/playback/deform.h"

namespace throng {
namespace {

using test::Corners;
using test::kSecond;
using test::Snapshot;
using test::Surfaces;

// Encodings that clips of one character may have, each a clip; and where their vertices are skinned.
struct PosedBy {
  const char* name;
  std::vector<Encoding> encodings;
  std::vector<Skinning> ways = {Skinning::vertex};
};
void PrintTo(const PosedBy& how, std::ostream* stream) { *stream << how.name; }

// Few and mixed, because making shaders for each is what takes long. The last pose of pooled vertices is found by the
// vertex shader too, by the same function.
const std::array kPosedBy{
    PosedBy{"quaternions", {Encoding::q16, Encoding::x16, Encoding::q12, Encoding::q8, Encoding::half_quaternion}},
    PosedBy{"matrices", {Encoding::rows, Encoding::half_rows}},
    PosedBy{"palette", {Encoding::local8, Encoding::q16}, {Skinning::compute, Skinning::vertex}},
    PosedBy{"palette_of_channels", {Encoding::localv, Encoding::q16}, {Skinning::compute, Skinning::vertex}},
    PosedBy{"palette_of_matrices", {Encoding::local8, Encoding::rows}, {Skinning::compute}},
    PosedBy{"vertices", {Encoding::v8, Encoding::half_vertex, Encoding::rgbm}, {Skinning::compute}}};

TEST(MotionEncodings, AreAllTried) {
  for (const Encoding encoding : kEncodings) {
    EXPECT_TRUE(std::ranges::any_of(kPosedBy, [&](const PosedBy& how) {
      return std::ranges::find(how.encodings, encoding) != how.encodings.end();
    })) << name_of(encoding);
  }
}

class MotionPoses : public test::MotionOnDevice, public ::testing::WithParamInterface<PosedBy> {
 protected:
  // A few random triangles on random bones: every frame another pose, so that all of it counts.
  static Character random_character(std::uint32_t sockets = 0) {
    const std::vector<Encoding>& encodings = GetParam().encodings;
    test::ModelShape shape{.bones = 5, .layout = {64, 2}, .vertices = 18};
    shape.encodings = encodings;
    shape.clip_frames.clear();
    for (std::uint32_t i = 0; i < encodings.size(); ++i) shape.clip_frames.push_back(7 - i % 2);
    shape.clip_loops = {true};
    shape.morphs = is_vertex_encoding(encodings[0]) ? 0 : 3;
    shape.sockets = sockets;
    CharacterDraft draft = test::random_draft(shape);
    draft.materials[0].double_sided = true;
    return test::built(std::move(draft));
  }

  static constexpr float kSmall = 0.8f;  // of models that are up to ten metres wide

  static Placement placed(Ticks time) {
    const float angle = static_cast<float>(time) / static_cast<float>(kSecond);
    return {{0.1f, 0.8f, -0.5f}, glm::angleAxis(angle, glm::vec3(0, 1, 0)), kSmall};
  }

  std::uint32_t clip_count() const { return static_cast<std::uint32_t>(model.clips().size()); }
  ClipId clip_after(std::uint32_t clip) const { return ClipId((clip + 1) % clip_count()); }
};

const char* skinned_where(Skinning way) { return way == Skinning::compute ? "in the pool" : "in the vertex shader"; }

TEST_P(MotionPoses, OfACharacterThatPlaysAndFades) {
  for (const Skinning way : GetParam().ways) {
    SCOPED_TRACE(skinned_where(way));
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character()));
    const InstanceId id = crowd.add({.placement = placed(0)}, 0).value();
    for (std::uint32_t clip = 0; clip < clip_count(); ++clip) {
      SCOPED_TRACE(name_of(model.clips()[clip].encoding));
      const Ticks start = kSecond * 2 * clip;
      ASSERT_TRUE(crowd.play(id, {.clip = ClipId(clip)}, start));
      Snapshot before = show(start + kSecond / 8);
      Snapshot now = show(start + kSecond / 5);
      expect_motion(before, now);
      ASSERT_TRUE(crowd.play(id, {.clip = clip_after(clip), .fade = 1.0}, start + kSecond / 5));
      before = now;
      for (const Ticks time : {start + kSecond / 4, start + kSecond / 2, start + kSecond * 4 / 3}) {
        // It turns while it fades, and the eye goes aside.
        ASSERT_TRUE(crowd.place(id, placed(time)));
        own->camera.eye.x = 0.1 * static_cast<double>(time - start) / static_cast<double>(kSecond);
        now = show(time);
        expect_motion(before, now);
        before = now;
      }
      show(start + kSecond * 4 / 3);
      expect_no_motion();
    }
  }
}

// By the next picture it may play something else: what counts is the pose that was shown.
TEST_P(MotionPoses, CountsFromThePoseThatWasShownWhenAClipIsCut) {
  for (const Skinning way : GetParam().ways) {
    SCOPED_TRACE(skinned_where(way));
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character()));
    const InstanceId id = crowd.add({.placement = placed(kSecond / 3)}, 0).value();
    for (std::uint32_t clip = 0; clip < clip_count(); ++clip) {
      SCOPED_TRACE(name_of(model.clips()[clip].encoding));
      const Ticks start = kSecond * clip;
      ASSERT_TRUE(crowd.play(id, {.clip = ClipId(clip), .speed = 0.0, .offset = 0.25}, start));
      const Snapshot before = show(start);
      ASSERT_TRUE(crowd.play(id, {.clip = clip_after(clip), .speed = 0.0, .offset = 0.6}, start));
      const Snapshot after = show(start + 1000);
      expect_motion(before, after, 0.05);
      show(start + kSecond / 2);
      expect_no_motion();
    }
  }
}

// Somebody in front of it in the crowd comes and goes: its place in the list of those that are drawn is another one
// every time.
TEST_P(MotionPoses, FollowACharacterWhoseTurnInTheListChanges) {
  for (const Skinning way : GetParam().ways) {
    SCOPED_TRACE(skinned_where(way));
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character()));
    const InstanceId first = crowd.add({.placement = {.position = {0.0f, 0.0f, 900.0f}}}, 0).value();
    ASSERT_TRUE(crowd.add({.placement = placed(0), .play = {.clip = ClipId(1)}}, 0));
    Snapshot before = show(0, 1);
    for (Ticks i = 1; i < 4; ++i) {
      // Behind the eye, or so far off that nothing is seen of it.
      const bool listed = i % 2 == 1;
      ASSERT_TRUE(crowd.place(first, {.position = {0.0f, 0.0f, listed ? -900.0f : 900.0f}, .scale = 1e-4f}));
      const Snapshot now = show(i * kSecond / 9, 1);
      ASSERT_EQ(renderer->far_counts().drawn, listed ? 2u : 1u);
      expect_motion(before, now);
      before = now;
    }
  }
}

// Things that hang on a socket go with the pose that the character is drawn in.
class MotionOfProps : public MotionPoses {
 protected:
  void add_shield() {
    shield.positions = {{-2.0f, -3.0f, 0.5f}, {2.0f, -3.0f, 0.5f}, {2.0f, 3.0f, 0.5f}, {-2.0f, 3.0f, 0.5f}};
    shield.normals.assign(4, {0.0f, 0.0f, 1.0f});
    shield.colours.assign(4, {0.8f, 0.1f, 0.1f});
    shield.indices = {0, 1, 2, 0, 2, 3};
    const auto added = renderer->add_prop(shield, ModelId(0), kSocket);
    ASSERT_TRUE(added) << added.error().message;
  }

  Corners shield_corners(const Snapshot& shot) const {
    const glm::dmat4 place = socket_place(model, shot.play, kSocket, shot.now).value().matrix;
    Corners out;
    for (const glm::vec3& position : shield.positions)
      out.push_back(shot.clip_from_world * world_from_model(shot.instance) * place * glm::dvec4(position, 1.0));
    return out;
  }

  void expect_shield_motion(const Snapshot& before, const Snapshot& now) {
    Surfaces shown = surfaces_of(before, now);
    shown.add(shield.indices, shield_corners(before), shield_corners(now));
    expect_motion(shown, 0.0005);
  }

  static constexpr SocketId kSocket{1};
  PropMesh shield;
};

TEST_P(MotionOfProps, IsThatOfTheirSockets) {
  for (const Skinning way : GetParam().ways) {
    SCOPED_TRACE(skinned_where(way));
    ASSERT_NO_FATAL_FAILURE(begin(way, random_character(2)));
    ASSERT_NO_FATAL_FAILURE(add_shield());
    const InstanceId id = crowd.add({.placement = placed(0)}, 0).value();
    Snapshot before = show(0);
    expect_no_motion();
    for (std::uint32_t clip = 0; clip < clip_count(); ++clip) {
      SCOPED_TRACE(name_of(model.clips()[clip].encoding));
      const Ticks start = kSecond * clip;
      ASSERT_TRUE(crowd.play(id, {.clip = ClipId(clip)}, start));
      for (const Ticks time : {start + kSecond / 9, start + kSecond / 7, start + kSecond / 5, start + kSecond / 5}) {
        if (time == start + kSecond / 7) {
          ASSERT_TRUE(crowd.play(id, {.clip = clip_after(clip), .fade = 0.5}, time));
        }
        if (time == start + kSecond / 5) own->camera.eye.x = 0.2 - own->camera.eye.x;
        ASSERT_TRUE(crowd.place(id, placed(time)));
        const Snapshot now = show(time);
        expect_shield_motion(before, now);
        before = now;
      }
    }
  }
}

const auto kPosedName = [](const ::testing::TestParamInfo<PosedBy>& tested) { return std::string(tested.param.name); };
INSTANTIATE_TEST_SUITE_P(Posed, MotionPoses, ::testing::ValuesIn(test::a_part_if_instrumented(kPosedBy)), kPosedName);
INSTANTIATE_TEST_SUITE_P(Posed, MotionOfProps, ::testing::ValuesIn(test::a_part_if_instrumented(kPosedBy)), kPosedName);

}  // namespace
}  // namespace throng
