// SPDX-License-Identifier: Apache-2.0
// What a bake may take: told before it is taken, in bytes that are counted here.
#include "cost.h"

#include "allocations.h"
#include "mesh/mesh_models.h"
#include "small_models.h"
#include "vertices/vertex_models.h"

namespace throng {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

// A bent sheet of so many vertices each way, on the bones of the bar; its triangles all have area.
Mesh sheet(std::uint32_t side) {
  Mesh mesh;
  mesh.name = "sheet";
  for (std::uint32_t y = 0; y < side; ++y) {
    for (std::uint32_t x = 0; x < side; ++x) {
      const glm::vec2 at(static_cast<float>(x) / static_cast<float>(side),
                         2.0f * static_cast<float>(y) / static_cast<float>(side));
      mesh.positions.emplace_back(at.x, at.y, 0.1f * std::sin(9.0f * at.x) * std::sin(5.0f * at.y));
      mesh.influences.push_back(bound_to(at.y > 1.0f ? 1 : 0));
      if (x + 1 == side || y + 1 == side) continue;
      const std::uint32_t a = y * side + x;
      mesh.indices.insert(mesh.indices.end(), {a, a + 1, a + side, a + 1, a + side + 1, a + side});
    }
  }
  return mesh;
}

ModelDraft swaying_sheet(std::uint32_t side, double seconds, int keys) {
  ModelDraft draft = swaying_bar();
  draft.meshes = {sheet(side)};
  Clip& clip = draft.clips[0];
  clip.end = seconds;
  BoneTrack track{.bone = 1, .translation = {}, .rotation = {}, .scale = {}};
  for (int key = 0; key < keys; ++key) {
    track.rotation.times.push_back(static_cast<float>(seconds * key / (keys - 1)));
    track.rotation.values.push_back(
        glm::angleAxis(0.5f * std::sin(2.0f * static_cast<float>(key)), glm::vec3(0, 0, 1)));
  }
  clip.bones = {track};
  return draft;
}

ModelDraft morphed_sheet(std::uint32_t side, std::size_t targets) {
  ModelDraft draft = swaying_sheet(side, 1.0, 9);
  Mesh& mesh = draft.meshes[0];
  MorphTrack track;
  track.weights.times = {0.0f, 0.5f, 1.0f};
  track.weights.values.assign(3 * targets, 0.0f);
  for (std::size_t t = 0; t < targets; ++t) {
    MorphTarget target{fmt::format("target {}", t), {}, {}};
    for (const glm::vec3& p : mesh.positions)
      target.positions.push_back(glm::vec3(0.0f, 0.0f, 0.1f * std::sin(static_cast<float>(t) + 7.0f * p.x)));
    mesh.morph_targets.push_back(target);
    mesh.morph_weights.push_back(0.0f);
    track.weights.values[targets + t] = 1.0f / static_cast<float>(t + 1);
  }
  draft.clips[0].morphs = {track};
  return draft;
}

detail::bake::Cost told(const Model& model, const BakeSettings& settings) {
  const auto clips = detail::bake::selected_clips(model, settings);
  EXPECT_TRUE(clips);
  return detail::bake::cost_of(model, settings, *clips);
}

TEST(BakeCost, IsNoLessThanWhatIsTaken) {
  struct Case {
    const char* what;
    ModelDraft draft;
    BakeSettings settings;
  };
  const Case cases[] = {{"levels", swaying_sheet(40, 1.0, 9), {}},
                        {"vertices", swaying_sheet(200, 0.1, 2), {.levels = 1}},
                        {"frames", swaying_sheet(4, 400.0, 400), {.levels = 1}},
                        {"morphs", morphed_sheet(50, 60), {.levels = 1}},
                        {"vertex_mode", swaying_sheet(40, 20.0, 40), {.mode = BakeMode::vertices, .levels = 1}}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const Model model = built(one.draft);
    const detail::bake::Cost cost = told(model, one.settings);
    SerialExecutor executor;
    bool made = false;
    const std::size_t peak = test::allocations_of([&] { made = bake(model, one.settings, executor).has_value(); }).peak;
    EXPECT_TRUE(made);
    EXPECT_LE(static_cast<double>(peak), cost.bytes) << "what was allocated against what was told";
    EXPECT_GE(static_cast<double>(peak), 0.08 * cost.bytes) << "what is told has to do with it";
    RecordProperty(one.what,
                   fmt::format("{:.1f} MiB of {:.1f}", static_cast<double>(peak) / kMebibyte, cost.bytes / kMebibyte));
  }
}

TEST(BakeCost, BeyondTheBudgetIsRefusedBeforeAnythingIsTaken) {
  const Model model = built(swaying_sheet(300, 0.1, 2));
  SerialExecutor executor;
  std::string error;
  const std::size_t peak = test::allocations_of([&] {
                             const auto out = bake(model, {.levels = 1, .memory_budget = 32 * kMebibyte}, executor);
                             if (!out) error = out.error().message;
                           }).peak;
  EXPECT_NE(error.find("would take about"), std::string::npos) << error;
  EXPECT_NE(error.find("; 32 MiB and 0.6 s are what its file may take, unless the budget is raised"), std::string::npos)
      << error;
  EXPECT_LT(peak, 4 * kMebibyte);
  EXPECT_TRUE(bake(model, {.levels = 1, .memory_budget = 256 * kMebibyte}, executor));
}

// A clip of no bytes to speak of that takes minutes.
TEST(BakeCost, IsCountedInSecondsToo) {
  const Model model = built(swaying_sheet(60, 500.0, 3));
  const BakeSettings settings{.levels = 1, .memory_budget = 512 * kMebibyte};
  const auto clips = *detail::bake::selected_clips(model, settings);
  const detail::bake::Cost cost = told(model, settings);
  EXPECT_LT(cost.bytes, 512.0 * kMebibyte);
  EXPECT_NEAR(cost.seconds, 27.0, 4.0) << "0.5 µs for each of 3,600 vertices at 15,001 frames";
  EXPECT_FALSE(detail::bake::check_cost(model, settings, clips)) << "10 s are what a small file may take";
  EXPECT_FALSE(detail::bake::check_cost(model, {.levels = 1, .memory_budget = 600 * kMebibyte}, clips));
  EXPECT_TRUE(detail::bake::check_cost(model, {.levels = 1, .memory_budget = 680 * kMebibyte}, clips))
      << "and one larger by two and a half mebibytes ten seconds more for each of them";
}

// What a good compressor packed into a small file is baked, if need be without levels, and that is said.
TEST(BakeCost, OfLevelsAloneLeavesThemOutInsteadOfRefusing) {
  const Model model = built(swaying_sheet(60, 0.1, 2));
  SerialExecutor executor;
  const auto poor = bake(model, {.memory_budget = 40 * kMebibyte}, executor);
  ASSERT_TRUE(poor) << poor.error().message;
  EXPECT_TRUE(poor->levels().empty());
  ASSERT_FALSE(poor->warnings().empty());
  EXPECT_NE(poor->warnings()[0].find("no levels of detail"), std::string::npos) << poor->warnings()[0];
  const auto rich = bake(model, {.memory_budget = 512 * kMebibyte}, executor);
  ASSERT_TRUE(rich) << rich.error().message;
  EXPECT_FALSE(rich->levels().empty());
}

}  // namespace
}  // namespace throng
