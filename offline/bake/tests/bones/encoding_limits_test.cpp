// SPDX-License-Identifier: Apache-2.0
// What each encoding can hold and what it refuses: scale, mirrors, constant transforms, morph targets.
#include <algorithm>

#include "encodings_where.h"
#include "small_models.h"

namespace throng {
namespace {

BoneTrack scaling(std::uint32_t bone, std::vector<glm::vec3> values) {
  BoneTrack track;
  track.bone = bone;
  for (std::size_t i = 0; i < values.size(); ++i) track.scale.times.push_back(static_cast<float>(i) / 30.0f);
  track.scale.values = std::move(values);
  return track;
}

Model scaled_bar(std::vector<glm::vec3> values) {
  ModelDraft draft = bar_draft();
  draft.clips.push_back(clip_of("grow", {scaling(1, std::move(values))}));
  return built(draft);
}

// Spec F5.
TEST(EncodingLimits, NonUniformScaleIsBakedAsRowsAndSaidSo) {
  const Model model = scaled_bar({{1, 1, 1}, {1, 1, 1}, {1.0f, 1.2f, 1.0f}, {1, 1, 1}});
  const Character out = baked(model);
  EXPECT_EQ(out.clips()[0].encoding, Encoding::rows);
  EXPECT_LT(out.error().at_frames.max_mm, 0.1);
  EXPECT_LT(out.error().at_frames.normal_max_degrees, 0.01) << "normals by the inverse transpose";
  const auto said = std::find_if(out.notes().begin(), out.notes().end(), [](const std::string& note) {
    return note.find("'grow' is baked as rows: bone 'upper' at 0.067 s scales non-uniformly") != std::string::npos;
  });
  EXPECT_NE(said, out.notes().end());
}

TEST(EncodingLimits, MirroringIsBakedAsRows) {
  const Model model = scaled_bar({{1, 1, 1}, {1, 1, 1}, {-1, -1, -1}});
  const Character out = baked(model);
  EXPECT_EQ(out.clips()[0].encoding, Encoding::rows);
  for (int frame = 0; frame < 3; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 2e-4) << frame;
}

TEST(EncodingLimits, WhatTheEncodingAskedForCannotHoldIsRefusedByName) {
  const Model model = scaled_bar({{1, 1, 1}, {1, 1, 1}, {1.0f, 1.2f, 1.0f}, {1, 1, 1}});
  for (const Encoding encoding : test::bone_encodings()) {
    if (is_affine_encoding(encoding)) continue;
    const std::string message = refusal(model, {.encoding = encoding});
    EXPECT_NE(message.find("'grow'"), std::string::npos) << message;
    EXPECT_NE(message.find("'upper'"), std::string::npos) << message;
    EXPECT_NE(message.find("0.067 s"), std::string::npos) << message;
    EXPECT_NE(message.find("non-uniformly"), std::string::npos) << message;
    EXPECT_NE(message.find("bake it as rows, half-rows"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal(model, {.encoding = Encoding::rows}), "");
  EXPECT_EQ(refusal(model, {.encoding = Encoding::half_rows}), "");
}

TEST(EncodingLimits, AScaleThatChangesIsRefusedWhereAClipHasOnlyOne) {
  const Model model = scaled_bar({glm::vec3(1.0f), glm::vec3(1.1f), glm::vec3(1.0f)});
  for (const Encoding encoding : test::one_scale_encodings()) {
    const std::string message = refusal(model, {.encoding = encoding});
    EXPECT_NE(message.find("'upper' at 0.033 s is scaled by 1.1"), std::string::npos) << message;
    EXPECT_NE(message.find("q16, x16, rows, half-quaternion, half-rows"), std::string::npos) << message;
  }
  EXPECT_EQ(refusal(model, {.encoding = Encoding::x16}), "");
}

// All bones scaled alike, and not by one: that is one scale, and q12 and q8 hold it.
TEST(EncodingLimits, OneScaleForAllOfAClipIsHeldByTheSmallEncodings) {
  ModelDraft draft = bar_draft();
  BoneTrack both = scaling(0, {glm::vec3(1.7f), glm::vec3(1.7f), glm::vec3(1.7f)});
  both.rotation = turning(0, {1, 0, 0}, 3, 30.0, 0.0, [](double t) { return t; }).rotation;
  draft.clips.push_back(clip_of("grown", {both}));
  const Model model = built(draft);
  for (const Encoding encoding : test::one_scale_encodings()) {
    const Character out = baked(model, {.encoding = encoding});
    EXPECT_NEAR(out.clips()[0].range.scale_max, 1.7, 1e-5);
    EXPECT_LT(error_at(model, out, 0, 1.0 / 30.0), encoding == Encoding::q8 ? 5e-3 : 4e-4);
  }
}

TEST(EncodingLimits, PlacesThatHalfFloatsDoNotReachAreRefused) {
  ModelDraft draft = bar_draft();
  BoneTrack away;
  away.translation.times = {0.0f, 1.0f};
  away.translation.values = {glm::vec3(0.0f), glm::vec3(70000.0f, 0.0f, 0.0f)};
  draft.clips.push_back(clip_of("away", {away}));
  const Model model = built(draft);
  EXPECT_NE(refusal(model, {.encoding = Encoding::half_quaternion}).find("where half floats end at 65504"),
            std::string::npos);
  EXPECT_NE(refusal(model, {.encoding = Encoding::half_rows}).find("where half floats end at 65504"),
            std::string::npos);
  EXPECT_EQ(refusal(model, {.encoding = Encoding::x16}), "");
}

TEST(EncodingLimits, ScaleWithinHalfAPercentIsAccepted) {
  EXPECT_EQ(baked(scaled_bar({{1, 1, 1}, {1.0f, 1.004f, 1.0f}, {1, 1, 1}})).clips()[0].encoding, Encoding::q16);
  EXPECT_EQ(baked(scaled_bar({{1, 1, 1}, {1.0f, 1.007f, 1.0f}, {1, 1, 1}})).clips()[0].encoding, Encoding::rows);
}

TEST(EncodingLimits, UniformPulseIsKept) {
  std::vector<glm::vec3> values;
  for (int i = 0; i <= 30; ++i) values.emplace_back(static_cast<float>(1.0 + 0.15 * std::sin(2.0 * kPi * i / 30.0)));
  const Model model = scaled_bar(values);
  const Character out = baked(model);
  for (int frame = 0; frame < 30; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 1e-4) << frame;
  EXPECT_NEAR(out.clips()[0].range.scale_max, 1.15, 0.001);
}

// While it is hidden it keeps the rotation it had, so that it shrinks and grows in place instead of spinning.
TEST(EncodingLimits, ABoneHiddenByScaleZeroComesBackAsItWas) {
  ModelDraft draft = bar_draft();
  BoneTrack track = scaling(1, {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {0.5f, 0.5f, 0.5f}});
  track.rotation = turning(1, {0, 0, 1}, 5, 30.0, 0.0, [](double t) { return 1.0 + t; }).rotation;
  draft.clips.push_back(clip_of("grow", {track}));
  const Model model = built(draft);
  const Character out = baked(model);
  for (int frame = 0; frame < 5; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 1e-4) << frame;
  const BakedClip& clip = out.clips()[0];
  const auto frame = out.atlas().frame(frame_layout(out, clip), 0, 1);
  const BoneSample hidden = decode_bone(clip.encoding, frame.subspan(4, 4), clip.range);
  EXPECT_EQ(hidden.scale, 0.0);
  EXPECT_NEAR(2.0 * std::atan2(hidden.rotation.z, hidden.rotation.w), 1.0, 1e-3);
}

TEST(EncodingLimits, ABoneHiddenAtRestIsBakedFromAFrameThatShowsIt) {
  ModelDraft draft = bar_draft();
  draft.bones[0].rest.scale = glm::dvec3(0.0);
  draft.clips.push_back(clip_of("appear", {scaling(0, {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}})}));
  const Model model = built(draft);
  const Character out = baked(model);
  for (int frame = 0; frame < 3; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 4e-4) << frame;
}

// A skeleton under a node of scale 0.01 turned by 90°, as many exporters leave it: the same character, and not a bit
// less exact.
TEST(EncodingLimits, ConstantTransformsAboveTheSkeletonCostNothing) {
  ModelDraft draft = swaying_bar();
  Bone armature{"armature", std::nullopt, {}};
  armature.rest.scale = glm::dvec3(0.01);
  armature.rest.rotation = glm::angleAxis(kPi / 2.0, glm::dvec3(1, 0, 0));
  armature.rest.translation = {3.0, -1.0, 2.0};
  draft.bones.insert(draft.bones.begin(), armature);
  draft.bones[1].parent = 0u;
  draft.bones[2].parent = 1u;
  for (Binding& binding : draft.bindings) ++binding.bone;
  for (Clip& clip : draft.clips) {
    for (BoneTrack& track : clip.bones) ++track.bone;
  }
  const Model model = built(draft);
  const Character out = baked(model);
  const Character plain = baked(built(swaying_bar()));
  EXPECT_EQ(out.clips()[0].range.scale_max, 1.0);
  EXPECT_NEAR(glm::length(out.bounds().size()), 0.01 * glm::length(plain.bounds().size()), 0.01);
  // The bar lies along z there, so its height is another: compare in model units. Its vertices are floats around 3.
  EXPECT_LT(out.error().at_frames.max_mm / out.error().mm_per_unit,
            0.01 * plain.error().at_frames.max_mm / plain.error().mm_per_unit + 2e-7);
  EXPECT_LT(error_at(model, out, 0, 0.1), 1e-6 + 0.01 * 2e-4);
}

// A mesh stored in odd units and mirrored by its bind matrix: still rigid once that is folded, with its triangles
// turned outwards again.
TEST(EncodingLimits, AMirroringBindMatrixIsFoldedIntoTheMesh) {
  ModelDraft draft = swaying_bar();
  glm::dmat4 odd(1.0);
  odd[0][0] = -3.0;
  odd[1][1] = 0.5;
  for (Binding& binding : draft.bindings) binding.bone_from_mesh = binding.bone_from_mesh * odd;
  for (glm::vec3& p : draft.meshes[0].positions) p *= glm::vec3(-1.0f / 3.0f, 2.0f, 1.0f);
  for (glm::vec3& n : draft.meshes[0].normals) n = glm::normalize(n * glm::vec3(-3.0f, 0.5f, 1.0f));
  for (std::size_t i = 0; i < draft.meshes[0].indices.size(); i += 3) {
    std::swap(draft.meshes[0].indices[i + 1], draft.meshes[0].indices[i + 2]);
  }
  const Character plain = baked(built(swaying_bar()));
  const Character out = baked(built(draft));
  ASSERT_EQ(out.vertices().size(), plain.vertices().size());
  for (std::size_t v = 0; v < out.vertices().size(); ++v) {
    EXPECT_LT(glm::distance(baked_vertex(out, v).position, baked_vertex(plain, v).position), 1e-5f);
    EXPECT_LT(glm::distance(baked_vertex(out, v).normal, baked_vertex(plain, v).normal), 1e-5f);
  }
  for (std::size_t i = 0; i < out.draws()[0].index_count; i += 3) {
    const auto corner = [&](std::size_t k) { return out.vertices()[out.indices()[i + k]]; };
    const glm::vec3 face = glm::cross(corner(1).position - corner(0).position, corner(2).position - corner(0).position);
    EXPECT_GT(glm::dot(face, corner(0).normal), 0.0f) << "a triangle is inside out";
  }
}

ModelDraft morphing_bar() {
  ModelDraft draft = swaying_bar();
  Mesh& mesh = draft.meshes[0];
  mesh.morph_targets = {{"wide", std::vector<glm::vec3>(mesh.positions.size(), {0.5f, 0.0f, 0.0f}), {}}};
  mesh.morph_weights = {0.5f};
  return draft;
}

TEST(EncodingLimits, MorphTargetsAtRestAreInTheMesh) {
  const Character out = baked(built(morphing_bar()));
  const Character plain = baked(built(swaying_bar()));
  EXPECT_NEAR(baked_vertex(out, 7).position.x - baked_vertex(plain, 7).position.x, 0.25f, 1e-6f);
  EXPECT_LT(out.error().at_frames.max_mm, 0.5);
}

TEST(EncodingLimits, AnimatedMorphTargetsAreDroppedWhereThatIsAskedFor) {
  ModelDraft draft = morphing_bar();
  MorphTrack track;
  track.weights.times = {0.0f, 1.0f};
  track.weights.values = {0.0f, 1.0f};
  draft.clips[0].morphs = {track};
  const Model model = built(draft);
  EXPECT_EQ(baked(model).morphs().targets.size(), 1u);
  const Character out = baked(model, {.drop_morphs = true, .notes = {"from the import"}});
  EXPECT_TRUE(out.morphs().empty());
  ASSERT_GE(out.notes().size(), 2u);
  EXPECT_EQ(out.notes()[0], "from the import");
  EXPECT_TRUE(std::any_of(out.notes().begin(), out.notes().end(), [](const std::string& note) {
    return note.find("morph targets dropped from 1 clip:") != std::string::npos;
  }));
}

TEST(EncodingLimits, SettingsOutOfRangeAreRefused) {
  const Model model = built(swaying_bar());
  EXPECT_NE(refusal(model, {.frame_rate = 0.0}), "");
  EXPECT_NE(refusal(model, {.frame_rate = std::nan("")}), "");
  EXPECT_NE(refusal(model, {.max_atlas_size = 8}), "");
  EXPECT_NE(refusal(model, {.max_atlas_size = 20000}), "");
  EXPECT_NE(refusal(model, {.max_error_mm = -1.0}), "");
  EXPECT_NE(refusal(model, {.levels = 0}), "");
  EXPECT_NE(refusal(model, {.encoding = Encoding::v8}).find("takes one of q16"), std::string::npos);
  EXPECT_NE(refusal(model, {.mode = BakeMode::vertices, .encoding = Encoding::q8}).find("takes one of v8"),
            std::string::npos);
  ModelDraft empty = swaying_bar();
  empty.meshes[0].indices.clear();
  EXPECT_NE(refusal(built(empty)).find("no triangles"), std::string::npos);
}

}  // namespace
}  // namespace throng
