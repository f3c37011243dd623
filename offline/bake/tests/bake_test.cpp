// SPDX-License-Identifier: Apache-2.0
// What a bake promises, on models whose answers are known.
#include <algorithm>

#include "small_models.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

TEST(Bake, DecodedPosesAreTheSourcesAtTheFrames) {
  const Model model = built(swaying_bar());
  const Character out = baked(model);
  ASSERT_EQ(out.clips().size(), 1u);
  EXPECT_EQ(out.clips()[0].frame_count, 30u);
  EXPECT_TRUE(out.clips()[0].loops);
  for (int frame = 0; frame < 30; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 2e-4) << frame;
}

// Spec F1: the last interval leads to the first frame at exactly the loop's end.
TEST(Bake, ALoopOfAnyLengthClosesWithoutASnap) {
  ModelDraft draft = bar_draft();
  const double turn = 2.0 * kPi / 1.02;
  const auto sway = [turn](double t) { return 0.8 * std::sin(turn * t); };
  // Keys too dense to be a rate, so that the wanted one stands.
  draft.clips.push_back(clip_of("sway", {turning(1, {0, 0, 1}, 1021, 1000.0, 0.0, sway)}));
  const Model model = built(draft);
  const Character out = baked(model);
  ASSERT_TRUE(out.clips()[0].loops);
  EXPECT_NEAR(out.clips()[0].length, 1.02, 1e-6);
  EXPECT_EQ(out.clips()[0].frame_count, 31u);
  double worst = 0.0;
  for (double t = 0.9; t < 1.02; t += 0.003) worst = std::max(worst, error_at(model, out, 0, t));
  EXPECT_LT(worst, 5e-3);
}

TEST(Bake, FasterKeysAreSkippedEvenlySoThatEveryFrameIsAKey) {
  ModelDraft draft = bar_draft();
  const auto sway = [](double t) { return 0.8 * std::sin(2.0 * kPi * t); };
  draft.clips.push_back(clip_of("sway", {turning(1, {0, 0, 1}, 49, 48.0, 0.0, sway)}));
  const Character out = baked(built(draft));
  ASSERT_TRUE(out.clips()[0].loops);
  EXPECT_EQ(out.clips()[0].frame_count, 24u);
}

// Spec F2.
TEST(Bake, AClipThatStopsEndsInItsLastPose) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 26, 25.0, 0.5, [](double t) { return 1.5 * t; })}));
  const Model model = built(draft);
  const Character out = baked(model);
  EXPECT_FALSE(out.clips()[0].loops);
  EXPECT_EQ(out.clips()[0].frame_count, 26u);
  EXPECT_EQ(out.clips()[0].source_start, 0.5);
  EXPECT_LT(error_at(model, out, 0, 1.0), 2e-4);
  EXPECT_LT(error_at(model, out, 0, 5.0), 2e-4);
}

// Spec F4: past 180°, across the seam, whole turns: the vertices between frames stay beside the source's.
TEST(Bake, TurnsPastHalfATurnAndAcrossTheSeamStayTrue) {
  ModelDraft draft = bar_draft();
  const auto whole_turn = [](double t) { return 2.0 * kPi * t; };
  draft.clips.push_back(
      clip_of("spin", {turning(0, glm::normalize(glm::dvec3(1, 2, 3)), 61, 60.0, 0.0, whole_turn)}, true));
  const Model model = built(draft);
  const Character out = baked(model);
  ASSERT_TRUE(out.clips()[0].loops);
  EXPECT_EQ(out.clips()[0].frame_count, 30u);
  double worst = 0.0;
  for (int i = 0; i < 480; ++i) worst = std::max(worst, error_at(model, out, 0, i / 480.0));
  // 12° a frame: a chord's sagitta of 2 units is 11 mm; through the wrong hemisphere it would be metres.
  EXPECT_LT(worst, 0.012);
}

TEST(Bake, NeighbouringFramesShareAHemisphere) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(
      clip_of("spin", {turning(0, {0, 0, 1}, 61, 60.0, 0.0, [](double t) { return 6.0 * t; })}, false));
  const Character out = baked(built(draft));
  const BakedClip& clip = out.clips()[0];
  const auto rotation_at = [&](std::uint32_t frame) {
    return decode_bone(clip.encoding, out.atlas().frame(frame_layout(out, clip), 0, frame).first(4), clip.range)
        .rotation;
  };
  for (std::uint32_t frame = 1; frame < clip.frame_count; ++frame) {
    EXPECT_GT(glm::dot(rotation_at(frame - 1), rotation_at(frame)), 0.0) << frame;
  }
}

