// SPDX-License-Identifier: Apache-2.0
// Baked models on the GPU: as the CPU decodes them, and as near their source as the bake says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "paths.h"
#include "skinning_check.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/bake/bake.h"
#include "throng/import/import.h"
#include "throng/mannequin/mannequin.h"
#include "throng/pose/pose.h"

namespace throng {
namespace {

using test::cpu_cursor;
using test::degrees_between;
using test::Deviation;
using test::deviation_from_decoded;

class BakedSkinning : public test::OnDevice {};

// Instances of every clip at `moments` moments each, and at the very end of those that have one. (A loop has none: what
// lies there is its first frame.)
test::Cast every_clip(const Character& model, std::uint32_t moments) {
  test::Cast instances;
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip) {
    test::TestCharacter instance = test::standing(clip);
    for (std::uint32_t i = 0; i < moments; ++i) {
      const auto turn = static_cast<std::uint32_t>((std::uint64_t{i} << 32) / moments);
      instance.play.track.phase = {0x9E3779B9u * i, turn + (i * 7919u) % 65536u};
      instances.add(instance);
    }
    instance.play.track.phase = {0xFFFFFFFFu, 0xFFFFFFFFu};
    if (!model.clips()[clip].loops) instances.add(instance);
  }
  return instances;
}

// Seconds from the clip's first frame that a cursor stands for.
double seconds_at(const BakedClip& clip, const Cursor& cursor) {
  const double frame = cursor.frame - clip.first_frame + double{cursor.blend};
  const double intervals = clip.loops ? clip.frame_count : clip.frame_count - 1.0;
  return intervals == 0.0 ? 0.0 : frame / intervals * clip.length;
}

// How far from the source the bake says a vertex may be, and a little for the GPU's floats.
struct Allowed {
  double distance = 0.0;
  double degrees = 0.0;
};

Allowed allowed_at(const Character& baked, const Cursor& cursor) {
  const ErrorFigures& frames = baked.error().at_frames;
  const ErrorFigures& between = baked.error().between;
  Allowed allowed;
  allowed.distance =
      std::max(frames.max_mm, between.max_mm) / baked.error().mm_per_unit + 1e-4 * baked.bounds().diagonal();
  // Between frames normals were measured half-way only, so the worst may be a little worse.
  allowed.degrees =
      0.1 + (cursor.blend == 0.0f ? frames.normal_max_degrees
                                  : 1.25 * std::max(frames.normal_max_degrees, between.normal_max_degrees));
  return allowed;
}

// A vertex of the source, and the one of the bake it became.
struct VertexPair {
  std::size_t mesh = 0;
  std::size_t in_mesh = 0;
  std::size_t baked = 0;
};

std::vector<VertexPair> vertex_pairs(const Model& model, const Character& baked) {
  std::vector<VertexPair> pairs;
  for (const BakedSource& source : baked.sources())
    for (std::size_t m = 0; m < model.meshes().size(); ++m) {
      const Mesh& mesh = model.meshes()[m];
      if (mesh.node != source.node || mesh.primitive != source.primitive) continue;
      EXPECT_EQ(mesh.positions.size(), source.vertex_count);
      for (std::size_t v = 0; v < source.vertex_count; ++v) {
        const std::size_t number = source.first_vertex + v;
        pairs.push_back({m, v, baked.baked_from_source().empty() ? number : baked.baked_from_source()[number]});
      }
    }
  return pairs;
}

const Clip& source_clip(const Model& model, const BakedClip& clip) {
  const auto found = std::ranges::find(model.clips(), clip.name, &Clip::name);
  EXPECT_NE(found, model.clips().end()) << clip.name;
  return *found;
}

struct Compared {
  std::size_t positions = 0;
  std::size_t normals = 0;
};

// Every vertex against the source's own curves, in double, until one is too far. Returns how many were compared.
Compared compare_with_source(const Model& model, const Character& baked, const test::Cast& instances,
                             const SkinnedCrowd& crowd) {
  Compared compared;
  const std::vector<VertexPair> pairs = vertex_pairs(model, baked);
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const BakedClip& clip = baked.clips()[instances.plays[i].track.clip];
    const double time = clip.source_start + seconds_at(clip, crowd.moments[i].cursor);
    const Pose pose = sample(model, source_clip(model, clip), time);
    const auto palette = skinning_palette(model, pose);
    std::vector<SkinnedVertices> exact;
    for (std::size_t m = 0; m < model.meshes().size(); ++m) exact.push_back(skin_mesh(model, m, pose, palette));
    const Allowed allowed = allowed_at(baked, crowd.moments[i].cursor);
    for (const VertexPair& pair : pairs) {
      const std::size_t at = i * crowd.vertices_per_instance + pair.baked;
      const SkinnedVertices& mesh = exact[pair.mesh];
      ++compared.positions;
      EXPECT_LE(glm::distance(glm::dvec3(crowd.positions[at]), mesh.positions[pair.in_mesh]), allowed.distance)
          << "clip " << clip.name << ", instance " << i << ", vertex " << pair.baked;
      if (!mesh.normals.empty()) {
        ++compared.normals;
        EXPECT_LE(degrees_between(crowd.normals[at], mesh.normals[pair.in_mesh]), allowed.degrees)
            << "clip " << clip.name << ", instance " << i << ", vertex " << pair.baked;
      }
      if (::testing::Test::HasFailure()) return compared;
    }
  }
  return compared;
}

