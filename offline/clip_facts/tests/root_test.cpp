// SPDX-License-Identifier: Apache-2.0
// Which bone is the root, and where it goes.
#include "root_bone.h"

#include "bar_model.h"
#include "cpu_time.h"
#include "instrumented.h"
#include "throng/clip_facts/decide.h"

namespace throng {
namespace {

Result<std::vector<DecidedClip>> decided(const Model& model, const ClipFactsSettings& settings = {}) {
  SerialExecutor executor;
  return decide_clip_facts(model, model.clips(), settings, executor);
}

std::optional<std::uint32_t> root_of(const ModelDraft& draft, const ClipFactsSettings& settings = {}) {
  return decided(built(draft), settings).value().at(0).facts.root_bone;
}

Clip going(std::uint32_t bone, const glm::dvec3& way) {
  return clip_of("go", {moving(bone, 31, 30.0, 0.0, [=](double t) { return t * way; })});
}

// Six bones in a row, without a mesh.
ModelDraft chain() {
  ModelDraft draft;
  draft.name = "chain";
  for (std::uint32_t i = 0; i < 6; ++i) {
    draft.bones.push_back({"bone " + std::to_string(i), i == 0 ? std::nullopt : std::optional(i - 1), {}});
    draft.bones.back().rest.translation = {0.0, 0.3, 0.0};
  }
  return draft;
}

TEST(RootBone, IsTheFirstThatEverythingDrawnHangsOnAndThatMovesOverTheGround) {
  ModelDraft draft = bar_draft();
  draft.bones.insert(draft.bones.begin(), Bone{"armature", std::nullopt, {}});
  draft.bones[1].parent = 0;
  draft.bones[2].parent = 1;
  for (Binding& binding : draft.bindings) ++binding.bone;
  draft.clips = {going(1, {1, 0, 0})};
  EXPECT_EQ(root_of(draft), 1u) << "the armature stands still";
  draft.clips.push_back(going(0, {0, 0, 1}));
  EXPECT_EQ(root_of(draft), 0u);
  draft.clips = {going(2, {1, 0, 0})};
  EXPECT_EQ(root_of(draft), std::nullopt) << "half of the mesh does not hang on it";
  draft.clips = {going(1, {0, 1, 0})};
  EXPECT_EQ(root_of(draft), std::nullopt) << "a jump does not move over the ground";
}

// The bar is two units tall.
TEST(RootBone, MovesByAThousandthOfTheHeightOrTurnsByAThousandthOfARadian) {
  const auto is_root = [](const Clip& clip) {
    ModelDraft draft = bar_draft();
    draft.clips = {clip};
    return root_of(draft) == 0u;
  };
  const auto turned = [](double angle) {
    return clip_of("turn", {turning(0, {0, 1, 0}, 31, 30.0, 0.0, [=](double t) { return angle * t; })});
  };
  EXPECT_FALSE(is_root(going(0, {0.0, 0.0, 0.0019})));
  EXPECT_TRUE(is_root(going(0, {0.0, 0.0, 0.0021})));
  EXPECT_FALSE(is_root(turned(-0.00095)));
  EXPECT_TRUE(is_root(turned(-0.00105)));
}

TEST(RootBone, OfASkeletonAloneCarriesMoreThanHalfOfIt) {
  ModelDraft draft = chain();
  draft.clips = {going(4, {1, 0, 0}), going(1, {1, 0, 0})};
  EXPECT_EQ(root_of(draft), 1u) << "4 carries a third of the bones only";
  draft.bones[2].parent = std::nullopt;
  draft.clips.push_back(going(2, {1, 0, 0}));
  EXPECT_EQ(root_of(draft), 2u);
  draft.clips = {going(5, {1, 0, 0})};
  EXPECT_EQ(root_of(draft), std::nullopt);
}

// A clip that says something of the first bone of very many in a row, but moves none. Each used to be looked for anew.
TEST(RootBone, IsLookedForInARowOfBonesInOneGo) {
  constexpr std::uint32_t kBones = 4000;
  ModelDraft draft;
  draft.name = "row";
  for (std::uint32_t i = 0; i < kBones; ++i)
    draft.bones.push_back({"bone " + std::to_string(i), i == 0 ? std::nullopt : std::optional(i - 1), {}});
  Mesh mesh = bar_draft().meshes[0];
  for (Influences& influences : mesh.influences) influences = bound_to(0);
  draft.materials.emplace_back();
  draft.meshes = {mesh};
  draft.bindings = {{kBones - 1, glm::dmat4(1.0)}};
  draft.clips = {going(0, {0, 0, 0})};
  const Model model = built(draft);
  const std::vector<Clip>& clips = model.clips();
  const double before = test::cpu_seconds();
  EXPECT_EQ(detail::clip_facts::find_root_bone(model, clips, "", 1.0).value(), std::nullopt);
  const double cpu = test::cpu_seconds() - before;
  EXPECT_TRUE(test::kInstrumented || cpu < 0.5) << cpu << " s, and " << kBones << " times as long bone by bone";
  // The last of the row, in the second clip, and then one above it, in a third.
  draft.clips.push_back(going(kBones - 1, {1, 0, 0}));
  EXPECT_EQ(root_of(draft), kBones - 1);
  draft.clips.push_back(going(kBones / 2, {0, 0, 1}));
  EXPECT_EQ(root_of(draft), kBones / 2);
}

TEST(RootBone, IsTheOneNamedAndAnUnknownOneIsRefusedWithNamesLikeIt) {
  ModelDraft draft = bar_draft();
  draft.clips = {going(0, {1, 0, 0})};
  EXPECT_EQ(root_of(draft, {.root_bone = "upper"}), 1u);
  const auto refused = decided(built(draft), {.root_bone = "uper"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("no bone 'uper'"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("'upper'"), std::string::npos) << refused.error().message;
}

// A walk along an arc, bobbing, from a place that is not the origin.
glm::dvec3 arc(double t) {
  return {3.0 + 2.0 * (1.0 - std::cos(0.9 * t)), 0.1 * std::sin(2.0 * kPi * t), 2.0 * std::sin(0.9 * t)};
}

Model walker(int keys, double rate) {
  ModelDraft draft = bar_draft();
  BoneTrack root = moving(0, keys, rate, 0.25, arc);
  root.rotation = turning(0, {0, 1, 0}, keys, rate, 0.25, [](double t) { return 0.9 * t; }).rotation;
  draft.clips.push_back(clip_of("path", {root}));
  return built(draft);
}

TEST(RootPath, LeadsFromTheFirstPoseToTheRootBoneAtEveryTime) {
  const Model model = walker(61, 60.0);
  const ClipFacts facts = decided(model).value().at(0).facts;
  ASSERT_GE(facts.root_path.size(), 61u);
  for (const double t : {0.0, 0.2, 0.5, 0.85, 1.0}) {
    const GroundMotion ground = facts.root_at(t);
    const glm::dvec3 here = transform_point(ground, arc(0.0));
    EXPECT_NEAR(here.x, arc(t).x, 1e-4) << t;
    EXPECT_NEAR(here.z, arc(t).z, 1e-4) << t;
    EXPECT_EQ(ground.translation.y, 0.0) << "height stays in the pose";
    EXPECT_NEAR(ground.yaw, 0.9 * t, 1e-5) << t;
  }
  EXPECT_EQ(facts.root_at(7.0), facts.root_path.back());
  EXPECT_NEAR(facts.root_at(-7.0).translation.x, 0.0, 1e-12);
}

TEST(RootPath, OfAnOpenLoopGoesOnOverItsSeam) {
  const DecidedClip walk = decided(walker(30, 30.0)).value().at(0);
  ASSERT_TRUE(walk.facts.loops);
  ASSERT_TRUE(walk.facts.open());
  EXPECT_NEAR(walk.facts.length, 1.0, 1e-5);
  const glm::dvec3 end = transform_point(walk.facts.root_path.back(), arc(0.0));
  EXPECT_NEAR(end.x, arc(1.0).x, 1e-3);
  EXPECT_NEAR(end.z, arc(1.0).z, 1e-3);
  EXPECT_NEAR(walk.facts.root_path.back().yaw, 0.9, 1e-4);
}

// Half a circle is over between its last two keys: what leads from the one to the other is a short way all the same.
TEST(RootPath, OfAnOpenLoopGoesOnAsItTurnedWhereverItFaces) {
  constexpr double kStep = 3.2 / 29.0;
  ModelDraft draft = bar_draft();
  const auto sway = [](double t) { return 0.8 * std::sin(2.0 * kPi * t); };
  draft.clips = {clip_of("walk", {turning(0, {0, 1, 0}, 30, 30.0, 0.0, [](double t) { return 30.0 * kStep * t; }),
                                  turning(1, {0, 0, 1}, 30, 30.0, 0.0, sway)})};
  const DecidedClip walk = decided(built(draft)).value().at(0);
  ASSERT_TRUE(walk.facts.open());
  EXPECT_NEAR(walk.facts.root_path.back().yaw, 30.0 * kStep, 1e-4);
}

TEST(RootPath, AWalkLoopsOnlyWithoutIt) {
  const Model model = walker(30, 30.0);
  EXPECT_TRUE(decided(model).value().at(0).facts.loops);
  const ClipFacts kept = decided(model, {.root_motion_taken_off = false}).value().at(0).facts;
  EXPECT_FALSE(kept.loops);
  EXPECT_FALSE(kept.root_path.empty()) << "where it goes is known all the same";
}

TEST(RootPath, IsEmptyOfAClipThatStaysAndOfAPose) {
  ModelDraft draft = bar_draft();
  draft.clips = {going(0, {1, 0, 0}), going(0, {0, 1, 0}), clip_of("pose", {moving(0, 1, 30.0, 0.0, arc)})};
  const auto clips = decided(built(draft)).value();
  EXPECT_FALSE(clips.at(0).facts.root_path.empty());
  EXPECT_TRUE(clips.at(1).facts.root_path.empty());
  EXPECT_TRUE(clips.at(2).facts.root_path.empty());
  EXPECT_EQ(clips.at(2).facts.length, 0.0);
}

// Ten circles a second, and then more than one between two samples.
TEST(RootPath, YawRunsOnPastACircle) {
  for (const double circles : {10.0, -70.0}) {
    ModelDraft draft = bar_draft();
    const auto angle = [=](double t) { return 2.0 * kPi * circles * t; };
    draft.clips = {clip_of("spin", {turning(0, {0, 1, 0}, 481, 480.0, 0.0, angle)})};
    const ClipFacts facts = decided(built(draft)).value().at(0).facts;
    ASSERT_FALSE(facts.root_path.empty());
    EXPECT_NEAR(facts.root_path.back().yaw, 2.0 * kPi * circles, 1e-2);
  }
}

TEST(StandingHeight, IsTheRestPosesHeightOrItsLargestExtent) {
  EXPECT_NEAR(standing_height(built(bar_draft())), 2.0, 1e-6);
  ModelDraft flat = bar_draft();
  for (glm::vec3& p : flat.meshes[0].positions) p *= 0.05f * glm::vec3(20.0f, 0.1f, 60.0f);
  EXPECT_NEAR(standing_height(built(flat)), 0.6, 1e-3) << "its largest extent, where it is flat";
  EXPECT_NEAR(standing_height(built(chain())), 1.5, 1e-9) << "of the bones where nothing is drawn";
}

}  // namespace
}  // namespace throng
