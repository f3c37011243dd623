// SPDX-License-Identifier: Apache-2.0
// A character out of its file is the same near and far: every vertex, as its rig poses it and as its animation texture
// says, lies within the bake's error of the other and of the truth in double.

#include <algorithm>
#include <map>

#include "every_model.h"
#include "rig_poses.h"
#include "throng/bake/bake.h"
#include "throng/character/decode.h"
#include "throng/character/file.h"
#include "throng/import/import.h"
#include "throng/mannequin/mannequin.h"

namespace throng {
namespace {

using namespace test;

constexpr int kTimes = 200;                // of each clip
constexpr std::size_t kMostClips = 3;      // of one model
constexpr std::size_t kMostVertices = 60;  // of one model
// Of the model's size: compile_motion allows 1e-4 radians a bone, and the errors of a chain's bones add up.
constexpr double kNearError = 2e-4;
// The bake looks at seven places between two frames. Of a corner that the source turns between two of them it sees 8/9
// at least; several bones that turn one at once make it a little less.
constexpr double kBetweenLooks = 1.25;

// A vertex of the source, where it is bound, and which it became.
struct Followed {
  glm::dvec3 position{0.0};  // in mesh space, morph targets as at rest
  std::vector<std::pair<std::uint32_t, double>> influences;
  std::uint32_t baked = 0;
};

glm::dvec3 rest_position(const Mesh& mesh, std::size_t vertex) {
  glm::dvec3 position(mesh.positions[vertex]);
  for (std::size_t target = 0; target < mesh.morph_targets.size(); ++target) {
    const auto& offsets = mesh.morph_targets[target].positions;
    if (!offsets.empty()) position += static_cast<double>(mesh.morph_weights[target]) * glm::dvec3(offsets[vertex]);
  }
  return position;
}

std::vector<Followed> some_vertices(const Model& model, const Character& character) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, const Mesh*> meshes;
  for (const Mesh& mesh : model.meshes()) meshes[{mesh.node, mesh.primitive}] = &mesh;
  std::size_t count = 0;
  for (const BakedSource& source : character.sources()) count += source.vertex_count;
  const std::size_t step = 1 + count / kMostVertices;
  std::vector<Followed> out;
  for (const BakedSource& source : character.sources()) {
    const Mesh& mesh = *meshes.at({source.node, source.primitive});
    for (std::uint32_t v = 0; v < source.vertex_count; ++v) {
      if ((source.first_vertex + v) % step != 0) continue;
      Followed one{rest_position(mesh, v), {}, source.first_vertex + v};
      for_each_influence(mesh, v,
                         [&](std::uint32_t binding, float weight) { one.influences.emplace_back(binding, weight); });
      if (!character.baked_from_source().empty()) one.baked = character.baked_from_source()[one.baked];
      out.push_back(std::move(one));
    }
  }
  return out;
}

template <class PointAt>
glm::dvec3 blended(const Followed& vertex, const PointAt& point_at) {
  glm::dvec3 sum(0.0);
  for (const auto& [binding, weight] : vertex.influences) sum += weight * point_at(binding);
  return sum;
}

glm::dvec3 far_position(const Character& character, const std::vector<ColumnMove>& columns, std::uint32_t vertex) {
  const BakedVertex& v = character.vertices()[vertex];
  glm::dvec3 sum(0.0);
  for (std::size_t i = 0; i < v.weights.size(); ++i) {
    const ColumnMove& column = columns[v.bones[i]];
    sum += v.weights[i] / 65535.0 * (column.linear * glm::dvec3(v.position) + column.offset);
  }
  return sum;
}

// With only so many clips, so that a model of a hundred is not baked whole.
Model with_few_clips(const Model& model) {
  ModelDraft draft = model.draft();
  while (draft.clips.size() > kMostClips)
    draft.clips.erase(draft.clips.begin() + static_cast<std::ptrdiff_t>(draft.clips.size() / 2));
  return build_model(std::move(draft)).value();
}

struct Distances {
  double near_truth = 0.0, far_truth = 0.0, near_far = 0.0;
};

Distances compare_clip(const Model& model, const Character& character, const Rig& rig, std::uint32_t clip,
                       const std::vector<Followed>& vertices) {
  const Clip& source = model.clips()[clip];
  const BakedClip& baked = character.clips()[clip];
  TestCharacter near(rig, clip);
  Distances worst;
  for (int i = 0; i < kTimes; ++i) {
    const double seconds = source.length() * i / (kTimes - 1.0);
    EXPECT_TRUE(near.pose(static_cast<float>(seconds)));
    const ExactCursor at = cursor_at_time(baked, seconds);
    const auto columns = decode_columns(character, baked, at.cursor, at.blend);
    const auto palette = skinning_palette(model, sample(model, source, source.start + seconds));
    for (const Followed& vertex : vertices) {
      const glm::dvec3 truth = blended(vertex, [&](std::uint32_t binding) {
        return glm::dvec3(palette[binding] * glm::dvec4(vertex.position, 1.0));
      });
      const glm::dvec3 close = blended(vertex, [&](std::uint32_t binding) {
        return glm::dvec3(transform_point(near.palette[binding], glm::vec3(vertex.position)));
      });
      const glm::dvec3 far = far_position(character, columns, vertex.baked);
      worst.near_truth = std::max(worst.near_truth, glm::distance(close, truth));
      worst.far_truth = std::max(worst.far_truth, glm::distance(far, truth));
      worst.near_far = std::max(worst.near_far, glm::distance(close, far));
    }
  }
  return worst;
}

bool has_steps(const Clip& clip) {
  const auto steps = [](const auto& curve) {
    return curve.interpolation == Interpolation::step && curve.times.size() > 1;
  };
  return std::any_of(clip.bones.begin(), clip.bones.end(), [&](const BoneTrack& track) {
    return steps(track.translation) || steps(track.rotation) || steps(track.scale);
  });
}

// The character as it comes out of its file, without the model.
void expect_near_as_far(const Model& whole) {
  const Model model = with_few_clips(whole);
  SerialExecutor executor;
  const auto made = bake(model, {.levels = 1, .drop_morphs = true}, executor);
  ASSERT_TRUE(made) << made.error().message;
  const Character character = decode_character(SharedBytes(encode_character(*made).value())).value();
  const auto rig = build_rig(character);
  ASSERT_TRUE(rig) << rig.error().message;
  const double size = size_of(model);
  const std::vector<Followed> vertices = some_vertices(model, character);
  ASSERT_FALSE(vertices.empty());
  ASSERT_EQ((*rig)->clips().size(), character.clips().size());
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip) {
    ASSERT_EQ((*rig)->clips()[clip].name, character.clips()[clip].name);
    EXPECT_EQ((*rig)->clips()[clip].loops, character.clips()[clip].loops);
    // Beside a jump a frame later or earlier is another pose.
    if (has_steps(model.clips()[clip])) continue;
    const ClipError& error = character.clips()[clip].error;
    const double bake_error =
        kBetweenLooks * std::max(error.at_frames.max_mm, error.between.max_mm) / character.error().mm_per_unit +
        1e-6 * size;
    const double near_error = kNearError * size;
    const Distances worst = compare_clip(model, character, **rig, clip, vertices);
    EXPECT_LE(worst.far_truth, bake_error) << model.clips()[clip].name;
    EXPECT_LE(worst.near_truth, near_error) << model.clips()[clip].name;
    EXPECT_LE(worst.near_far, bake_error + near_error) << model.clips()[clip].name;
  }
}

TEST(NearAndFar, AreOneForTheMannequin) { expect_near_as_far(make_mannequin()); }

class NearAndFarModels : public testing::TestWithParam<std::string> {};

TEST_P(NearAndFarModels, AreOne) {
  if (GetParam().empty()) GTEST_SKIP() << "no shared models";
  const auto imported = import_model(shared_folder() / "models" / GetParam());
  ASSERT_TRUE(imported) << imported.error().message;
  const bool drawn =
      std::ranges::any_of(imported->model.meshes(), [](const Mesh& mesh) { return !mesh.indices.empty(); });
  if (imported->model.clips().empty() || !drawn) GTEST_SKIP() << "nothing to play";
  expect_near_as_far(imported->model);
}

INSTANTIATE_TEST_SUITE_P(All, NearAndFarModels, testing::ValuesIn(every_model()), model_test_name);

}  // namespace
}  // namespace throng
