// SPDX-License-Identifier: Apache-2.0
// A model of eight influences a vertex: bones have room for four, vertices are what all eight make of them, and the
// report counts from all eight either way.

#include "reference_measure.h"

namespace throng {
namespace {

constexpr std::uint16_t kExtraBones = 4;

// The swaying bar, its middle hung on four more bones that each turn another way.
ModelDraft many_bones() {
  ModelDraft draft = swaying_bar();
  Clip& clip = draft.clips[0];
  const auto keys = static_cast<int>(clip.bones[0].rotation.times.size());
  const double rate = (keys - 1) / clip.length();
  for (std::uint16_t i = 0; i < kExtraBones; ++i) {
    const auto bone = static_cast<std::uint32_t>(draft.bones.size());
    draft.bones.push_back({fmt::format("extra{}", i), 0u, {}});
    draft.bindings.push_back({bone, glm::dmat4(1.0)});
    const glm::dvec3 axis = glm::normalize(glm::dvec3(1.0, i, 2.0 - i));
    clip.bones.push_back(
        turning(bone, axis, keys, rate, clip.start, [i](double t) { return 0.2 * (i + 1) * std::sin(2.0 * kPi * t); }));
  }
  Mesh& mesh = draft.meshes[0];
  mesh.extra_influences.assign(mesh.influences.size(), Influences{});
  for (std::size_t v = 36; v < 48; ++v) {
    mesh.influences[v] = {{0, 1, 2, 3}, {0.3f, 0.2f, 0.15f, 0.15f}};
    mesh.extra_influences[v] = {{4, 5, 0, 0}, {0.1f, 0.1f, 0.0f, 0.0f}};
  }
  return draft;
}

TEST(EightInfluences, AreCutToFourForBonesAndMeasuredAgainstAll) {
  const Model model = built(many_bones());
  const Character out = baked(model);
  ReferenceErrors all;
  measure_clip(model, out, 0, model.clips()[0], 1, all);
  EXPECT_NEAR(out.error().at_frames.rms_mm, ReferenceErrors::rms(all.at_frames), 1e-9);
  expect_holds(out.error().at_frames, out.error().between, all);
  EXPECT_GT(out.error().at_frames.max_mm, 10.0) << "what the cut costs must show";
  for (std::size_t i = 0; i < 4; ++i) {
    const float kept[] = {0.375f, 0.25f, 0.1875f, 0.1875f};
    EXPECT_NEAR(baked_vertex(out, 40).weights[i], kept[i] * 65535.0f, 1.01f);
  }
  const auto said = [](const std::string& note) { return note.starts_with("12 vertices follow more than 4 bones"); };
  EXPECT_TRUE(std::any_of(out.notes().begin(), out.notes().end(), said));
}

TEST(EightInfluences, AreAllInABakeOfVertices) {
  const Model model = built(many_bones());
  const Character out = baked(model, {.mode = BakeMode::vertices});
  ReferenceErrors all;
  measure_clip(model, out, 0, model.clips()[0], 1, all);
  EXPECT_LT(ReferenceErrors::max(all.at_frames), 0.5) << "a quantum of v8, not a cut";
  EXPECT_NEAR(out.error().at_frames.max_mm, ReferenceErrors::max(all.at_frames), 1e-9);
  EXPECT_LT(out.error().at_frames.normal_max_degrees, 0.2);
}

TEST(EightInfluences, ThatAreZeroChangeNothing) {
  ModelDraft draft = swaying_bar();
  const Character plain = baked(built(draft));
  draft.meshes[0].extra_influences.assign(draft.meshes[0].influences.size(), Influences{});
  const Character padded = baked(built(draft));
  EXPECT_EQ(plain.error().at_frames.max_mm, padded.error().at_frames.max_mm);
  EXPECT_EQ(plain.error().between.rms_mm, padded.error().between.rms_mm);
  EXPECT_EQ(plain.notes(), padded.notes());
}

}  // namespace
}  // namespace throng
