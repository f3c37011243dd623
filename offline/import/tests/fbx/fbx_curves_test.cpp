// SPDX-License-Identifier: Apache-2.0
// Animation curves: steps, lines and cubics, by hand and as Maya shows them.

#include "fbx/animation/tangents.h"

#include "fbx_builder.h"
#include "shared_files.h"

namespace throng::test {
namespace {

namespace fbx = detail::fbx;
using fbx::FileKey;
using fbx::Segment;
using fbx::Tangent;

FileKey key_at(double time, double value, Segment segment) {
  FileKey key;
  key.time = time;
  key.value = value;
  key.segment = segment;
  key.tangent = segment == Segment::cubic ? Tangent::automatic : Tangent::user;
  return key;
}

TEST(FbxCurve, StepsHoldTheKeyBeforeOrTakeTheKeyAfter) {
  const auto curve = fbx::solve_tangents({key_at(0, 1, Segment::constant), key_at(1, 2, Segment::constant_next),
                                          key_at(2, 5, Segment::linear), key_at(4, 9, Segment::linear)});
  EXPECT_EQ(fbx::value_at(curve, -1.0), 1.0);
  EXPECT_EQ(fbx::value_at(curve, 0.999), 1.0);
  EXPECT_EQ(fbx::value_at(curve, 1.0), 2.0);
  EXPECT_EQ(fbx::value_at(curve, 1.001), 5.0);
  EXPECT_EQ(fbx::value_at(curve, 2.0), 5.0);
  EXPECT_EQ(fbx::value_at(curve, 2.5), 6.0);
  EXPECT_EQ(fbx::value_at(curve, 99.0), 9.0);
}

// Hermite: half way between two keys the value is their mean and an eighth of the difference of slopes times the time.
TEST(FbxCurve, ACubicFollowsTheSlopesOfItsUser) {
  FileKey first = key_at(1, 10, Segment::cubic);
  first.tangent = Tangent::user;
  first.right = 6.0;
  first.next_left = -2.0;
  FileKey last = key_at(3, 20, Segment::cubic);
  last.tangent = Tangent::user;
  const auto curve = fbx::solve_tangents({first, last});
  EXPECT_NEAR(fbx::value_at(curve, 2.0), 15.0 + (6.0 - -2.0) * 2.0 / 8.0, 1e-12);
  EXPECT_NEAR((fbx::value_at(curve, 1.0 + 1e-6) - 10.0) / 1e-6, 6.0, 1e-4);
  EXPECT_NEAR((20.0 - fbx::value_at(curve, 3.0 - 1e-6)) / 1e-6, -2.0, 1e-4);
}

// With handles that reach all the way, time and value are the same cubic of the curve's parameter.
TEST(FbxCurve, WeightsBendTimeToo) {
  FileKey first = key_at(0, 0, Segment::cubic);
  first.tangent = Tangent::user;
  first.weight = 1.0;
  first.next_weight = 0.0;
  FileKey last = key_at(1, 1, Segment::cubic);
  last.tangent = Tangent::user;
  const auto curve = fbx::solve_tangents({first, last});
  // Parameter u: time is 3u − 3u² + u³, value is 3u² − 2u³ with level slopes and handles 1 and 0 long.
  const double u = 0.3;
  const double time = 3 * (1 - u) * (1 - u) * u + 3 * (1 - u) * u * u + u * u * u;
  EXPECT_NEAR(fbx::value_at(curve, time), 3 * (1 - u) * u * u + u * u * u, 1e-9);
}

TEST(FbxCurve, AutomaticSlopesRunBetweenTheNeighboursButNeverPastThem) {
  const auto rising =
      fbx::solve_tangents({key_at(0, 0, Segment::cubic), key_at(1, 1, Segment::cubic), key_at(2, 4, Segment::cubic)});
  EXPECT_NEAR(rising.keys[1].slope, 2.0, 1e-12);
  EXPECT_NEAR(rising.keys[0].next_slope, 2.0, 1e-12);
  EXPECT_EQ(rising.keys[0].slope, 0.0);
  const auto peak =
      fbx::solve_tangents({key_at(0, 0, Segment::cubic), key_at(1, 3, Segment::cubic), key_at(2, 1, Segment::cubic)});
  EXPECT_EQ(peak.keys[1].slope, 0.0);
  // A slope of 5.05 would carry the handle, a third of a second long, past the first key's value 0.1 below.
  const auto clamped = fbx::solve_tangents(
      {key_at(0, -0.1, Segment::cubic), key_at(1, 0, Segment::cubic), key_at(2, 10, Segment::cubic)});
  EXPECT_NEAR(clamped.keys[1].slope, 0.3, 1e-12);
}

TEST(FbxCurve, TensionContinuityAndBiasTurnTheSlopes) {
  auto keys = std::vector{key_at(0, 0, Segment::cubic), key_at(1, 1, Segment::cubic), key_at(2, 4, Segment::cubic)};
  keys[1].tangent = Tangent::tension_continuity_bias;
  EXPECT_NEAR(fbx::solve_tangents(keys).keys[1].slope, 2.0, 1e-12);
  keys[1].right = 1.0;
  EXPECT_NEAR(fbx::solve_tangents(keys).keys[1].slope, 0.0, 1e-12);
  keys[1].right = 0.0;
  keys[1].bias = 1.0;
  EXPECT_NEAR(fbx::solve_tangents(keys).keys[1].slope, 1.0, 1e-12);
  keys[1].bias = 0.0;
  keys[1].next_left = 1.0;
  EXPECT_NEAR(fbx::solve_tangents(keys).keys[1].slope, 1.0, 1e-12);
  EXPECT_NEAR(fbx::solve_tangents(keys).keys[0].next_slope, 3.0, 1e-12);
}

const Clip& only_clip(const Model& model) {
  EXPECT_EQ(model.clips().size(), 1u);
  return model.clips().front();
}

TEST(FbxClips, AStepStaysAStepBetweenFrames) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "steps");
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 0.5, 1}, {1, 2, 3}, kConstantKeys);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = only_clip(imported->model);
  EXPECT_EQ(clip.name, "steps");
  for (const auto& [time, wanted] :
       {std::pair(0.0, 1.0), {0.4999, 1.0}, {0.5, 2.0}, {0.75, 2.0}, {0.9999, 2.0}, {1.0, 3.0}}) {
    EXPECT_EQ(sample(imported->model, clip, time).bones[0].translation.x, wanted) << time;
  }
}