void expect_true_to_source(const VulkanContext& context, const Model& model, const BakeSettings& settings,
                           std::uint32_t moments) {
  ThreadExecutor executor;
  BakeSettings far_only = settings;
  far_only.levels = 1;
  far_only.near = false;
  const auto baked = bake(model, far_only, executor);
  ASSERT_TRUE(baked) << baked.error().message;
  const auto instances = every_clip(*baked, moments);
  const auto crowd = skin_on_gpu(context, *baked, instances.instances, instances.plays, 0, SkinSpace::model);
  ASSERT_TRUE(crowd) << crowd.error().message;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const Cursor expected = cpu_cursor(*baked, instances.plays[i].track, 0);
    ASSERT_EQ(crowd->moments[i].cursor.frame, expected.frame);
    ASSERT_EQ(crowd->moments[i].cursor.blend, expected.blend);
  }
  const Deviation worst = deviation_from_decoded(*baked, instances, *crowd);
  EXPECT_LT(worst.position, 1e-5 * baked->bounds().diagonal());
  EXPECT_LT(worst.normal_degrees, 0.1);
  const Compared compared = compare_with_source(model, *baked, instances, *crowd);
  EXPECT_GE(compared.positions, baked->vertices().size() * instances.size());
  const bool all_normals = std::ranges::none_of(model.meshes(), [](const Mesh& m) { return m.normals.empty(); });
  EXPECT_TRUE(!all_normals || compared.normals == compared.positions);
}

// It takes a second to make.
const Model& mannequin() {
  static const Model model = make_mannequin();
  return model;
}

BakeSettings settings_of(Encoding encoding) {
  BakeSettings settings;
  settings.encoding = encoding;
  settings.frame_rate = 30.0;
  settings.mode = is_vertex_encoding(encoding) ? BakeMode::vertices : BakeMode::bones;
  return settings;
}

std::string shown(Encoding encoding) {
  std::string name(name_of(encoding));
  std::ranges::replace(name, '-', '_');
  return name;
}

class BakedEncodings : public BakedSkinning, public ::testing::WithParamInterface<Encoding> {};

TEST_P(BakedEncodings, AreTrueToTheMannequinsOwnCurves) {
  expect_true_to_source(context(), mannequin(), settings_of(GetParam()), 5);
}

INSTANTIATE_TEST_SUITE_P(Encodings, BakedEncodings, ::testing::ValuesIn(kEncodings),
                         [](const auto& tested) { return shown(tested.param); });

TEST_F(BakedSkinning, MixesTheEncodingsThatAnErrorBoundChooses) {
  BakeSettings settings;
  settings.max_error_mm = 1.0;
  expect_true_to_source(context(), mannequin(), settings, 5);
}

TEST_F(BakedSkinning, ReadsVerticesPastTheirTangents) {
  BakeSettings settings = settings_of(Encoding::v8);
  settings.tangents = true;
  expect_true_to_source(context(), mannequin(), settings, 3);
}

class SkinningOfFiles : public BakedSkinning, public ::testing::WithParamInterface<const char*> {};

TEST_P(SkinningOfFiles, IsTrueToTheSourcesOwnCurves) {
  const auto path = test::shared_folder() / "models" / "gltf" / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  auto imported = import_model(path);
  ASSERT_TRUE(imported) << imported.error().message;
  expect_true_to_source(context(), imported->model, {}, 7);
  // A few clips are enough for the others: what differs is the bits, not the clip.
  BakeSettings few;
  for (std::size_t i = 0; i < std::min<std::size_t>(imported->model.clips().size(), 2); ++i)
    few.clips.push_back(imported->model.clips()[i].name);
  for (const Encoding encoding : {Encoding::q8, Encoding::local8, Encoding::v8}) {
    BakeSettings settings = settings_of(encoding);
    settings.clips = few.clips;
    SCOPED_TRACE(name_of(encoding));
    expect_true_to_source(context(), imported->model, settings, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SkinningOfFiles,
                         ::testing::Values("khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb",
                                           "kaykit/Knight.glb"),
                         [](const auto& tested) { return std::filesystem::path(tested.param).stem().string(); });

}  // namespace
}  // namespace throng