TEST(Bake, KeepsWhatTheImportSays) {
  BakeSettings settings;
  settings.notes = {"a note"};
  settings.warnings = {"a warning"};
  settings.repairs.faults_mended = 3;
  const Character out = baked(built(bar_draft()), settings);
  EXPECT_EQ(std::ranges::count(out.notes(), std::string("a note")), 1);
  EXPECT_EQ(std::ranges::count(out.warnings(), std::string("a warning")), 1);
  EXPECT_EQ(out.repairs().faults_mended, 3u);
}

TEST(Bake, AModelWithoutClipsIsItsRestPose) {
  const Model model = built(bar_draft());
  const Character out = baked(model);
  ASSERT_EQ(out.clips().size(), 1u);
  EXPECT_EQ(out.clips()[0].name, "rest");
  EXPECT_EQ(out.clips()[0].frame_count, 1u);
  EXPECT_EQ(out.clips()[0].length, 0.0);
  const auto decoded = decode_pose(out, out.clips()[0], cursor_at_time(out.clips()[0], 0.0).cursor, 0.0);
  const auto truth = source_vertices(model, out, rest_pose(model));
  for (std::size_t v = 0; v < truth.positions.size(); ++v) {
    EXPECT_LT(glm::distance(decoded.positions[v], truth.positions[v]), 1e-4);
  }
}

TEST(Bake, BoundsHoldEveryPoseAtEveryTime) {
  ModelDraft draft = bar_draft();
  // 90° a frame: the path between frames bulges far past the frames.
  draft.clips.push_back(
      clip_of("spin", {turning(0, {0, 0, 1}, 9, 8.0, 0.0, [](double t) { return 4.0 * kPi * t; })}, true));
  const Character out = baked(built(draft), {.frame_rate = 8.0});
  const BakedClip& clip = out.clips()[0];
  for (int i = 0; i < 1000; ++i) {
    const ExactCursor at = cursor_at_time(clip, i / 1000.0);
    for (const glm::dvec3& p : decode_pose(out, clip, at.cursor, at.blend).positions) {
      ASSERT_TRUE(glm::all(glm::greaterThanEqual(p, clip.bounds.min)) &&
                  glm::all(glm::lessThanEqual(p, clip.bounds.max)));
    }
  }
  EXPECT_LT(clip.bounds.size().y, 4.6);  // a bar of length 2 that turns about its end: 4, and a margin
  EXPECT_EQ(out.bounds().min, clip.bounds.min);
}

// A character that stands ten metres off has bounds there; and no larger than what it reaches.
TEST(Bake, BoundsAreWhereTheModelIsAndNotAroundTheOrigin) {
  ModelDraft draft = swaying_bar();
  draft.bones[0].rest.translation = {10.0, 0.0, -20.0};
  draft.sockets = {{"far", 0, {}}};
  draft.sockets[0].bone_from_socket.translation = {100.0, 0.0, 0.0};
  for (const Encoding encoding : {Encoding::q16, Encoding::q8, Encoding::rows, Encoding::local8}) {
    const Character out = baked(built(draft), {.encoding = encoding});
    for (const Bounds& bounds : {out.clips()[0].bounds, out.bounds()}) {
      EXPECT_GT(bounds.min.x, 8.0);
      EXPECT_LT(bounds.max.x, 12.0);
      EXPECT_LT(bounds.max.z, -18.0);
      EXPECT_LT(bounds.diagonal(), 4.0);
    }
  }
}

// Spec F12: half floats lose precision with the distance, q16 with the room a clip takes; the report says both.
TEST(Bake, TheReportTellsWhatDistanceCosts) {
  const auto error_at_distance = [](double distance, Encoding encoding) {
    ModelDraft draft = swaying_bar();
    draft.bones[0].rest.translation = {distance, 0.0, 0.0};
    return baked(built(draft), {.encoding = encoding}).error().at_frames.max_mm;
  };
  EXPECT_GT(error_at_distance(30.0, Encoding::half_quaternion),
            4.0 * error_at_distance(0.0, Encoding::half_quaternion));
  EXPECT_LT(error_at_distance(30.0, Encoding::q16), 2.0 * error_at_distance(0.0, Encoding::q16) + 0.01);
  EXPECT_GT(error_at_distance(30.0, Encoding::half_quaternion), 100.0 * error_at_distance(30.0, Encoding::q16));
}