TEST(FbxClips, WholeTurnsBetweenTwoKeysAreTurned) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "spin");
  b.curve(20, 10, 1, "Lcl Rotation", "d|Y", {0, 1}, {0, 7200});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = only_clip(imported->model);
  // Twenty turns a second: a frame of 30 is two thirds of a turn.
  for (const double time : {0.0125, 0.1, 0.3125, 0.9875}) {
    const glm::dvec3 x = sample(imported->model, clip, time).bones[0].rotation * glm::dvec3(1, 0, 0);
    const double angle = glm::radians(7200.0 * time);
    expect_near(x, {std::cos(angle), 0, -std::sin(angle)}, 1e-3, fmt::format("at {} s", time));
  }
}

TEST(FbxClips, RotationsStayInOneHemisphere) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "spin");
  b.curve(20, 10, 1, "Lcl Rotation", "d|X", {0, 4}, {0, 1440});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto& rotations = only_clip(imported->model).bones[0].rotation.values;
  ASSERT_GT(rotations.size(), 100u);
  for (std::size_t i = 1; i < rotations.size(); ++i) EXPECT_GT(glm::dot(rotations[i - 1], rotations[i]), 0.0f);
}

TEST(FbxClips, AClipRunsFromItsFirstKeyToItsLastWithinWhatTheTakeDeclares) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "all", 0.0, 9.0);
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {0.5, 2}, {0, 15});
  b.take(30, "part", 1.0, 1.5);
  b.curve(40, 30, 1, "Lcl Translation", "d|X", {0.5, 2}, {0, 15});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.clips().size(), 2u);
  const Clip& all = imported->model.clips()[0];
  const Clip& part = imported->model.clips()[1];
  EXPECT_NEAR(all.start, 0.5, 1e-9);
  EXPECT_NEAR(all.end, 2.0, 1e-9);
  EXPECT_NEAR(part.start, 1.0, 1e-9);
  EXPECT_NEAR(part.end, 1.5, 1e-9);
  EXPECT_NEAR(sample(imported->model, part, 0.0).bones[0].translation.x, 5.0, 1e-5);
  EXPECT_NEAR(sample(imported->model, part, 9.0).bones[0].translation.x, 10.0, 1e-5);
}

