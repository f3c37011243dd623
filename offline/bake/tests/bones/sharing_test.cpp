// SPDX-License-Identifier: Apache-2.0
// What need not be stored twice: columns that move alike, poses that are held, frames that another clip has.
#include <algorithm>

#include "small_models.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"

namespace throng {
namespace {

double sway(double t) { return 0.8 * std::sin(2.0 * kPi * t); }

bool noted(const Character& out, const std::string& words) {
  return std::any_of(out.notes().begin(), out.notes().end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

// A third bone on the upper one that no clip moves carries a third of the mesh.
ModelDraft with_stiff_bone() {
  ModelDraft draft = swaying_bar();
  draft.bones.push_back({"stiff", 1u, {}});
  draft.bones[2].rest.translation = {0.0, 0.5, 0.0};
  draft.bones[2].rest.rotation = glm::angleAxis(0.4, glm::dvec3(0, 1, 0));
  Binding binding{2, glm::inverse(to_matrix(draft.bones[2].rest)) * draft.bindings[1].bone_from_mesh};
  draft.bindings.push_back(binding);
  for (std::size_t v = 64; v < draft.meshes[0].influences.size(); ++v) {
    draft.meshes[0].influences[v].bindings[0] = 2;
    draft.meshes[0].influences[v].weights = {1.0f, 0.0f, 0.0f, 0.0f};
  }
  return draft;
}

TEST(Sharing, BonesThatMoveAlikeShareAColumn) {
  const Model model = built(with_stiff_bone());
  const Character out = baked(model);
  EXPECT_EQ(out.bones().size(), 2u);
  EXPECT_TRUE(noted(out, "1 bone that moves like another shares its column"));
  for (int frame = 0; frame < 30; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 2e-4) << frame;
}

TEST(Sharing, ABoneThatMovesInOneClipOnlyKeepsItsColumn) {
  ModelDraft draft = with_stiff_bone();
  draft.clips.push_back(clip_of("nod", {turning(2, {1, 0, 0}, 31, 30.0, 0.0, sway)}));
  const Model model = built(draft);
  const Character out = baked(model);
  EXPECT_EQ(out.bones().size(), 3u);
  EXPECT_LT(error_at(model, out, 1, 0.25), 2e-3);
}

// It moves only between the frames: at the frames themselves both bones look alike.
TEST(Sharing, ABoneThatMovesBetweenFramesKeepsItsColumn) {
  ModelDraft draft = with_stiff_bone();
  BoneTrack flick = turning(2, {0, 1, 0}, 31, 30.0, 0.0, [](double) { return 0.4; });
  flick.rotation.times[15] = 15.5f / 30.0f;
  flick.rotation.values[15] = glm::quat(glm::angleAxis(0.9, glm::dvec3(0, 1, 0)));
  draft.clips[0].bones.push_back(flick);
  EXPECT_EQ(baked(built(draft)).bones().size(), 3u);
}

TEST(Sharing, SocketsFollowTheColumnThatIsLeft) {
  ModelDraft draft = with_stiff_bone();
  Socket socket{"tip", 2, {}};
  socket.bone_from_socket.translation = {0.0, 0.3, 0.0};
  draft.sockets = {socket};
  const Model model = built(draft);
  const Character out = baked(model);
  ASSERT_EQ(out.sockets().size(), 1u);
  ASSERT_LT(out.sockets()[0].bone, out.bones().size());
  const BakedClip& clip = out.clips()[0];
  const Cursor cursor{clip.first_frame + 8, clip.first_frame + 8, 0.0f};
  const auto bones = model_from_bones(model, sample(model, model.clips()[0], 8 / 30.0));
  const glm::dvec3 truth(bones[2] * glm::dvec4(0.0, 0.3, 0.0, 1.0));
  EXPECT_LT(glm::distance(glm::dvec3(decode_socket(out, clip, out.sockets()[0], cursor, 0.0)[3]), truth), 2e-4);
}

TEST(Sharing, AHeldPoseIsOneFrameAndKeepsItsLengthAndEvents) {
  ModelDraft draft = swaying_bar();
  Clip aim = clip_of("aim", {turning(1, {0, 0, 1}, 61, 30.0, 0.0, [](double) { return 0.7; })}, false);
  aim.events = {{1.5, "fire"}};
  draft.clips.push_back(aim);
  const Model model = built(draft);
  const Character out = baked(model);
  EXPECT_EQ(out.clips()[1].frame_count, 1u);
  EXPECT_DOUBLE_EQ(out.clips()[1].length, 2.0);
  EXPECT_FALSE(out.clips()[1].loops);
  ASSERT_EQ(out.clips()[1].events.size(), 1u);
  EXPECT_DOUBLE_EQ(out.clips()[1].events[0].time, 1.5);
  EXPECT_TRUE(noted(out, "1 clip stands still"));
  EXPECT_LT(error_at(model, out, 1, 1.3), 2e-4);
  EXPECT_EQ(out.atlas().height * (out.atlas().layout.width / 2), 31u) << "thirty frames and one";
  EXPECT_TRUE(encode_character(out).has_value());
}

// Sliding without moving a limb: the poses are one, the way is not.
TEST(Sharing, AHeldPoseThatSlidesKeepsItsFramesForItsWay) {
  ModelDraft draft = swaying_bar();
  BoneTrack slide;
  for (int i = 0; i <= 30; ++i) {
    slide.translation.times.push_back(static_cast<float>(i) / 30.0f);
    slide.translation.values.emplace_back(0.1f * static_cast<float>(i), 0.0f, 0.0f);
  }
  draft.clips = {clip_of("slide", {slide}, false)};
  const Character out = baked(built(draft), {.root_motion = RootTreatment::extract});
  EXPECT_EQ(out.clips()[0].frame_count, 31u);
  ASSERT_EQ(out.clips()[0].root_motion.size(), 31u);
  EXPECT_NEAR(out.clips()[0].root_motion[30].translation.x, 3.0, 1e-5);
}

// A long clip, a piece of it, and the whole of it again.
ModelDraft with_excerpts() {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("whole", {turning(1, {0, 0, 1}, 31, 30.0, 0.0, sway)}, false));
  draft.clips.push_back(
      clip_of("piece", {turning(1, {0, 0, 1}, 11, 30.0, 0.0, [](double t) { return sway(t + 8 / 30.0); })}, false));
  draft.clips.push_back(clip_of("again", {turning(1, {0, 0, 1}, 31, 30.0, 2.0, sway)}, false));
  return draft;
}

TEST(Sharing, AClipThatIsARunOfAnotherUsesItsFrames) {
  const Model model = built(with_excerpts());
  const Character out = baked(model);
  const BakedClip& whole = out.clips()[0];
  EXPECT_EQ(out.clips()[1].first_frame, whole.first_frame + 8);
  EXPECT_EQ(out.clips()[1].frame_count, 11u);
  EXPECT_EQ(out.clips()[1].first_table_row, whole.first_table_row);
  EXPECT_EQ(out.clips()[1].range.pivot_min, whole.range.pivot_min);
  EXPECT_EQ(out.clips()[2].first_frame, whole.first_frame);
  EXPECT_EQ(out.table().size(), out.bones().size());
  EXPECT_TRUE(noted(out, "42 frames of 2 clips"));
  EXPECT_NE(out.clips()[1].choice.find("'whole'"), std::string::npos);
  for (int frame = 0; frame < 11; ++frame) EXPECT_LT(error_at(model, out, 1, frame / 30.0), 2e-4) << frame;
  EXPECT_TRUE(encode_character(out).has_value());
}

TEST(Sharing, AFrameThatDiffersIsNotShared) {
  ModelDraft draft = with_excerpts();
  draft.clips[1].bones[0].rotation.values[10] = glm::quat(glm::angleAxis(0.01, glm::dvec3(0, 0, 1)));
  const Character out = baked(built(draft));
  EXPECT_NE(out.clips()[1].first_table_row, out.clips()[0].first_table_row);
  EXPECT_GE(out.clips()[1].first_frame, 31u);
}

// A loop over a piece has an interval of its own, from the piece's end to its start; the report counts it.
TEST(Sharing, TheSeamOfALoopOverSharedFramesIsMeasured) {
  ModelDraft draft = with_excerpts();
  draft.clips[1].loops = true;
  const Model model = built(draft);
  const Character out = baked(model);
  ASSERT_TRUE(out.clips()[1].loops);
  EXPECT_EQ(out.clips()[1].first_frame, out.clips()[0].first_frame + 8);
  for (const double t : {0.1, 0.2, 0.3}) {
    EXPECT_LE(error_at(model, out, 1, t) * out.error().mm_per_unit,
              std::max(out.clips()[1].error.between.max_mm, out.clips()[1].error.at_frames.max_mm) + 1e-6);
  }
}

}  // namespace
}  // namespace throng
