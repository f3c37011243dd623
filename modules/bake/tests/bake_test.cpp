// What a bake promises, on models whose answers are known.
#include <algorithm>

#include "small_models.h"

namespace throng {
namespace {

TEST(Bake, DecodedPosesAreTheSourcesAtTheFrames) {
  const Model model = built(swaying_bar());
  const BakedModel out = baked(model);
  ASSERT_EQ(out.clips.size(), 1u);
  EXPECT_EQ(out.clips[0].frame_count, 30u);
  EXPECT_TRUE(out.clips[0].loops);
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
  const BakedModel out = baked(model);
  ASSERT_TRUE(out.clips[0].loops);
  EXPECT_NEAR(out.clips[0].length, 1.02, 1e-6);
  EXPECT_EQ(out.clips[0].frame_count, 31u);
  double worst = 0.0;
  for (double t = 0.9; t < 1.02; t += 0.003) worst = std::max(worst, error_at(model, out, 0, t));
  EXPECT_LT(worst, 5e-3);
}

TEST(Bake, FasterKeysAreSkippedEvenlySoThatEveryFrameIsAKey) {
  ModelDraft draft = bar_draft();
  const auto sway = [](double t) { return 0.8 * std::sin(2.0 * kPi * t); };
  draft.clips.push_back(clip_of("sway", {turning(1, {0, 0, 1}, 49, 48.0, 0.0, sway)}));
  const BakedModel out = baked(built(draft));
  ASSERT_TRUE(out.clips[0].loops);
  EXPECT_EQ(out.clips[0].frame_count, 24u);
}

// Spec F2.
TEST(Bake, AClipThatStopsEndsInItsLastPose) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("fall", {turning(0, {1, 0, 0}, 26, 25.0, 0.5, [](double t) { return 1.5 * t; })}));
  const Model model = built(draft);
  const BakedModel out = baked(model);
  EXPECT_FALSE(out.clips[0].loops);
  EXPECT_EQ(out.clips[0].frame_count, 26u);
  EXPECT_EQ(out.clips[0].source_start, 0.5);
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
  const BakedModel out = baked(model);
  ASSERT_TRUE(out.clips[0].loops);
  EXPECT_EQ(out.clips[0].frame_count, 30u);
  double worst = 0.0;
  for (int i = 0; i < 480; ++i) worst = std::max(worst, error_at(model, out, 0, i / 480.0));
  // 12° a frame: a chord's sagitta of 2 units is 11 mm; through the wrong hemisphere it would be metres.
  EXPECT_LT(worst, 0.012);
}

TEST(Bake, NeighbouringFramesShareAHemisphere) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(
      clip_of("spin", {turning(0, {0, 0, 1}, 61, 60.0, 0.0, [](double t) { return 6.0 * t; })}, false));
  const BakedModel out = baked(built(draft));
  const BakedClip& clip = out.clips[0];
  const auto rotation_at = [&](std::uint32_t frame) {
    return decode_bone(clip.encoding, out.atlas.frame(frame_layout(out, clip), 0, frame).first(4), clip.range).rotation;
  };
  for (std::uint32_t frame = 1; frame < clip.frame_count; ++frame) {
    EXPECT_GT(glm::dot(rotation_at(frame - 1), rotation_at(frame)), 0.0) << frame;
  }
}

TEST(Bake, AModelWithoutClipsIsItsRestPose) {
  const Model model = built(bar_draft());
  const BakedModel out = baked(model);
  ASSERT_EQ(out.clips.size(), 1u);
  EXPECT_EQ(out.clips[0].name, "rest");
  EXPECT_EQ(out.clips[0].frame_count, 1u);
  EXPECT_EQ(out.clips[0].length, 0.0);
  const auto decoded = decode_pose(out, out.clips[0], cursor_at_time(out.clips[0], 0.0).cursor, 0.0);
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
  const BakedModel out = baked(built(draft), {.frame_rate = 8.0});
  const BakedClip& clip = out.clips[0];
  for (int i = 0; i < 1000; ++i) {
    const ExactCursor at = cursor_at_time(clip, i / 1000.0);
    for (const glm::dvec3& p : decode_pose(out, clip, at.cursor, at.blend).positions) {
      ASSERT_TRUE(glm::all(glm::greaterThanEqual(p, clip.bounds.min)) &&
                  glm::all(glm::lessThanEqual(p, clip.bounds.max)));
    }
  }
  EXPECT_LT(clip.bounds.size().y, 4.6);  // a bar of length 2 that turns about its end: 4, and a margin
  EXPECT_EQ(out.bounds.min, clip.bounds.min);
}

TEST(Bake, EventsAreRelativeToTheStartAndInOrder) {
  ModelDraft draft = bar_draft();
  Clip clip = clip_of("walk", {turning(1, {0, 0, 1}, 11, 10.0, 0.5, [](double t) { return std::sin(2.0 * kPi * t); })});
  clip.events = {{1.25, "right"}, {0.75, "left"}};
  draft.clips.push_back(clip);
  const BakedModel out = baked(built(draft));
  ASSERT_EQ(out.clips[0].events.size(), 2u);
  EXPECT_EQ(out.clips[0].events[0].name, "left");
  EXPECT_DOUBLE_EQ(out.clips[0].events[0].time, 0.25);
  EXPECT_DOUBLE_EQ(out.clips[0].events[1].time, 0.75);
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
  const BakedModel out = baked(model);
  ASSERT_EQ(out.sockets.size(), 1u);
  EXPECT_EQ(out.bones[out.sockets[0].bone].name, "upper");  // which the hand never moves against
  const BakedClip& clip = out.clips[0];
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const auto bones = model_from_bones(model, sample(model, model.clips()[0], frame / 30.0));
    const glm::dmat4 truth = bones[2] * to_matrix(socket.bone_from_socket);
    const Cursor cursor{clip.first_frame + frame, clip.first_frame + frame, 0.0f};
    const glm::dmat4 decoded = decode_socket(out, clip, out.sockets[0], cursor, 0.0);
    for (int c = 0; c < 4; ++c) EXPECT_LT(glm::distance(decoded[c], truth[c]), 3e-4) << frame;
  }
}

TEST(Bake, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Model model = built(swaying_bar());
  SerialExecutor serial;
  const auto expected = encode_asset(*bake(model, {}, serial));
  ASSERT_TRUE(expected.has_value());
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    ThreadExecutor executor(threads);
    EXPECT_EQ(*encode_asset(*bake(model, {}, executor)), *expected) << threads;
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