TEST(FbxClips, TimesBeforeZeroAreMovedToIt) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "early");
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {-1, 1}, {0, 20});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = only_clip(imported->model);
  EXPECT_EQ(clip.start, 0.0);
  EXPECT_NEAR(clip.end, 2.0, 1e-9);
  EXPECT_NEAR(sample(imported->model, clip, 0.5).bones[0].translation.x, 5.0, 1e-5);
  ASSERT_EQ(imported->notes.size(), 1u);
  EXPECT_NE(imported->notes[0].find("moved to 0"), std::string::npos) << imported->notes[0];
}

TEST(FbxClips, OneKeyIsAPoseAndNoneIsLeftOut) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "pose");
  b.curve(20, 10, 1, "Lcl Translation", "d|Y", {2}, {7});
  b.take(30, "nothing");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Clip& clip = only_clip(imported->model);
  EXPECT_EQ(clip.name, "pose");
  EXPECT_EQ(clip.length(), 0.0);
  EXPECT_EQ(sample(imported->model, clip, 2.0).bones[0].translation.y, 7.0);
  ASSERT_EQ(imported->notes.size(), 1u);
  EXPECT_NE(imported->notes[0].find("'nothing' moves nothing"), std::string::npos) << imported->notes[0];
}

TEST(FbxClips, AMovingScaleThatIsNotInheritedMovesTheChildrenOnly) {
  FbxBuilder b;
  b.model(1, "parent", 0);
  b.model(2, "child", 1, {{"InheritType", {2}}, {"Lcl Translation", {1, 0, 0}}});
  b.take(10, "stretch");
  b.curve(20, 10, 1, "Lcl Scaling", "d|X", {0, 1}, {1, 3});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Pose pose = sample(imported->model, only_clip(imported->model), 0.5);
  const glm::dmat4 child = model_from_bone(imported->model, pose, "child");
  expect_near(moved(child, {0, 0, 0}), {2, 0, 0}, 1e-6, "placed");
  expect_near(moved(child, {1, 0, 0}), {3, 0, 0}, 1e-6, "not stretched");
  expect_near(moved(model_from_bone(imported->model, pose, "parent (scale)"), {1, 0, 0}), {2, 0, 0}, 1e-6, "stretched");
}

TEST(FbxClips, LayersAddReplaceAndMultiply) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "layered");
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 1}, {0, 10});
  b.curve(30, 10, 1, "Lcl Scaling", "d|Y", {0, 1}, {2, 2});
  b.object("AnimationLayer", 60, "AnimLayer", "half", "", properties({{"Weight", {50}}}));
  b.connect(60, 10);
  b.curve(70, 59, 1, "Lcl Translation", "d|X", {0, 1}, {8, 8});
  b.curve(80, 59, 1, "Lcl Scaling", "d|Y", {0, 1}, {9, 9});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Pose pose = sample(imported->model, only_clip(imported->model), 0.5);
  EXPECT_NEAR(pose.bones[0].translation.x, 5.0 + 8.0 * 0.5, 1e-5);
  EXPECT_NEAR(pose.bones[0].scale.y, 2.0 * std::sqrt(9.0), 1e-5);
  // One that adds scales, and one that takes the place of what lies below by a quarter.
  b.object("AnimationLayer", 90, "AnimLayer", "adds", "",
           properties({{"Weight", {50}}, {"ScaleAccumulationMode", {1}}}));
  b.connect(90, 10);
  b.curve(100, 89, 1, "Lcl Scaling", "d|Y", {0, 1}, {10, 10});
  b.object("AnimationLayer", 110, "AnimLayer", "replaces", "", properties({{"Weight", {25}}, {"BlendMode", {1}}}));
  b.connect(110, 10);
  b.curve(120, 109, 1, "Lcl Translation", "d|X", {0, 1}, {1, 1});
  const auto more = b.import();
  ASSERT_TRUE(more) << more.error().message;
  const Pose layered = sample(more->model, only_clip(more->model), 0.5);
  EXPECT_NEAR(layered.bones[0].scale.y, 6.0 + 10.0 * 0.5, 1e-5);
  EXPECT_NEAR(layered.bones[0].translation.x, 9.0 * 0.75 + 1.0 * 0.25, 1e-5);
}

