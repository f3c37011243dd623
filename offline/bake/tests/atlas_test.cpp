// SPDX-License-Identifier: Apache-2.0
// Rows, layers and folding: every clip reads back the same wherever it lies.
#include <algorithm>
#include <array>

#include "small_models.h"

namespace throng {
namespace {

// `bones` bones in a row, each carrying one triangle, all turning, in three clips.
ModelDraft many_bones(std::uint32_t bones, int keys) {
  ModelDraft draft;
  draft.name = "many";
  draft.materials = {Material{}};
  Mesh mesh;
  std::array<std::vector<BoneTrack>, 3> tracks;
  for (std::uint32_t b = 0; b < bones; ++b) {
    Bone bone{"bone" + std::to_string(b), std::nullopt, {}};
    bone.rest.translation = {0.1 * b, 0.0, 0.0};
    draft.bones.push_back(bone);
    Binding binding{b, glm::dmat4(1.0)};
    binding.bone_from_mesh[3] = {-0.1 * b, 0.0, 0.0, 1.0};
    draft.bindings.push_back(binding);
    for (int corner = 0; corner < 3; ++corner) {
      mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
      mesh.positions.emplace_back(0.1 * b + 0.02 * corner, corner == 1 ? 1.0 : 0.0, 0.0);
      mesh.influences.push_back(bound_to(static_cast<std::uint16_t>(b)));
    }
    for (std::size_t clip = 0; clip < 3; ++clip) {
      const double speed = 1.0 + 0.1 * b + 0.02 * static_cast<double>(clip);
      tracks[clip].push_back(turning(b, {0, 0, 1}, keys, 30.0, 0.0, [speed](double t) { return t * speed; }));
    }
  }
  draft.meshes = {mesh};
  draft.clips.push_back(clip_of("a", tracks[0], false));
  draft.clips.push_back(clip_of("b", tracks[1], false));
  draft.clips.push_back(clip_of("c", tracks[2], false));
  return draft;
}

void expect_true_at_frames(const Model& model, const Character& out) {
  for (std::size_t clip = 0; clip < out.clips().size(); ++clip) {
    for (std::uint32_t frame = 0; frame < out.clips()[clip].frame_count; ++frame) {
      EXPECT_LT(error_at(model, out, clip, frame / 30.0), 5e-4) << clip << " " << frame;
    }
  }
}

TEST(Atlas, ClipsFollowOneAnotherDownALayer) {
  const Model model = built(many_bones(3, 10));
  const Character out = baked(model);
  EXPECT_EQ(out.atlas().layout, (Layout{3, 4}));
  EXPECT_EQ(out.atlas().height, 30u);
  EXPECT_EQ(out.atlas().layer_count, 1u);
  EXPECT_EQ(out.clips()[2].first_frame, 20u);
  expect_true_at_frames(model, out);
}

TEST(Atlas, FramesWiderThanAnAtlasFoldIntoRows) {
  const Model model = built(many_bones(40, 5));
  const Character out = baked(model, {.max_atlas_size = 16});
  EXPECT_EQ(out.atlas().layout, (Layout{14, 4}));  // 40 texels in three rows of 14, not 16
  EXPECT_EQ(out.atlas().height, 15u);
  EXPECT_EQ(out.atlas().layer_count, 3u);
  expect_true_at_frames(model, out);
}

TEST(Atlas, AClipLargerThanALayerIsRefusedWithItsNumbers) {
  const std::string message = refusal(built(many_bones(40, 10)), {.max_atlas_size = 16});
  EXPECT_NE(message.find("'a'"), std::string::npos) << message;
  EXPECT_NE(message.find("10 frames of 40 texels"), std::string::npos) << message;
  EXPECT_NE(message.find("16 × 16 holds 5"), std::string::npos) << message;
}

TEST(Atlas, AClipOfAWeekIsRefusedBeforeItIsSampled) {
  ModelDraft draft = bar_draft();
  BoneTrack track;
  track.rotation.times = {0.0f, 604800.0f};
  track.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(0, 1, 0, 0)};
  draft.clips.push_back(clip_of("week", {track}));
  EXPECT_NE(refusal(built(draft)).find("18144000 frames in all"), std::string::npos);
}

TEST(BakedMesh, WeightsSumToExactlyOneAndKeepTheirSize) {
  ModelDraft draft = bar_draft();
  for (std::size_t v = 0; v < draft.meshes[0].influences.size(); ++v) {
    const float a = 0.5f + 0.0061f * static_cast<float>(v % 80);
    draft.meshes[0].influences[v].bindings = {0, 1, 1, 1};
    draft.meshes[0].influences[v].weights = {a, (1.0f - a) * 0.5f, (1.0f - a) * 0.3f, (1.0f - a) * 0.2f};
  }
  const Character out = baked(built(draft));
  for (std::size_t v = 0; v < out.vertices().size(); ++v) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      sum += baked_vertex(out, v).weights[i];
      EXPECT_NEAR(baked_vertex(out, v).weights[i], draft.meshes[0].influences[v].weights[i] * 65535.0f, 1.01f);
    }
    EXPECT_EQ(sum, 65535u);
  }
}

TEST(BakedMesh, MissingNormalsAreThoseOfTheTriangles) {
  ModelDraft draft = bar_draft();
  draft.meshes[0].normals.clear();
  const Character out = baked(built(draft));
  // Around a square column the normals of neighbouring sides meet on the diagonal, which is where its vertices are.
  for (std::size_t v = 8; v + 8 < out.vertices().size(); ++v) {
    const glm::vec3 p = out.vertices()[v].position;
    const glm::vec3 outwards = glm::normalize(glm::vec3(p.x, 0.0f, p.z));
    EXPECT_GT(glm::dot(outwards, out.vertices()[v].normal), 0.9f) << v;
    EXPECT_NEAR(glm::length(out.vertices()[v].normal), 1.0f, 1e-6f);
  }
  EXPECT_TRUE(std::any_of(out.notes().begin(), out.notes().end(), [](const std::string& note) {
    return note.find("1 mesh has no normals") != std::string::npos;
  }));
}

TEST(BakedMesh, PartsAreByMaterialAndSourcesKeepTheirOrder) {
  ModelDraft draft = swaying_bar();
  draft.materials.resize(4);
  draft.materials[3].name = "last";
  draft.materials[1].name = "first";
  Mesh mesh = draft.meshes[0];
  mesh.node = 7;
  mesh.material = 1;
  draft.meshes[0].material = 3;
  draft.meshes.push_back(mesh);
  mesh.node = 8;
  mesh.material = 3;
  draft.meshes.push_back(mesh);
  const Model model = built(draft);
  const Character out = baked(model);
  ASSERT_EQ(out.draws().size(), 2u);
  ASSERT_EQ(out.materials().size(), 2u);
  EXPECT_EQ(out.materials()[0].name, "first");
  EXPECT_EQ(out.materials()[1].name, "last");
  EXPECT_EQ(out.draws()[1].first_index, out.draws()[0].index_count);
  EXPECT_EQ(out.draws()[1].index_count, 2 * out.draws()[0].index_count);
  ASSERT_EQ(out.sources().size(), 3u);
  EXPECT_EQ(out.sources()[0].node, 7u);
  EXPECT_EQ(out.sources()[2].node, 8u);
  EXPECT_EQ(out.bones().size(), 2u);  // the three meshes share their bindings
  EXPECT_LT(error_at(model, out, 0, 0.1), 2e-4);
}

}  // namespace
}  // namespace throng
