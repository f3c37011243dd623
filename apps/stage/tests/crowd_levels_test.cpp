// SPDX-License-Identifier: Apache-2.0
// What levels of detail save a crowd, and whether it shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "crowd/staging.h"
#include "files.h"
#include "mannequin_model.h"
#include "paths.h"
#include "pin_drivers.h"
#include "throng/bake/bake.h"
#include "throng/import/import.h"
#include "throng/scene/scene_renderer.h"

namespace throng {
namespace {

class CrowdLevels : public testing::Test {
 public:
  static void SetUpTestSuite() {
    test::pin_drivers();
    device_ = Device::create({}).value();
  }
  static void TearDownTestSuite() { device_.reset(); }

 protected:
  struct Drawn {
    CrowdCounts counts;
    Image picture;
  };

  // The crowd of `throng render`, without what costs time and shows no level.
  static Drawn draw(const Character& model, std::uint32_t count, SceneSettings settings) {
    settings.samples = 1;
    settings.shadow_size = 64;
    settings.cascades = 1;
    settings.contact_size = 0;
    const double aspect = static_cast<double>(settings.width) / settings.height;
    const Staged staged = stage_crowd(make_troupe({model}), {.count = count}, View::crowd, aspect).value();
    settings.look = staged.look;
    auto scene = SceneRenderer::create(device_->context(), settings).value();
    EXPECT_TRUE(scene.add(model));
    EXPECT_TRUE(scene.update(staged.crowd));
    Image picture = scene.render(staged.camera, ticks_from_seconds(2.0)).value();
    return {scene.report().far, std::move(picture)};
  }

  static SceneSettings full_detail(SceneSettings settings) {
    settings.pixel_error = settings.speck_pixels = 0.0f;
    return settings;
  }

 private:
  static inline std::optional<Device> device_;
};

// The mean difference of a channel, of 255.
double difference(const Image& a, const Image& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(int{a.rgba[i]} - int{b.rgba[i]});
  return sum / (0.75 * static_cast<double>(a.rgba.size()));
}

TEST_F(CrowdLevels, AnimateAFifthOfTheVerticesOfAThousandKnightsAndItDoesNotShow) {
  const auto file = test::shared_folder() / "models" / "gltf" / "kaykit" / "Knight.glb";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no Knight here";
  ThreadExecutor executor(2);
  const Model model = import_gltf(file).value().model;
  // What a crowd of them plays: levels are made for the clips that are baked.
  const BakeSettings bake_settings{.clips = {"Idle", "Walking_A", "Running_A", "Cheer"}, .near = false};
  const Character knight = bake(model, bake_settings, executor).value();
  const SceneSettings settings{.width = 1280, .height = 720};
  const Drawn full = draw(knight, 1152, full_detail(settings));
  const Drawn levels = draw(knight, 1152, settings);
  EXPECT_LE(levels.counts.vertices, 1152 * knight.vertices().size() / 5);
  EXPECT_EQ(levels.counts.in_picture, full.counts.in_picture);
  RecordProperty("vertices", std::to_string(levels.counts.vertices));
  RecordProperty("difference", std::to_string(difference(full.picture, levels.picture)));
  if (const char* folder = std::getenv("THRONG_KEEP_PICTURES")) {
    EXPECT_TRUE(write_png(full.picture, std::filesystem::path(folder) / "full.png"));
    EXPECT_TRUE(write_png(levels.picture, std::filesystem::path(folder) / "levels.png"));
  }
  EXPECT_LT(difference(full.picture, levels.picture), 2.0);
}

// Both modes have the same levels, so the same budget leaves the same of them.
TEST_F(CrowdLevels, KeepAVertexBudgetInEveryMode) {
  ThreadExecutor executor(2);
  const Model mannequin = test::mannequin_model();
  const SceneSettings settings{.width = 320, .height = 180};
  for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
    const Character model = bake(mannequin, {.mode = mode, .clips = {"walk"}, .near = false}, executor).value();
    SceneSettings short_of = full_detail(settings);
    const std::uint64_t all = draw(model, 60, short_of).counts.vertices;
    EXPECT_EQ(all, 60 * model.vertices().size());
    for (const std::uint32_t share : {2u, 5u, 20u}) {
      short_of.vertex_budget = static_cast<std::uint32_t>(all / share);
      const CrowdCounts counts = draw(model, 60, short_of).counts;
      EXPECT_LE(counts.vertices, short_of.vertex_budget) << "a " << share << "th";
      EXPECT_EQ(counts.in_picture, 60u) << "nobody is left out";
    }
  }
}

}  // namespace
}  // namespace throng