struct Shown {
  double time;
  double value;
};

Result<Imported> shared_model(const char* name) { return import_model(shared_folder() / "models/fbx/ufbx" / name); }

// Values that ufbx's tests give for this file (ufbx, MIT or public domain): x of the cube's translation, as Maya has
// it.
TEST(FbxShared, KeysOfEveryKindAreAsMayaShowsThem) {
  if (!std::filesystem::exists(shared_folder() / "models")) GTEST_SKIP() << "no shared folder";
  const auto imported = shared_model("maya_anim_interpolation_7700_binary.fbx");
  ASSERT_TRUE(imported) << imported.error().message;
  const Shown shown[] = {{0, 0},         {1, -0.855245}, {2, -1.13344},  {3, -1.17802}, {4, -1.10882}, {5, -0.991537},
                         {6, -0.875223}, {7, -0.808958}, {8, -0.858419}, {9, -1.14293}, {10, -2},      {15, -3},
                         {20, -4},       {24.97, -4},    {25, -6},       {25.03, -8},   {30, -8},      {34.97, -8},
                         {35, -10},      {40, -12},      {40.03, -14},   {45, -14},     {49.97, -14},  {50, -16},
                         {50.03, -14},   {55, -14}};
  for (const auto& [frame, value] : shown) {
    const Pose pose = sample(imported->model, only_clip(imported->model), frame / 30.0);
    EXPECT_NEAR(pose.bones[0].translation.x, value, 2e-5) << "frame " << frame;
  }
}

TEST(FbxShared, TranslationRotationAndScaleAreAsMayaShowsThem) {
  if (!std::filesystem::exists(shared_folder() / "models")) GTEST_SKIP() << "no shared folder";
  const auto imported = shared_model("maya_transform_animation_7500_binary.fbx");
  ASSERT_TRUE(imported) << imported.error().message;
  // At frame 5 everything has gone this part of the way from nothing to (1, 2, 3), (10°, 20°, 30°), (1.1, 1.2, 1.3).
  for (const auto& [frame, way] :
       {Shown{1, 0.0}, Shown{5, 0.2258}, Shown{14, 1.0}, Shown{20, -0.296}, Shown{24, -1.0}}) {
    const Pose pose = sample(imported->model, only_clip(imported->model), frame / 24.0);
    const std::string what = fmt::format("frame {}", frame);
    expect_near(pose.bones[0].translation, way * glm::dvec3(1, 2, 3), 2e-3, what);
    expect_near(pose.bones[0].scale, 1.0 + way * glm::dvec3(0.1, 0.2, 0.3), 2e-3, what);
    glm::dquat wanted(1.0, 0.0, 0.0, 0.0);
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 direction(0.0);
      direction[axis] = 1.0;
      wanted = glm::angleAxis(glm::radians(way * 10.0 * (axis + 1)), direction) * wanted;
    }
    EXPECT_GT(std::abs(glm::dot(wanted, pose.bones[0].rotation)), 1.0 - 1e-6) << what;
  }
}

// Keys that lie beside the frames, and cubics between them, looked at 200 times a second.
TEST(FbxShared, KeysBesideTheFramesAreKept) {
  if (!std::filesystem::exists(shared_folder() / "models")) GTEST_SKIP() << "no shared folder";
  const auto imported = shared_model("maya_resampled_7500_binary.fbx");
  ASSERT_TRUE(imported) << imported.error().message;
  const Shown shown[] = {{8, 0.0},     {16, -0.431}, {25, -1.700}, {33, -3.111},
                         {41, -4.379}, {50, -5.143}, {58, -5.220}, {66, -4.680}};
  for (const auto& [step, value] : shown) {
    const Pose pose = sample(imported->model, only_clip(imported->model), step / 200.0);
    EXPECT_NEAR(pose.bones[0].translation.x, value, 6e-4) << "at " << step / 200.0 << " s";
  }
}

}  // namespace
}  // namespace throng::test
