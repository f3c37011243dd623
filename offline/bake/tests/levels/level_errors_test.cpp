// SPDX-License-Identifier: Apache-2.0
// What a level says of its error, against what is measured apart over the clips' poses.
#include "level_truth.h"
#include "mesh/mesh_models.h"
#include "shared_models.h"
#include "vertices/vertex_models.h"

namespace throng {
namespace {

constexpr double kSlack = 1.1;  // of the error that is stored: what a level may be off by

constexpr std::uint32_t kLevels = 5;

BakeSettings of_mode(BakeMode mode) {
  BakeSettings settings;
  settings.mode = mode;
  settings.max_error_mm.reset();  // levels do not depend on it
  settings.levels = kLevels;
  settings.drop_morphs = mode == BakeMode::bones;
  settings.near = false;
  return settings;
}

void expect_true(const Model& model, const Character& out, const LevelTruth& how = {}) {
  const std::vector<double> truth = true_level_errors(model, out, how);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_LE(truth[i], kSlack * out.levels()[i].error + 1e-9) << "level " << i + 1;
  }
}

// A tube of 48 rings along +Y from 0 to 4, closed by fans; its upper half hangs on the second bone, the middle on both.
Mesh tube() {
  constexpr std::uint32_t kRings = 48, kSegments = 24;
  Mesh mesh;
  for (std::uint32_t ring = 0; ring <= kRings; ++ring) {
    const double height = 4.0 * ring / kRings;
    const auto upper = static_cast<float>(std::clamp(height - 1.5, 0.0, 1.0));
    for (std::uint32_t s = 0; s < kSegments; ++s) {
      const double around = 2.0 * kPi * s / kSegments;
      mesh.positions.emplace_back(0.5 * std::cos(around), height, -0.5 * std::sin(around));
      mesh.normals.emplace_back(std::cos(around), 0.0, -std::sin(around));
      Influences influences;
      influences.bindings = {0, 1, 0, 0};
      influences.weights = {1.0f - upper, upper, 0.0f, 0.0f};
      if (upper > 0.5f) influences = {{1, 0, 0, 0}, {upper, 1.0f - upper, 0.0f, 0.0f}};
      mesh.influences.push_back(influences);
      if (ring == 0) continue;
      const std::uint32_t a = (ring - 1) * kSegments + s, b = (ring - 1) * kSegments + (s + 1) % kSegments;
      mesh.indices.insert(mesh.indices.end(), {a, b, b + kSegments, a, b + kSegments, a + kSegments});
    }
  }
  for (std::uint32_t s = 1; s + 1 < kSegments; ++s) {
    const std::uint32_t top = kRings * kSegments;
    mesh.indices.insert(mesh.indices.end(), {0, s + 1, s, top, top + s, top + s + 1});
  }
  return mesh;
}

// The second bone turns by a right angle, and both scale by `scale`, half-way through the clip.
ModelDraft bending_tube(float scale) {
  ModelDraft draft = still_draft({tube()});
  draft.bones.push_back({"upper", 0u, {{0.0, 2.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}});
  draft.bindings.push_back({1, glm::translate(glm::dmat4(1.0), glm::dvec3(0.0, -2.0, 0.0))});
  Clip clip;
  clip.name = "bend";
  clip.end = 2.0;
  BoneTrack root;
  root.bone = 0;
  root.scale.times = {0.0f, 1.0f, 2.0f};
  root.scale.values = {glm::vec3(1.0f), glm::vec3(scale), glm::vec3(1.0f)};
  BoneTrack upper;
  upper.bone = 1;
  const auto turn = [](double angle) { return glm::quat(glm::angleAxis(angle, glm::dvec3(0.0, 0.0, 1.0))); };
  upper.rotation.times = {0.0f, 1.0f, 2.0f};
  upper.rotation.values = {turn(0.0), turn(0.5 * kPi), turn(0.0)};
  clip.bones = {root, upper};
  draft.clips = {clip};
  return draft;
}

class LevelErrors : public testing::TestWithParam<BakeMode> {};

// At rest every ring but the first and the last can go for nothing.
TEST_P(LevelErrors, CountWhatAClipBends) {
  const Model model = built(bending_tube(1.0f));
  const Character out = baked(model, of_mode(GetParam()));
  ASSERT_GE(out.levels().size(), 3u);
  EXPECT_GT(out.levels().back().error, 0.01);
  expect_true(model, out, {1500, 20});
}

// Positions at rest do not tell that the middle rings matter; how vertices hang on bones does.
TEST_P(LevelErrors, AreKeptSmallWhereVerticesBend) {
  const Model model = built(bending_tube(1.0f));
  const Character out = baked(model, of_mode(GetParam()));
  const std::vector<Corners> ours = triangles_of(out, out.levels()[0].draws);
  const auto errors = true_errors(model, out, {ours, plainly_simplified(model, out, ours.size())}, {1500, 12});
  EXPECT_LT(errors[0], 0.25 * errors[1]);
}

TEST_P(LevelErrors, GrowWithWhatAClipMakesLarger) {
  const Character plain = baked(built(bending_tube(1.0f)), of_mode(GetParam()));
  const Character large = baked(built(bending_tube(86.0f)), of_mode(GetParam()));
  ASSERT_EQ(plain.levels().size(), large.levels().size());
  for (std::size_t i = 0; i < plain.levels().size(); ++i) {
    if (triangle_count(plain.levels()[i].draws) != triangle_count(large.levels()[i].draws)) continue;
    // Each is simplified for its own poses, so that the ratio is not quite that of the scales.
    EXPECT_GT(large.levels()[i].error, 25.0 * plain.levels()[i].error) << i;
  }
  expect_true(built(bending_tube(86.0f)), large, {1500, 20});
}

TEST(LevelErrorsOf, AShortMomentOfALongClip) {
  ModelDraft draft = bending_tube(86.0f);
  Clip& clip = draft.clips[0];
  clip.end = 100.0;
  clip.bones[0].scale.times = {0.0f, 30.3f, 30.9f, 31.6f, 100.0f};
  clip.bones[0].scale.values = {glm::vec3(1.0f), glm::vec3(1.0f), glm::vec3(86.0f), glm::vec3(1.0f), glm::vec3(1.0f)};
  clip.bones[1].rotation.times = {0.0f, 50.0f, 100.0f};
  BakeSettings settings = of_mode(BakeMode::bones);
  settings.frame_rate = 5.0;
  const Character out = baked(built(std::move(draft)), settings);
  const Character small = baked(built(bending_tube(1.0f)), settings);
  ASSERT_EQ(out.levels().size(), small.levels().size());
  for (std::size_t i = 0; i < small.levels().size(); ++i) {
    EXPECT_GT(out.levels()[i].error, 10.0 * small.levels()[i].error) << i;
  }
}

// A sheet upright on z, uneven along x. Nothing bends it, and so it is looked at in few poses: each that scales it
// otherwise, and each in which a morph target is in, also where that is for a hundredth of a second, on lines or a
// spline. It is largest when it is long along z, and coarser levels are off most when its unevenness is.
TEST(LevelErrorsOf, WhatNothingBendsAreTrueInEveryScaleAndTarget) {
  constexpr std::uint32_t kSteps = 24;
  Mesh sheet;
  std::mt19937 random(5);
  for (std::uint32_t i = 0; i <= kSteps; ++i) {
    for (std::uint32_t j = 0; j <= kSteps; ++j) {
      sheet.positions.emplace_back(0.01f * static_cast<float>(random() % 100) / 100.0f, static_cast<float>(i) / kSteps,
                                   static_cast<float>(j) / kSteps);
      sheet.influences.push_back(bound_to(0));
      if (i == kSteps || j == kSteps) continue;
      const std::uint32_t a = i * (kSteps + 1) + j, b = a + kSteps + 1;
      sheet.indices.insert(sheet.indices.end(), {a, b, a + 1, b, b + 1, a + 1});
    }
  }
  const std::vector<float> seconds{0.0f, 1.0f, 2.0f, 3.0f, 4.0f};
  const std::vector<float> brief{0.0f, 1.0f, 3.01f, 3.015f, 3.02f};
  constexpr auto kLines = Interpolation::linear, kSpline = Interpolation::cubic_spline;
  for (const auto& [target, times, by] :
       {std::tuple(false, seconds, kLines), {true, seconds, kLines}, {true, brief, kLines}, {true, brief, kSpline}}) {
    ModelDraft draft = still_draft({sheet});
    Clip clip;
    clip.name = "swell";
    clip.end = 4.0;
    BoneTrack root;
    root.bone = 0;
    root.scale.times = seconds;
    root.scale.values.assign(5, glm::vec3(1.0f));
    root.scale.values[1].z = 9.0f;
    if (!target) root.scale.values[3].x = 9.0f;
    clip.bones = {root};
    if (target) {
      Mesh& mesh = draft.meshes[0];
      mesh.morph_weights = {0.0f};
      mesh.morph_targets = {{"uneven", mesh.positions, {}}};
      for (glm::vec3& moved : mesh.morph_targets[0].positions) moved = {8.0f * moved.x, 0.0f, 0.0f};
      std::vector<float> weights{0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
      // A spline has a slope before and behind each, here none.
      if (by == kSpline) weights = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
      clip.morphs = {{0, {by, times, weights}}};
    }
    draft.clips = {clip};
    const Model model = built(std::move(draft));
    const Character out = baked(model, of_mode(BakeMode::vertices));
    ASSERT_GE(out.levels().size(), 3u);
    EXPECT_GT(out.levels()[1].error, 0.03);
    expect_true(model, out, {1500, 20});
  }
}

// Eighty clips, in one of which the model is large for a moment.
TEST(LevelErrorsOf, OneClipOfMany) {
  ModelDraft draft = bending_tube(86.0f);
  Clip still = bending_tube(1.0f).clips[0];
  for (int i = 0; i < 80; ++i) {
    still.name = fmt::format("clip {}", i);
    draft.clips.push_back(still);
  }
  std::swap(draft.clips[0], draft.clips[40]);
  BakeSettings settings = of_mode(BakeMode::bones);
  settings.frame_rate = 5.0;
  const Character many = baked(built(std::move(draft)), settings);
  const Character small = baked(built(bending_tube(1.0f)), settings);
  ASSERT_EQ(many.levels().size(), small.levels().size());
  for (std::size_t i = 0; i < small.levels().size(); ++i) {
    EXPECT_GT(many.levels()[i].error, 10.0 * small.levels()[i].error) << i;
  }
}

// Among many clips few times of each can be looked at. Bones that breathe have most of their extremes before the moment
// in which the model is large: it counts all the same, since there the change is largest.
TEST(LevelErrorsOf, AShortMomentBehindManySmallerOnes) {
  constexpr int kBreathing = 150;
  ModelDraft draft = bending_tube(1.0f);
  Clip still = draft.clips[0];
  Clip& clip = draft.clips[0];
  clip.end = 20.0;
  clip.bones[0].scale.times = {0.0f, 15.19f, 15.2f, 15.21f, 20.0f};
  clip.bones[0].scale.values = {glm::vec3(1.0f), glm::vec3(1.0f), glm::vec3(86.0f), glm::vec3(1.0f), glm::vec3(1.0f)};
  clip.bones[1].rotation.times = {0.0f, 15.2f, 20.0f};
  for (int i = 0; i < kBreathing; ++i) {
    const auto bone = static_cast<std::uint32_t>(draft.bones.size());
    draft.bones.push_back({fmt::format("breath {}", i), 0u, {}});
    BoneTrack track{.bone = bone, .translation = {}, .rotation = {}, .scale = {}};
    const float from = 0.05f * static_cast<float>(i);
    track.scale.times = {from, from + 0.02f, from + 0.04f};
    track.scale.values = {glm::vec3(1.0f), glm::vec3(1.01f), glm::vec3(1.0f)};
    clip.bones.push_back(track);
  }
  for (int i = 0; i < 40; ++i) {
    still.name = fmt::format("clip {}", i);
    draft.clips.push_back(still);
  }
  BakeSettings settings = of_mode(BakeMode::bones);
  settings.frame_rate = 5.0;
  const Character out = baked(built(std::move(draft)), settings);
  const Character small = baked(built(bending_tube(1.0f)), settings);
  ASSERT_EQ(out.levels().size(), small.levels().size());
  for (std::size_t i = 0; i < small.levels().size(); ++i) {
    EXPECT_GT(out.levels()[i].error, 10.0 * small.levels()[i].error) << i;
  }
}

TEST_P(LevelErrors, AreTheSameOnAnyNumberOfThreads) {
  const Model model = built(bending_tube(2.0f));
  ThreadExecutor executor(3);
  const auto parallel = bake(model, of_mode(GetParam()), executor);
  const Character serial = baked(model, of_mode(GetParam()));
  ASSERT_TRUE(parallel.has_value());
  ASSERT_EQ(parallel->levels().size(), serial.levels().size());
  for (std::size_t i = 0; i < serial.levels().size(); ++i) {
    EXPECT_EQ(parallel->levels()[i].error, serial.levels()[i].error);
  }
}

// A few of its clips, from the first to the last: OneClipOfMany is for the others.
Model with_few_clips(const Model& model) {
  constexpr std::size_t kFew = 4;
  ModelDraft draft = model.draft();
  std::size_t number = 0;
  const std::size_t step = draft.clips.size() / kFew + 1;
  std::erase_if(draft.clips, [&](const Clip&) { return number++ % step != 0; });
  return built(std::move(draft));
}

// Four shields lie in one another on one hand, and a character wears one of them.
TEST(LevelErrorsOf, APartHoldWhereItIsWornAlone) {
  const auto imported = load("kaykit/Knight.glb");
  if (!imported) GTEST_SKIP() << "no shared models here";
  const Model model = with_few_clips(imported->model);
  BakeSettings settings = of_mode(BakeMode::bones);
  settings.levels = BakeSettings{}.levels;
  ThreadExecutor executor(2);
  const auto out = bake(model, settings, executor);
  ASSERT_TRUE(out) << out.error().message;
  ASSERT_FALSE(out->part_groups().empty());
  for (const PartGroup& group : out->part_groups()) {
    for (const PartId part : group.parts) {
      SCOPED_TRACE(out->parts()[part.value].name);
      expect_true(model, *out, {300, 2, part});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, LevelErrors, testing::Values(BakeMode::bones, BakeMode::vertices),
                         [](const auto& mode) { return mode.param == BakeMode::bones ? "bones" : "vertices"; });

}  // namespace
}  // namespace throng