TEST(Bake, ComparesItselfWithTheClassicLayout) {
  ModelDraft draft = swaying_bar();
  draft.clips.push_back(clip_of("short", {turning(0, {1, 0, 0}, 2, 100.0, 0.0, [](double t) { return t; })}, false));
  const Character out = baked(built(draft));
  EXPECT_EQ(out.half_float_bytes(), 2u * 16u * (30u + 1u));
}

TEST(Bake, EventsAreRelativeToTheStartAndInOrder) {
  ModelDraft draft = bar_draft();
  Clip clip = clip_of("walk", {turning(1, {0, 0, 1}, 11, 10.0, 0.5, [](double t) { return std::sin(2.0 * kPi * t); })});
  clip.events = {{1.25, "right"}, {0.75, "left"}};
  draft.clips.push_back(clip);
  const Character out = baked(built(draft));
  ASSERT_EQ(out.clips()[0].events.size(), 2u);
  EXPECT_EQ(out.clips()[0].events[0].name, "left");
  EXPECT_DOUBLE_EQ(out.clips()[0].events[0].time, 0.25);
  EXPECT_DOUBLE_EQ(out.clips()[0].events[1].time, 0.75);
}

// A socket moves with its column like a vertex does, and keeps its roll.
TEST(Bake, SocketsFollowTheirBone) {
  ModelDraft draft = swaying_bar();
  draft.bones.push_back({"hand", 1u, {}});
  draft.bones[2].rest.translation = {0.0, 1.0, 0.0};
  Socket socket{"grip", 2, {}};
  socket.bone_from_socket.translation = {0.1, 0.2, 0.3};
  socket.bone_from_socket.rotation = glm::angleAxis(1.0, glm::normalize(glm::dvec3(1, 1, 0)));
  draft.sockets = {socket};
  const Model model = built(draft);
  const Character out = baked(model);
  ASSERT_EQ(out.sockets().size(), 1u);
  EXPECT_EQ(out.bones()[out.sockets()[0].bone].name, "upper");  // which the hand never moves against
  const BakedClip& clip = out.clips()[0];
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const auto bones = model_from_bones(model, sample(model, model.clips()[0], frame / 30.0));
    const glm::dmat4 truth = bones[2] * to_matrix(socket.bone_from_socket);
    const Cursor cursor{clip.first_frame + frame, clip.first_frame + frame, 0.0f};
    const glm::dmat4 decoded = decode_socket(out, clip, out.sockets()[0], cursor, 0.0);
    for (int c = 0; c < 4; ++c) EXPECT_LT(glm::distance(decoded[c], truth[c]), 3e-4) << frame;
  }
}

// Several clips, two of which share frames, in every encoding and with every choice left to the bake.
TEST(Bake, GivesTheSameBytesOnAnyNumberOfThreads) {
  ModelDraft draft = swaying_bar();
  const auto fall = [](double t) { return 1.5 * t * t; };
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 26, 25.0, 0.5, fall)}));
  draft.clips.push_back(clip_of("fall again", {turning(0, {1, 0, 0}, 26, 25.0, 0.0, fall)}));
  draft.clips.push_back(clip_of("held", {turning(1, {1, 0, 0}, 26, 25.0, 0.0, [](double) { return 0.3; })}));
  const Model model = built(draft);
  std::vector<BakeSettings> many;
  for (const Encoding encoding : kEncodings) {
    if (!is_vertex_encoding(encoding)) many.push_back({.encoding = encoding});
  }
  many.push_back({});
  many.push_back({.max_error_mm = 1.0, .packing = Packing::tight});
  for (const BakeSettings& settings : many) {
    SerialExecutor serial;
    const auto expected = bake(model, settings, serial);
    ASSERT_TRUE(expected.has_value()) << expected.error().message;
    for (const unsigned threads : {1u, 2u, 5u}) {
      ThreadExecutor executor(threads);
      const auto out = bake(model, settings, executor);
      ASSERT_TRUE(out.has_value());
      EXPECT_EQ(*encode_character(*out), *encode_character(*expected)) << threads;
    }
  }
}

TEST(Bake, ReportsProgressThatNeverFalls) {
  SerialExecutor executor;
  std::string what;
  double last = 0.0;
  int calls = 0;
  const auto out = bake(built(swaying_bar()), {}, executor, [&](std::string_view now, double done) {
    if (what != now) last = 0.0;
    what = now;
    EXPECT_GE(done, last);
    EXPECT_LE(done, 1.0);
    last = done;
    ++calls;
  });
  ASSERT_TRUE(out.has_value());
  EXPECT_GT(calls, 3);
  EXPECT_EQ(last, 1.0);
}

}  // namespace
}  // namespace throng
