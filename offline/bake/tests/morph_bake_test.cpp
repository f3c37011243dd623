// SPDX-License-Identifier: Apache-2.0
// Morph targets in a bake of bones: kept where they show, within the bound, and small.
#include "levels/level_truth.h"
#include "shared_models.h"
#include "vertices/vertex_models.h"

namespace throng {
namespace {

std::string notes_of(const Character& out) {
  std::string all;
  for (const std::string& note : out.notes()) all += note + "\n";
  return all;
}

// A bar of two bones that blinks: the target is in for a tenth of a second, while the bones sway slowly.
ModelDraft blinking_bar(float reach) {
  ModelDraft draft = swaying_bar();
  Mesh& mesh = draft.meshes[0];
  MorphTarget blink{"blink", {}, {}};
  for (const glm::vec3& p : mesh.positions) {
    blink.positions.push_back(p.y > 1.5f ? glm::vec3(0.0f, 0.0f, reach) : glm::vec3(0.0f));
  }
  mesh.morph_targets = {blink};
  mesh.morph_weights = {0.0f};
  MorphTrack track;
  track.weights.times = {0.0f, 0.45f, 0.5f, 0.55f, 1.0f};
  track.weights.values = {0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
  draft.clips[0].morphs = {track};
  return draft;
}

TEST(MorphBake, TheReportIsWhatIsMeasured) {
  const Model model = built(swelling_bar());
  for (const Encoding encoding : {Encoding::q16, Encoding::rows, Encoding::local8, Encoding::localv}) {
    const Character out = baked(model, {.encoding = encoding});
    EXPECT_EQ(out.morphs().targets.size(), 3u);
    expect_report_is_true(model, out, std::string(name_of(encoding)));
  }
}

TEST(MorphBake, StaysWithinTheBound) {
  const Model model = built(swelling_bar());
  for (const double bound : {1.0, 0.2}) {
    const Character out = bounded(model, {.max_error_mm = bound});
    const MeasuredError error = measured_error(model, out, 0);
    EXPECT_LE(std::max(error.at_frames, error.between) * out.error().mm_per_unit, bound);
    EXPECT_LE(out.error().between.max_mm, bound);
    EXPECT_LT(out.error().at_frames.normal_max_degrees, 0.5);
    EXPECT_FALSE(out.morphs().empty());
  }
}

// Frames enough for the bones are too few for the face: it has rows of its own between them.
TEST(MorphBake, AFaceMayMoveFasterThanBonesNeedFrames) {
  const Model model = built(blinking_bar(0.2f));
  const Character out = bounded(model, {.max_error_mm = 1.0});
  const BakedClip& clip = out.clips()[0];
  EXPECT_GT(clip.morph_steps, 1u) << clip.choice;
  const MeasuredError error = measured_error(model, out, 0);
  EXPECT_LE(std::max(error.at_frames, error.between) * out.error().mm_per_unit, 1.0);
  EXPECT_LE(out.error().between.max_mm, 1.0);
}

TEST(MorphBake, OnlyTargetsThatShowAreKept) {
  const Character none = bounded(built(blinking_bar(1e-5f)), {.max_error_mm = 1.0});
  EXPECT_TRUE(none.morphs().empty());
  EXPECT_NE(notes_of(none).find("1 morph target is moved so little"), std::string::npos) << notes_of(none);
  ModelDraft draft = blinking_bar(0.2f);
  draft.meshes[0].morph_targets.push_back(draft.meshes[0].morph_targets[0]);
  draft.meshes[0].morph_targets[1].name = "never";
  draft.meshes[0].morph_weights = {0.0f, 0.0f};
  draft.clips[0].morphs[0].weights.values = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
  const Character one = bounded(built(draft), {.max_error_mm = 1.0});
  ASSERT_EQ(one.morphs().targets.size(), 1u);
  EXPECT_EQ(one.morphs().targets[0].name, "blink");
}

// Each moves so little that it would be left out alone; all of them together show.
TEST(MorphBake, TargetsThatDoNotShowMayAddUpToWhatDoes) {
  constexpr std::size_t kTargets = 40;
  ModelDraft draft = blinking_bar(1e-5f);
  draft.meshes[0].morph_targets.resize(kTargets, draft.meshes[0].morph_targets[0]);
  draft.meshes[0].morph_weights.assign(kTargets, 0.0f);
  std::vector<float>& values = draft.clips[0].morphs[0].weights.values;
  values.assign(5 * kTargets, 0.0f);
  std::fill_n(values.begin() + 2 * kTargets, kTargets, 1.0f);
  const Character out = bounded(built(draft), {.max_error_mm = 1.0});
  EXPECT_FALSE(out.morphs().empty());
  EXPECT_NE(notes_of(out).find("are moved so little"), std::string::npos) << notes_of(out);
}

// One face in two materials is two meshes with the same weights.
TEST(MorphBake, TargetsThatMoveTogetherAreOne) {
  ModelDraft draft = blinking_bar(0.2f);
  draft.meshes.push_back(draft.meshes[0]);
  draft.meshes[1].primitive = 1;
  for (glm::vec3& p : draft.meshes[1].positions) p.x += 1.0f;
  draft.clips[0].morphs.push_back(draft.clips[0].morphs[0]);
  draft.clips[0].morphs[1].mesh = 1;
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  EXPECT_EQ(out.morphs().targets.size(), 1u);
  const MeasuredError error = measured_error(model, out, 0);
  EXPECT_LE(std::max(error.at_frames, error.between) * out.error().mm_per_unit, 1.0);
}

TEST(MorphBake, AFaceMovesOnBonesThatStandStill) {
  ModelDraft draft = blinking_bar(0.2f);
  draft.clips[0].bones.clear();
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  EXPECT_GT(out.clips()[0].frame_count, 1u);
  EXPECT_LE(measured_error(model, out, 0).between * out.error().mm_per_unit, 1.0);
  const ExactCursor shut = cursor_at_time(out.clips()[0], 0.5);
  EXPECT_NEAR(morph_weights(out.draft(), out.clips()[0], shut.cursor, shut.blend).at(0), 1.0, 0.01);
}

TEST(MorphBake, WhatJumpsIsBakedAsCloseAsItGoesAndAWayOutIsSaid) {
  ModelDraft draft = blinking_bar(0.2f);
  draft.clips[0].morphs[0].weights.interpolation = Interpolation::step;
  const Character out = bounded(built(draft), {.max_error_mm = 1.0});
  EXPECT_TRUE(warns(out, "too suddenly"));
  EXPECT_TRUE(warns(out, "`drop_morphs`"));
  EXPECT_FALSE(out.morphs().empty());
}

TEST(MorphBake, BoundsAndLevelsHaveTargetsIn) {
  const Model model = built(blinking_bar(3.0f));
  const Character out = bounded(model, {.max_error_mm = 1.0});
  const auto shut = source_vertices(model, out, sample(model, model.clips()[0], 0.5));
  Bounds truth_bounds;
  for (const glm::dvec3& position : shut.positions) truth_bounds.add(position);
  const Character plain = bounded(model, {.max_error_mm = 1.0, .drop_morphs = true});
  EXPECT_GT(truth_bounds.max.z, plain.bounds().max.z + 1.0);
  EXPECT_GE(out.bounds().max.z, truth_bounds.max.z - 1e-3);
  const std::vector<double> truth = true_level_errors(model, out);
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_LE(truth[i], 1.1 * out.levels()[i].error + 1e-9);
}

// Culling goes by the boxes of the parts that somebody wears.
TEST(MorphBake, ThePartsBoxesHaveTargetsIn) {
  ModelDraft draft = blinking_bar(3.0f);
  draft.meshes.push_back(draft.meshes[0]);
  draft.meshes[0].part = "face";
  draft.meshes[1].part = "body";
  draft.meshes[1].node = 1;
  draft.meshes[1].morph_targets.clear();
  draft.meshes[1].morph_weights.clear();
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  ASSERT_EQ(out.parts().size(), 2u);
  const BakedPart& face = out.parts()[out.parts()[0].name == "face" ? 0 : 1];
  const BakedPart& body = out.parts()[out.parts()[0].name == "face" ? 1 : 0];
  EXPECT_GT(face.bounds.max.z, body.bounds.max.z + 1.0);
  const auto shut = sample(model, model.clips()[0], 0.5);
  for (const glm::dvec3& position : skin_mesh(model, 0, shut, skinning_palette(model, shut)).positions) {
    EXPECT_TRUE(glm::all(glm::lessThanEqual(position, face.bounds.max + 1e-3)));
    EXPECT_TRUE(glm::all(glm::greaterThanEqual(position, face.bounds.min - 1e-3)));
  }
}

double worst_mm(const Model& model, const Character& out) {
  const MeasuredError error = measured_error(model, out, 0);
  return std::max(error.at_frames, error.between) * out.error().mm_per_unit;
}

// The upper bone is a hundred times as large for a moment that none of a few even looks sees.
ModelDraft swelling_for_a_moment(float reach) {
  ModelDraft draft = blinking_bar(reach);
  draft.clips[0].morphs[0].weights.values = {0.0f, 1.0f, 1.0f, 1.0f, 0.0f};
  BoneTrack& upper = draft.clips[0].bones.back();
  upper.scale.times = {0.0f, 0.54f, 0.55f, 0.56f, 1.0f};
  upper.scale.values = {glm::vec3(1.0f), glm::vec3(1.0f), glm::vec3(100.0f), glm::vec3(1.0f), glm::vec3(1.0f)};
  return draft;
}

// How far a target moves what it moves is told by the poses of the clips, however short.
TEST(MorphBake, ATargetOnABoneThatSwellsForAMomentIsKept) {
  const Model model = built(swelling_for_a_moment(1e-4f));
  const Character out = bounded(model, {.max_error_mm = 1.0});
  const double seen_mm = 1e-4 * 100.0 * out.error().mm_per_unit;
  ASSERT_GT(seen_mm, 1.0);
  EXPECT_EQ(out.morphs().targets.size(), 1u) << notes_of(out);
}

// The same where scales are stored a thousand times a second, as far as they can be, more often than is looked.
TEST(MorphBake, ATargetOnABoneThatSwellsAtOneKeyOfVeryManyIsKept) {
  ModelDraft draft = swelling_for_a_moment(1e-4f);
  Curve<glm::vec3>& scale = draft.clips[0].bones.back().scale;
  scale = {};
  for (int key = 0; key <= 1000; ++key) {
    scale.times.push_back(0.001f * static_cast<float>(key));
    scale.values.emplace_back(key == 549 ? 100.0f : 1.0f);
  }
  const Character out = bounded(built(draft), {.max_error_mm = 1.0});
  EXPECT_EQ(out.morphs().targets.size(), 1u) << notes_of(out);
}

// A scale along a diagonal of the bone's axes stretches by more than any column of its matrix is long.
TEST(MorphBake, WhatAScaleAcrossTheAxesStretchesIsCountedInFull) {
  ModelDraft draft = blinking_bar(0.0f);
  const glm::dmat4 turn = glm::mat4_cast(glm::angleAxis(0.25 * kPi, glm::dvec3(0, 0, 1)));
  for (Binding& binding : draft.bindings) binding.bone_from_mesh = turn * binding.bone_from_mesh;
  BoneTrack& upper = draft.clips[0].bones.back();
  upper.scale.times = {0.0f};
  upper.scale.values = {glm::vec3(100.0f, 0.01f, 0.01f)};
  draft.clips[0].bones = {upper};
  const double mm_per_unit = bounded(built(draft), {.max_error_mm = 1.0}).error().mm_per_unit;
  // A sixteenth of the bound is what targets may be left out for.
  const auto kept = [&](double mm) {
    const float reach = static_cast<float>(mm / mm_per_unit / 100.0);
    for (glm::vec3& offset : draft.meshes[0].morph_targets[0].positions)
      offset = glm::vec3(reach, -reach, 0.0f) / std::sqrt(2.0f);
    return bounded(built(draft), {.max_error_mm = 1.0}).morphs().targets.size();
  };
  EXPECT_EQ(kept(1.1 / 16.0), 1u);
  EXPECT_EQ(kept(0.9 / 16.0), 0u);
}

// One vertex is moved far; another by a thousandth of that, on a bone that makes it show all the same.
TEST(MorphBake, ASmallDeltaOnALargeBoneIsKept) {
  ModelDraft draft = swelling_for_a_moment(1e-4f);
  Mesh& mesh = draft.meshes[0];
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (mesh.positions[v].y < 0.1f) mesh.morph_targets[0].positions[v] = glm::vec3(0.0f, 0.0f, 1.0f);
  }
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  const auto above = std::ranges::count_if(out.morphs().vertices, [&](const MorphedVertex& moved) {
    return out.vertices()[moved.vertex].position.y > 1.5f;
  });
  EXPECT_GT(above, 0);
}

// Forty targets that all move one end far, and the other by a hair: together that is more than the bound.
TEST(MorphBake, SmallDeltasOfManyTargetsAddUp) {
  constexpr std::size_t kTargets = 40;
  ModelDraft draft = blinking_bar(0.0f);
  const double mm_per_unit = bounded(built(draft), {.max_error_mm = 1.0}).error().mm_per_unit;
  const auto hair = static_cast<float>(0.9 / 16.0 / mm_per_unit);
  Mesh& mesh = draft.meshes[0];
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    mesh.morph_targets[0].positions[v] = {0.0f, 0.0f, mesh.positions[v].y < 0.1f ? 0.02f : hair};
  mesh.morph_targets.resize(kTargets, mesh.morph_targets[0]);
  mesh.morph_weights.assign(kTargets, 0.0f);
  std::vector<float>& values = draft.clips[0].morphs[0].weights.values;
  values.assign(5 * kTargets, 0.0f);
  for (std::size_t t = 0; t < kTargets; ++t) {
    values[kTargets + t] = 0.001f * static_cast<float>(t);  // so that no two are one
    values[2 * kTargets + t] = 1.0f;
  }
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  ASSERT_EQ(out.morphs().targets.size(), kTargets);
  EXPECT_LE(worst_mm(model, out), 1.0) << out.clips()[0].choice;
}

// Two targets that always move together add up: rows between frames are as close as their sum needs.
TEST(MorphBake, TargetsOfOneMeshThatMoveTogetherAddUp) {
  ModelDraft draft = blinking_bar(0.005f);
  Mesh& mesh = draft.meshes[0];
  MorphTrack& track = draft.clips[0].morphs[0];
  track.weights.times.clear();
  track.weights.values.clear();
  mesh.morph_targets.resize(40, mesh.morph_targets[0]);
  mesh.morph_weights.resize(40, 0.0f);
  for (int key = 0; key <= 50; ++key) {
    track.weights.times.push_back(0.02f * static_cast<float>(key));
    const auto weight = static_cast<float>(std::pow(std::sin(kPi * key / 50.0), 4.0));
    track.weights.values.insert(track.weights.values.end(), 40, weight);
  }
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  EXPECT_EQ(out.morphs().targets.size(), 1u);
  EXPECT_LE(worst_mm(model, out), 1.0) << out.clips()[0].choice;
}

// A spline may swing out between two keys and be at rest at both and half-way.
TEST(MorphBake, ASplineThatSwingsBetweenItsKeysIsSeen) {
  ModelDraft draft = blinking_bar(0.2f);
  MorphTrack& track = draft.clips[0].morphs[0];
  track.weights = {Interpolation::cubic_spline, {0.0f, 1.0f}, {5.0f, 0.0f, 5.0f, 5.0f, 0.0f, 5.0f}};
  const Model model = built(draft);
  const Character out = bounded(model, {.max_error_mm = 1.0});
  ASSERT_EQ(out.morphs().targets.size(), 1u);
  EXPECT_LE(worst_mm(model, out), 1.0);
}

// The mannequin with a face: three targets above its neck, each moved in every clip.
Model mannequin_with_a_face() {
  ModelDraft draft = test::mannequin_model().draft();
  for (std::uint32_t m = 0; m < draft.meshes.size(); ++m) {
    Mesh& mesh = draft.meshes[m];
    for (const char* name : {"blink", "smile", "frown"}) {
      MorphTarget target{name, {}, {}};
      const float way = 0.01f * static_cast<float>(mesh.morph_targets.size() + 1);
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const bool face = mesh.positions[v].y > 1.5f;
        target.positions.push_back(face ? way * mesh.normals[v] : glm::vec3(0.0f));
        target.normals.push_back(face ? glm::vec3(0.0f, 10.0f * way, 0.0f) : glm::vec3(0.0f));
      }
      mesh.morph_targets.push_back(target);
      mesh.morph_weights.push_back(0.0f);
    }
    for (Clip& clip : draft.clips) {
      MorphTrack track{m, {}};
      for (int key = 0; key <= 10; ++key) {
        track.weights.times.push_back(static_cast<float>(clip.start + clip.length() * key / 10.0));
        for (int target = 0; target < 3; ++target)
          track.weights.values.push_back(static_cast<float>(std::abs(std::sin(kPi * key * (target + 1) / 10.0))));
      }
      clip.morphs.push_back(track);
    }
  }
  return built(draft);
}

TEST(MorphBake, AFaceCostsKilobytesBesideTheBones) {
  const Model model = mannequin_with_a_face();
  const BakeSettings settings{.max_error_mm = 1.0, .clips = {"walk", "wave", "idle"}, .levels = 1, .near = false};
  const Character out = bounded(model, settings);
  ASSERT_EQ(out.morphs().targets.size(), 3u);
  EXPECT_LE(std::max(out.error().at_frames.max_mm, out.error().between.max_mm), 1.0);
  std::uint64_t frames = 0;
  for (const BakedClip& clip : out.clips()) frames += clip.frame_count;
  const std::uint64_t as_vertices = 8 * frames * out.vertices().size();
  const std::uint64_t bytes = out.morphs().bytes() + out.atlas().words.size_bytes();
  EXPECT_LT(out.morphs().vertices.size(), out.vertices().size() / 2);
  EXPECT_LT(bytes, as_vertices / 40) << "even at as few frames";
  RecordProperty("face", fmt::format("{} bytes beside {} of bones, {} as vertices, {:.3g} mm", out.morphs().bytes(),
                                     out.atlas().words.size_bytes(), as_vertices, out.error().between.max_mm));
}

// What a face costs: kilobytes, where its vertices take a hundred times as many.
TEST(MorphBake, TakesKilobytes) {
  for (const char* file : {"khronos/AnimatedMorphCube/AnimatedMorphCube.glb", "khronos/SimpleMorph/SimpleMorph.gltf",
                           "blenderio/01_cs_morph/01_cs_morph.gltf"}) {
    const auto imported = load(file);
    if (!imported) GTEST_SKIP() << "no shared models";
    SCOPED_TRACE(file);
    const Character out = bounded(imported->model, {.max_error_mm = 1.0});
    EXPECT_LE(std::max(out.error().at_frames.max_mm, out.error().between.max_mm), 1.0);
    EXPECT_LT(out.morphs().bytes() + out.atlas().words.size_bytes(), 20000u);
    RecordProperty(file, fmt::format("{} bytes, {:.3g} mm", out.morphs().bytes(), out.error().between.max_mm));
  }
}

}  // namespace
}  // namespace throng
