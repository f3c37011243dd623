// SPDX-License-Identifier: Apache-2.0
// localv: that it keeps to its bound by a measurement the bake has no part in, in as few bytes as that takes.
#include "allocations.h"
#include "bones/chain_model.h"
#include "chain_of_bars.h"
#include "mannequin_model.h"
#include "reference_measure.h"
#include "throng/character/channels.h"
#include "throng/character/file.h"

namespace throng {
namespace {

Character in_channels(const Model& model, double bound_mm) {
  return bounded(model, {.encoding = Encoding::localv, .max_error_mm = bound_mm, .levels = 1});
}

std::size_t bytes_of(const Character& out) { return 4 * out.channel_words().size(); }

// Shakes four bones for a second, and stands for nine.
ModelDraft shake_and_stand() {
  ModelDraft draft = chain();
  const auto shake = [](double t) { return t < 1.0 ? 0.5 * std::sin(6.0 * kPi * t) : 0.0; };
  std::vector<BoneTrack> tracks;
  for (const std::uint32_t bone : {1u, 2u, 3u, 4u})
    tracks.push_back(turning(bone, glm::normalize(glm::dvec3(1, 2, bone)), 301, 30.0, 0.0, shake));
  draft.clips = {clip_of("shake", tracks, false)};
  return draft;
}

TEST(Localv, HasSlotsForWhatMovesAndNoTexture) {
  const Character out = in_channels(built(chain()), 0.5);
  EXPECT_EQ(out.clips()[0].encoding, Encoding::localv);
  EXPECT_TRUE(out.atlas().words.empty());
  EXPECT_GT(out.channel_words().size(), 0u);
  std::array<int, 3> slots{};
  for (const PoseLink& link : out.skeleton()) {
    slots[0] += link.rotation_slot.has_value();
    slots[1] += link.translation_slot.has_value();
    slots[2] += link.scale_slot.has_value();
  }
  EXPECT_EQ(slots[0], 2) << "hips and chest turn";
  EXPECT_EQ(slots[1], 1) << "only the hips are moved";
  EXPECT_EQ(slots[2], 0);
}

TEST(Localv, IsWithinItsBoundForEveryClip) {
  ModelDraft draft = chain();
  draft.clips.push_back(clip_of("fall", {turning(1, {1, 0, 0}, 26, 25.0, 0.5, [](double t) { return 2.0 * t * t; })}));
  draft.clips.push_back(
      clip_of("uneven", {turning(3, {0, 0, 1}, 700, 999.0, 0.0, [](double t) { return std::sin(9.0 * t); })}));
  const Model model = built(draft);
  std::size_t last = 0;
  for (const double bound : {20.0, 2.0, 0.3}) {
    const Character out = in_channels(model, bound);
    for (std::size_t clip = 0; clip < out.clips().size(); ++clip)
      EXPECT_LE(worst_of(model, out, clip), bound) << out.clips()[clip].name << ": " << out.clips()[clip].choice;
    EXPECT_LE(std::max(out.error().at_frames.max_mm, out.error().between.max_mm), bound);
    EXPECT_TRUE(out.warnings().empty());
    EXPECT_GT(bytes_of(out), last) << "fewer bytes where more is allowed";
    last = bytes_of(out);
  }
}

// A quarter of what local8 takes, for the same bound; closed-loop rounding, balanced steps and frames left out all take
// part in that.
TEST(Localv, HoldsTheMannequinInThirtyKilobytes) {
  const Model model = test::mannequin_model();
  ThreadExecutor executor(2);
  const auto out = bake(model, {.encoding = Encoding::localv, .max_error_mm = 0.5, .levels = 1}, executor);
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_LT(bytes_of(*out), 30'000u);
  for (const BakedClip& clip : out->clips())
    EXPECT_LE(std::max(clip.error.at_frames.max_mm, clip.error.between.max_mm), 0.5) << clip.choice;
}

// The rate is what the shaking takes; the nine seconds after it take hardly any frames.
TEST(Localv, LeavesOutFramesThatSayNothingNew) {
  const Model model = built(shake_and_stand());
  const Character out = in_channels(model, 0.5);
  const BakedClip& clip = out.clips()[0];
  EXPECT_GT(clip.frame_count, 150u) << clip.choice;
  EXPECT_LT(clip.channels.stored_frames, clip.frame_count / 4) << clip.choice;
  EXPECT_LE(worst_of(model, out, 0), 0.5);
}

TEST(Localv, ScalesHaveSlotsOfTheirOwn) {
  ModelDraft draft = chain();
  BoneTrack& chest = draft.clips[0].bones[1];
  for (int i = 0; i <= 30; ++i) {
    chest.scale.times.push_back(static_cast<float>(i) / 30.0f);
    chest.scale.values.emplace_back(static_cast<float>(1.0 + 0.2 * std::sin(0.2 * kPi * i)));
  }
  const Model model = built(draft);
  const Character out = in_channels(model, 0.5);
  const auto grows = [](const PoseLink& link) { return link.scale_slot.has_value(); };
  EXPECT_EQ(std::ranges::count_if(out.skeleton(), grows), 1);
  EXPECT_LE(worst_of(model, out, 0), 0.5);
}

// Hidden by a scale of 0 at first, and at last again: where it is seen, its children are where they belong.
TEST(Localv, WhatABoneScaledToNothingCarriesComesBackWithIt) {
  ModelDraft draft = chain();
  BoneTrack& hips = draft.clips[0].bones[0];
  BoneTrack& chest = draft.clips[0].bones[1];
  for (int i = 0; i <= 30; ++i) {
    hips.scale.times.push_back(static_cast<float>(i) / 30.0f);
    hips.scale.values.emplace_back(static_cast<float>(std::sin(kPi * i / 30.0) * (i % 30 == 0 ? 0.0 : 1.0)));
    chest.translation.times.push_back(static_cast<float>(i) / 30.0f);
    chest.translation.values.emplace_back(0.2 * std::sin(0.3 * i), 0.5, 0.0);
  }
  draft.clips[0].loops = false;
  const Model model = built(draft);
  const Character out = in_channels(model, 0.5);
  EXPECT_LE(worst_of(model, out, 0), 0.5) << out.clips()[0].choice;
}

TEST(Localv, TakesTheRootsWayOffItsFirstLinks) {
  ModelDraft draft = chain();
  for (std::size_t i = 0; i <= 30; ++i)
    draft.clips[0].bones[0].translation.values[i] += glm::vec3(0.0f, 0.0f, 0.1f * static_cast<float>(i));
  draft.clips[0].loops = false;
  const Character out = bounded(built(draft), {.encoding = Encoding::localv,
                                               .max_error_mm = 0.5,
                                               .root_motion = RootTreatment::extract,
                                               .root_bone = "hips",
                                               .levels = 1});
  EXPECT_GT(glm::length(out.clips()[0].root_motion.back().translation), 3.0);
  EXPECT_LT(out.clips()[0].bounds.size().z, 3.0) << "it stays where it is";
  EXPECT_LE(std::max(out.error().at_frames.max_mm, out.error().between.max_mm), 0.5);
}

TEST(Localv, WhatItCannotHoldIsRefusedByName) {
  ModelDraft draft = bar_draft();
  BoneTrack track;
  track.bone = 1;
  for (int i = 0; i <= 4; ++i) {
    track.scale.times.push_back(static_cast<float>(i) / 30.0f);
    track.scale.values.emplace_back(1.0f, 1.0f + 0.1f * static_cast<float>(i), 1.0f);
  }
  draft.clips.push_back(clip_of("squash", {track}));
  const std::string message = refusal(built(draft), {.encoding = Encoding::localv});
  EXPECT_NE(message.find("'squash'"), std::string::npos) << message;
  EXPECT_NE(message.find("scales non-uniformly"), std::string::npos) << message;
}

TEST(Localv, AModelThatNeverMovesIsBaked) {
  const Character out = in_channels(built(bar_draft()), 0.5);
  EXPECT_LT(out.error().at_frames.max_mm, 1e-3);
  EXPECT_LT(bytes_of(out), 200u);
  EXPECT_TRUE(encode_character(out).has_value());
}

// A jump is out of reach at any rate; what is kept is no coarser for that, and said.
TEST(Localv, AClipThatJumpsIsKeptAsWellAsCanBeAndWarnedAbout) {
  ModelDraft draft = chain();
  BoneTrack track = turning(1, {0, 0, 1}, 31, 30.0, 0.0, [](double t) { return t < 0.5 ? t : t + 1.0; });
  track.rotation.interpolation = Interpolation::step;
  draft.clips.push_back(clip_of("jerk", {track}, false));
  const Model model = built(draft);
  const Character out = in_channels(model, 1.0);
  EXPECT_GE(out.clips()[1].rate(), 29.9) << out.clips()[1].choice;
  EXPECT_TRUE(warns(out, "1 clip is off by more than 1 mm: 'jerk'"));
  EXPECT_NE(out.clips()[1].choice.find("mm at best, where 1 mm are asked for"), std::string::npos)
      << out.clips()[1].choice;
  for (int frame = 0; frame <= 30; ++frame) EXPECT_LT(error_at(model, out, 1, frame / 30.0), 2e-3) << frame;
  EXPECT_LE(worst_of(model, out, 0), 1.0);
}

// Of more bones than one a step adds up to more: at frames the bound is kept though it is not between them.
TEST(Localv, AClipThatJumpsKeepsItsBoundAtFrames) {
  const Model model = test::mannequin_model();
  ModelDraft draft = model.draft();
  draft.clips.resize(1);
  for (BoneTrack& track : draft.clips[0].bones) track.rotation.interpolation = Interpolation::step;
  const Character out = in_channels(built(draft), 1.0);
  EXPECT_GT(out.clips()[0].error.between.max_mm, 10.0);
  EXPECT_LE(out.clips()[0].error.at_frames.max_mm, 1.0) << out.clips()[0].choice;
}

// Where a clip jumps, rates are looked at up to the highest, of 4,800 frames here; little is held of them at once.
TEST(Localv, ALongClipThatJumpsTakesLittleMemory) {
  const Model mannequin = test::mannequin_model();
  ModelDraft draft = mannequin.draft();
  draft.clips.resize(1);
  draft.clips[0].end *= 20.0;
  draft.clips[0].events.clear();
  for (BoneTrack& track : draft.clips[0].bones) {
    track.rotation.interpolation = Interpolation::step;
    for (float& time : track.rotation.times) time *= 20.0f;
    for (float& time : track.translation.times) time *= 20.0f;
  }
  const Model model = built(draft);
  SerialExecutor executor;
  bool made = false;
  const auto taken = test::allocations_of(
      [&] { made = bake(model, {.encoding = Encoding::localv, .levels = 1, .near = false}, executor).has_value(); });
  EXPECT_TRUE(made);
  EXPECT_LT(taken.peak, 90u << 20);
}

// Every rate that is weighed needs its frames, and none of them a copy of the keys.
TEST(Localv, IsChosenForALongClipInSomeTimesTheMemoryOfItsKeys) {
  constexpr std::uint32_t kBones = 12;
  constexpr int kKeys = 2400;  // ten seconds, 240 a second, shaking all the time
  ModelDraft draft = test::chain_of_bars(kBones);
  std::vector<BoneTrack> tracks;
  for (std::uint32_t bone = 0; bone < kBones; ++bone)
    tracks.push_back(turning(bone, glm::normalize(glm::dvec3(1, bone % 3, 1)), kKeys + 1, 240.0, 0.0,
                             [&](double t) { return 0.02 * std::sin(7.0 * t + bone) + 0.004 * std::sin(211.0 * t); }));
  draft.clips = {clip_of("shake", tracks, false)};
  const Model model = built(draft);
  const std::size_t keys = std::size_t{kBones} * (kKeys + 1) * (sizeof(float) + sizeof(glm::quat));
  SerialExecutor executor;
  bool made = false;
  const auto taken = test::allocations_of(
      [&] { made = bake(model, {.encoding = Encoding::localv, .levels = 1, .near = false}, executor).has_value(); });
  EXPECT_TRUE(made);
  RecordProperty("times_the_keys", fmt::format("{:.1f}", static_cast<double>(taken.peak) / static_cast<double>(keys)));
  EXPECT_LT(taken.peak, 50 * keys);
}

TEST(Localv, HasTheSameBytesWhateverTheThreads) {
  const Model model = built(chain());
  const BakeSettings settings{.encoding = Encoding::localv, .max_error_mm = 0.5, .levels = 1};
  ThreadExecutor executor(2);
  const auto threaded = bake(model, settings, executor);
  ASSERT_TRUE(threaded.has_value()) << threaded.error().message;
  EXPECT_EQ(*encode_character(bounded(model, settings)), *encode_character(*threaded));
}

}  // namespace
}  // namespace throng
