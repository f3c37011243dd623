// What q16 can hold and what it refuses: scale, mirrors, constant transforms, morph targets.
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
TEST(EncodingLimits, NonUniformScaleIsRefusedByName) {
  const std::string message = refusal(scaled_bar({{1, 1, 1}, {1, 1, 1}, {1.0f, 1.2f, 1.0f}, {1, 1, 1}}));
  EXPECT_NE(message.find("grow"), std::string::npos) << message;
  EXPECT_NE(message.find("upper"), std::string::npos) << message;
  EXPECT_NE(message.find("0.067 s"), std::string::npos) << message;
  EXPECT_NE(message.find("non-uniformly"), std::string::npos) << message;
  EXPECT_NE(message.find("authoring tool"), std::string::npos) << message;
}

TEST(EncodingLimits, MirroringIsRefused) {
  const std::string message = refusal(scaled_bar({{1, 1, 1}, {1, 1, 1}, {-1, -1, -1}}));
  EXPECT_NE(message.find("mirrored"), std::string::npos) << message;
}

TEST(EncodingLimits, ScaleWithinHalfAPercentIsAccepted) {
  EXPECT_EQ(refusal(scaled_bar({{1, 1, 1}, {1.0f, 1.004f, 1.0f}, {1, 1, 1}})), "");
  EXPECT_NE(refusal(scaled_bar({{1, 1, 1}, {1.0f, 1.007f, 1.0f}, {1, 1, 1}})), "");
}

TEST(EncodingLimits, UniformPulseIsKept) {
  std::vector<glm::vec3> values;
  for (int i = 0; i <= 30; ++i) values.emplace_back(static_cast<float>(1.0 + 0.15 * std::sin(2.0 * kPi * i / 30.0)));
  const Model model = scaled_bar(values);
  const BakedModel out = baked(model);
  for (int frame = 0; frame < 30; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 1e-4) << frame;
  EXPECT_NEAR(out.clips[0].range.scale_max, 1.15, 0.001);
}

// While it is hidden it keeps the rotation it had, so that it shrinks and grows in place instead of spinning.
TEST(EncodingLimits, ABoneHiddenByScaleZeroComesBackAsItWas) {
  ModelDraft draft = bar_draft();
  BoneTrack track = scaling(1, {{1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {0.5f, 0.5f, 0.5f}});
  track.rotation = turning(1, {0, 0, 1}, 5, 30.0, 0.0, [](double t) { return 1.0 + t; }).rotation;
  draft.clips.push_back(clip_of("grow", {track}));
  const Model model = built(draft);
  const BakedModel out = baked(model);
  for (int frame = 0; frame < 5; ++frame) EXPECT_LT(error_at(model, out, 0, frame / 30.0), 1e-4) << frame;
  const auto hidden = decode_q16(out.atlas.at(0, 1, 1), out.clips[0].range);
  EXPECT_EQ(hidden.scale, 0.0);
  EXPECT_NEAR(2.0 * std::atan2(hidden.rotation.z, hidden.rotation.w), 1.0, 1e-3);
}

TEST(EncodingLimits, ABoneHiddenAtRestIsBakedFromAFrameThatShowsIt) {
  ModelDraft draft = bar_draft();
  draft.bones[0].rest.scale = glm::dvec3(0.0);
  draft.clips.push_back(clip_of("appear", {scaling(0, {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}})}));
  const Model model = built(draft);
  const BakedModel out = baked(model);
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
  const BakedModel out = baked(model);
  const BakedModel plain = baked(built(swaying_bar()));
  EXPECT_EQ(out.clips[0].range.scale_max, 1.0);
  EXPECT_NEAR(glm::length(out.bounds.size()), 0.01 * glm::length(plain.bounds.size()), 0.01);
  // The bar lies along z there, so its height is another: compare in model units.
  EXPECT_LT(out.error.at_frames.max_mm / out.error.mm_per_unit,
            1.5 * 0.01 * plain.error.at_frames.max_mm / plain.error.mm_per_unit);
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
  const BakedModel plain = baked(built(swaying_bar()));
  const BakedModel out = baked(built(draft));
  ASSERT_EQ(out.vertices.size(), plain.vertices.size());
  for (std::size_t v = 0; v < out.vertices.size(); ++v) {
    EXPECT_LT(glm::distance(out.vertices[v].position, plain.vertices[v].position), 1e-5f);
    EXPECT_LT(glm::distance(out.vertices[v].normal, plain.vertices[v].normal), 1e-5f);
  }
  EXPECT_TRUE(std::equal(out.indices.begin(), out.indices.end(), plain.indices.begin(), plain.indices.end()));
}

ModelDraft morphing_bar() {
  ModelDraft draft = swaying_bar();
  Mesh& mesh = draft.meshes[0];
  mesh.morph_targets = {{"wide", std::vector<glm::vec3>(mesh.positions.size(), {0.5f, 0.0f, 0.0f}), {}}};
  mesh.morph_weights = {0.5f};
  return draft;
}

TEST(EncodingLimits, MorphTargetsAtRestAreInTheMesh) {
  const BakedModel out = baked(built(morphing_bar()));
  const BakedModel plain = baked(built(swaying_bar()));
  EXPECT_NEAR(out.vertices[7].position.x - plain.vertices[7].position.x, 0.25f, 1e-6f);
  EXPECT_LT(out.error.at_frames.max_mm, 0.5);
}

TEST(EncodingLimits, AnimatedMorphTargetsAreRefusedUnlessDropped) {
  ModelDraft draft = morphing_bar();
  MorphTrack track;
  track.weights.times = {0.0f, 1.0f};
  track.weights.values = {0.0f, 1.0f};
  draft.clips[0].morphs = {track};
  const Model model = built(draft);
  EXPECT_NE(refusal(model).find("morph"), std::string::npos);
  EXPECT_NE(refusal(model).find("drop_morphs"), std::string::npos) << "what a program sets";
  EXPECT_NE(refusal(model).find("--drop-morphs"), std::string::npos) << "what a command line says";
  const BakedModel out = baked(model, {.drop_morphs = true, .notes = {"from the import"}});
  ASSERT_GE(out.notes.size(), 2u);
  EXPECT_EQ(out.notes[0], "from the import");
  EXPECT_NE(out.notes[1].find("morph"), std::string::npos);
}

TEST(EncodingLimits, SettingsOutOfRangeAreRefused) {
  const Model model = built(swaying_bar());
  EXPECT_NE(refusal(model, {.frame_rate = 0.0}), "");
  EXPECT_NE(refusal(model, {.frame_rate = std::nan("")}), "");
  EXPECT_NE(refusal(model, {.max_atlas_size = 8}), "");
  EXPECT_NE(refusal(model, {.max_atlas_size = 20000}), "");
  ModelDraft empty = swaying_bar();
  empty.meshes[0].indices.clear();
  EXPECT_NE(refusal(built(empty)).find("no triangles"), std::string::npos);
}

}  // namespace
}  // namespace throng
