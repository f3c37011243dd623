// SPDX-License-Identifier: Apache-2.0
// Clips that loop, as they are baked. Which do is decided in offline/clip_facts.
#include "plans.h"
#include "shared_models.h"

namespace throng {
using namespace detail::bake;
namespace {

double sway(double t) { return 0.6 * std::sin(2.0 * kPi * t); }

// Twelve keys a second are baked at 36: two frames lie on the way back, of which the source says nothing.
TEST(LoopGuess, FramesOnTheWayBackLieBetweenTheEnds) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("clip", {turning(0, {0, 0, 1}, 12, 12.0, 0.0, sway)}));
  const Model model = built(draft);
  const ClipPlan plan = planned(model).plans.at(0);
  ASSERT_TRUE(plan.frames.loops);
  ASSERT_EQ(plan.frames.frame_count, 36u);
  const auto angle = [&](std::uint32_t frame) {
    const glm::dmat4 m = bones_at(model, plan, plan.source_time(frame, 0.0))[0];
    return std::atan2(m[0][1], m[0][0]);
  };
  const double last = sway(11.0 / 12.0);
  EXPECT_NEAR(angle(33), last, 1e-6);
  EXPECT_NEAR(angle(34), last * 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(angle(35), last / 3.0, 1e-6);
  EXPECT_NEAR(angle(36), 0.0, 1e-6);
}

// Packs that people have: what their names and poses say together.
TEST(LoopGuess, LetsTheWalksOfPublicPacksGoOn) {
  struct Case {
    const char* file;
    std::vector<std::string_view> loop, once;
  };
  int looked = 0;
  for (const Case& one : {Case{"godot/player.glb", {"walk", "run"}, {}},
                          Case{"kaykit/Knight.glb",
                               {"Walking_A", "Walking_B", "Walking_C", "Running_A", "Idle"},
                               {"Death_A", "Hit_A", "1H_Ranged_Shoot", "Jump_Land"}},
                          Case{"quaternius/dinosaurs_pack_Trex.glb", {"Armature|TRex_Run", "Armature|TRex_Walk"}, {}},
                          Case{"khronos/Fox/Fox.glb", {"Walk", "Run"}, {}}}) {
    const auto imported = load(one.file);
    if (!imported) continue;
    const auto plans = planned(imported->model).plans;
    const auto loops = [&](std::string_view name) -> std::optional<bool> {
      for (const ClipPlan& plan : plans)
        if (plan.clip.name == name) return plan.facts.loops;
      return std::nullopt;
    };
    for (const std::string_view name : one.loop) EXPECT_EQ(loops(name), true) << one.file << " " << name;
    for (const std::string_view name : one.once) EXPECT_EQ(loops(name), false) << one.file << " " << name;
    ++looked;
  }
  if (looked == 0) GTEST_SKIP() << "no models here";
}

TEST(LoopGuess, IsToldInTheNotesOnlyWhenItWasAGuess) {
  ModelDraft draft = swaying_bar();
  EXPECT_TRUE(planned(built(draft)).has_note("guessed to loop: 'sway'"));
  EXPECT_TRUE(planned(built(draft), {.loops = {"sway"}}).notes.empty());
  draft.clips[0].loops = true;
  EXPECT_TRUE(planned(built(draft)).notes.empty());
}

// A morph target that does not come back, on bones that do.
TEST(LoopGuess, LooksAtMorphTargetsWhereTheyAreBaked) {
  ModelDraft draft = swaying_bar();
  MorphTarget wide{"wide", {}, {}};
  for (const glm::vec3& p : draft.meshes[0].positions) wide.positions.push_back(p * glm::vec3(1.0f, 0.0f, 1.0f));
  draft.meshes[0].morph_targets = {wide};
  draft.meshes[0].morph_weights = {0.0f};
  MorphTrack track;
  track.weights.times = {0.0f, 1.0f};
  track.weights.values = {0.0f, 1.0f};
  draft.clips[0].morphs = {track};
  const Model model = built(draft);
  EXPECT_TRUE(planned(model, {.drop_morphs = true}).plans.at(0).frames.loops);
  EXPECT_FALSE(planned(model).plans.at(0).frames.loops);
  EXPECT_FALSE(planned(model, {.mode = BakeMode::vertices}).plans.at(0).frames.loops);
}

TEST(LoopGuess, LeavesOutOrClosesTheLastFrame) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("closed", {turning(0, {0, 0, 1}, 31, 30.0, 0.0, sway)}));
  draft.clips.push_back(clip_of("open", {turning(0, {0, 0, 1}, 24, 24.0, 0.0, sway)}));
  draft.clips.push_back(
      clip_of("told", {turning(0, {0, 0, 1}, 31, 30.0, 0.0, [](double t) { return 1.5 * t; })}, true));
  const auto plans = planned(built(draft)).plans;
  EXPECT_EQ(plans.at(0).frames.frame_count, 30u);
  EXPECT_EQ(plans.at(1).frames.frame_count, 24u);
  EXPECT_EQ(plans.at(2).frames.frame_count, 31u) << "the last pose is kept, and one interval leads back";
}

}  // namespace
}  // namespace throng
