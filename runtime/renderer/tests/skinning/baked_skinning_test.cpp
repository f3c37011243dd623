// SPDX-License-Identifier: Apache-2.0
// Baked models on the GPU: as the CPU decodes them, and as near their source as the bake says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "instrumented.h"
#include "mannequin_model.h"
#include "paths.h"
#include "skinning_check.h"
#include "source_check.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/bake/bake.h"
#include "throng/import/import.h"

namespace throng {
namespace {

using test::cpu_cursor;
using test::Deviation;
using test::deviation_from_decoded;

class BakedSkinning : public test::OnDevice {};

void expect_true_to_source(const VulkanContext& context, const Model& model, const BakeSettings& settings,
                           std::uint32_t moments) {
  ThreadExecutor executor;
  BakeSettings far_only = settings;
  far_only.levels = 1;
  far_only.near = false;
  const auto baked = bake(model, far_only, executor);
  ASSERT_TRUE(baked) << baked.error().message;
  const auto instances = test::every_clip(*baked, moments);
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
  const test::Compared compared = test::compare_with_source(model, *baked, instances, *crowd);
  EXPECT_GE(compared.positions, baked->vertices().size() * instances.size());
  const bool all_normals = std::ranges::none_of(model.meshes(), [](const Mesh& m) { return m.normals.empty(); });
  EXPECT_TRUE(!all_normals || compared.normals == compared.positions);
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
  BakeSettings settings = settings_of(GetParam());
  settings.clips = {"walk", "jump", "death"};  // what differs is the bits, not the clip
  expect_true_to_source(context(), test::mannequin_model(), settings, 5);
}

INSTANTIATE_TEST_SUITE_P(Encodings, BakedEncodings, ::testing::ValuesIn(test::a_part_if_instrumented(kEncodings)),
                         [](const auto& tested) { return shown(tested.param); });

TEST_F(BakedSkinning, MixesTheEncodingsThatAnErrorBoundChooses) {
  BakeSettings settings;
  settings.max_error_mm = 1.0;
  expect_true_to_source(context(), test::mannequin_model(), settings, 5);
}

TEST_F(BakedSkinning, ReadsVerticesPastTheirTangents) {
  BakeSettings settings = settings_of(Encoding::v8);
  settings.tangents = true;
  expect_true_to_source(context(), test::mannequin_model(), settings, 3);
}

class SkinningOfFiles : public BakedSkinning, public ::testing::WithParamInterface<const char*> {};

TEST_P(SkinningOfFiles, IsTrueToTheSourcesOwnCurves) {
  const auto path = test::shared_folder() / "models" / "gltf" / GetParam();
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
  auto imported = import_model(path);
  ASSERT_TRUE(imported) << imported.error().message;
  expect_true_to_source(context(), imported->model, {}, 7);
  // As vertices too, of which a few clips are enough; the other encodings differ in bits, not in what they are of.
  BakeSettings settings = settings_of(Encoding::v8);
  for (std::size_t i = 0; i < std::min<std::size_t>(imported->model.clips().size(), 2); ++i)
    settings.clips.push_back(imported->model.clips()[i].name);
  expect_true_to_source(context(), imported->model, settings, 3);
}

INSTANTIATE_TEST_SUITE_P(Models, SkinningOfFiles,
                         ::testing::Values("khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb",
                                           "kaykit/Knight.glb"),
                         [](const auto& tested) { return std::filesystem::path(tested.param).stem().string(); });

}  // namespace
}  // namespace throng
