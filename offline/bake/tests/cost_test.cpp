// SPDX-License-Identifier: Apache-2.0
// What a bake may take: told before it is taken, in bytes that are counted here.
#include "cost.h"

#include "allocations.h"
#include "cpu_time.h"
#include "instrumented.h"
#include "mesh/mesh_models.h"
#include "small_models.h"
#include "throng/base/memory_budget.h"
#include "throng/character/file.h"
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

// What parts are chosen from is held beside what is chosen.
TEST(BakeCost, OfChosenPartsHasTheModelTwice) {
  const Model model = built(swaying_sheet(40, 1.0, 9));
  const Mesh& mesh = model.meshes()[0];
  const std::size_t own =
      mesh.positions.size() * (sizeof(glm::vec3) + sizeof(Influences)) + mesh.indices.size() * sizeof(std::uint32_t);
  EXPECT_GE(told(model, {.only = {"*"}}).bytes, told(model, {}).bytes + static_cast<double>(own));
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
      << "and one that is a mebibyte and a quarter larger ten seconds more for each half of one";
  BakeSettings told_apart = settings;
  told_apart.work_seconds = cost.seconds + 0.01;
  EXPECT_TRUE(detail::bake::check_cost(model, told_apart, clips)) << "unless it is told how many there are";
  told_apart.memory_budget = 680 * kMebibyte;
  told_apart.work_seconds = cost.seconds - 0.01;
  EXPECT_FALSE(detail::bake::check_cost(model, told_apart, clips));
}

// Levels of detail are left out first, so what is told is what does without them.
TEST(BakeCost, WhatARefusalNamesIsTheLeastThatWillDo) {
  const Model model = built(swaying_sheet(300, 0.1, 2));
  SerialExecutor executor;
  const auto refused = bake(model, {.memory_budget = 32 * kMebibyte}, executor);
  ASSERT_FALSE(refused);
  const std::string& error = refused.error().message;
  const std::string_view before = "would take about ";
  ASSERT_NE(error.find(before), std::string::npos) << error;
  EXPECT_NE(error.find(" to bake, without levels of detail; 32 MiB"), std::string::npos) << error;
  const std::uint64_t enough = std::stoull(error.substr(error.find(before) + before.size())) * kMebibyte;
  for (const bool one_less : {false, true}) {
    BakeSettings settings{.memory_budget = enough - (one_less ? kMebibyte : 0), .work_seconds = 1000.0};
    std::vector<std::string> warnings;
    settings.levels = *detail::bake::affordable_levels(model, settings, warnings);
    EXPECT_EQ(settings.levels, 1u);
    const auto clips = *detail::bake::selected_clips(model, settings);
    EXPECT_EQ(detail::bake::check_cost(model, settings, clips).has_value(), !one_less);
  }
}

// A chain of bones that all tremble at uneven keys, whose motion no rate there is comes close to.
ModelDraft trembling_chain(std::uint32_t bones, double seconds, std::size_t keys) {
  ModelDraft draft = swaying_sheet(12, seconds, 2);
  draft.bones = {{"root", std::nullopt, {}}};
  draft.bindings = {{0, glm::dmat4(1.0)}};
  Clip& clip = draft.clips[0];
  clip.bones.clear();
  std::mt19937 random(3);
  const auto even = [&] { return static_cast<double>(random()) / 4294967296.0; };
  const double length = 2.0 / bones;
  for (std::uint32_t bone = 0; bone < bones; ++bone) {
    if (bone > 0) {
      draft.bones.push_back({fmt::format("bone {}", bone), bone - 1, {{0.0, length, 0.0}, {1, 0, 0, 0}, {1, 1, 1}}});
      draft.bindings.push_back({bone, glm::translate(glm::dmat4(1.0), glm::dvec3(0.0, -length * bone, 0.0))});
    }
    BoneTrack track{.bone = bone, .translation = {}, .rotation = {}, .scale = {}};
    for (std::size_t key = 0; key < keys; ++key) {
      const bool inside = key > 0 && key + 1 < keys;
      const double at = static_cast<double>(key) + (inside ? 0.8 * (even() - 0.5) : 0.0);
      track.rotation.times.push_back(static_cast<float>(seconds * at / static_cast<double>(keys - 1)));
      track.rotation.values.push_back(
          glm::angleAxis(static_cast<float>(0.1 * (even() - 0.5)), glm::vec3(0.0f, 0.6f, 0.8f)));
    }
    clip.bones.push_back(std::move(track));
  }
  Mesh& mesh = draft.meshes[0];
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const auto bone = static_cast<std::uint16_t>(std::min(mesh.positions[v].y / length, bones - 1.0));
    mesh.influences[v] = bound_to(bone);
  }
  return draft;
}

// A chain that folds into itself in every pose is slow to compare: it is looked at in fewer of them.
TEST(BakeCost, OfLevelsStaysInTheBudget) {
  ModelDraft draft = trembling_chain(60, 40.0, 40);
  for (BoneTrack& track : draft.clips[0].bones)
    for (glm::quat& value : track.rotation.values)
      value = glm::angleAxis(40.0f * glm::angle(value), glm::vec3(0.0f, 0.6f, 0.8f));
  const Model model = built(std::move(draft));
  BakeSettings settings{.encoding = Encoding::q16, .frame_rate = 30.0, .near = false, .memory_budget = 160 * kMebibyte};
  SerialExecutor executor;
  const double before = test::cpu_seconds();
  const auto out = bake(model, settings, executor);
  const double cpu = test::cpu_seconds() - before;
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_FALSE(out->levels().empty());
  const double allowed = 3.0 * work_budget(settings.memory_budget);  // cores that share a unit take longer
  EXPECT_TRUE(test::kInstrumented || cpu <= allowed) << cpu << " s where " << allowed << " are allowed";
  RecordProperty("cpu", fmt::format("{:.2f} s", cpu));
}

// Targets that all move apart from each other, on few vertices: what is kept of one is not looked for among all.
TEST(BakeCost, OfVeryManyTargetsGrowsWithTheirNumber) {
  const auto cpu_of = [](std::size_t targets) {
    const Model model = built(morphed_sheet(12, targets));
    SerialExecutor executor;
    const double before = test::cpu_seconds();
    const auto out = bake(model, {.levels = 1, .near = false}, executor);
    EXPECT_TRUE(out) << out.error().message;
    return test::cpu_seconds() - before;
  };
  const double few = cpu_of(1500);
  const double many = cpu_of(6000);
  EXPECT_TRUE(test::kInstrumented || many < 8.0 * few) << few << " s and " << many << " s";
}

// Rigid things that are scaled to nothing: where one of them shows is not looked for in all poses of all of them.
TEST(BakeCost, OfThingsThatNeverShowGrowsWithTheirNumber) {
  const auto cpu_of = [](std::uint32_t things) {
    ModelDraft draft = swaying_bar();
    for (std::uint32_t i = 0; i < things; ++i) {
      const auto bone = static_cast<std::uint32_t>(draft.bones.size());
      draft.bones.push_back({fmt::format("hidden {}", i), std::nullopt, {}});
      draft.bones.back().rest.scale = glm::dvec3(0.0);
      draft.bindings.push_back({bone, glm::dmat4(1.0)});
      Mesh mesh;
      mesh.name = mesh.part = draft.bones.back().name;
      mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
      mesh.influences.assign(3, bound_to(static_cast<std::uint16_t>(draft.bindings.size() - 1)));
      mesh.indices = {0, 1, 2};
      draft.meshes.push_back(std::move(mesh));
    }
    const Model model = built(std::move(draft));
    SerialExecutor executor;
    const double before = test::cpu_seconds();
    const auto out = bake(model, {.frame_rate = 10.0, .levels = 1, .near = false}, executor);
    EXPECT_TRUE(out) << out.error().message;
    return test::cpu_seconds() - before;
  };
  const double few = cpu_of(500);
  const double many = cpu_of(2000);
  EXPECT_TRUE(test::kInstrumented || many < 8.0 * few) << few << " s and " << many << " s";
}

// What is left of the budget goes into rates and encodings, and no more than that: the clip is baked all the same, less
// closely, and that is said.
TEST(BakeCost, OfSearchingForRatesStaysInTheBudget) {
  const Model model = built(trembling_chain(30, 20.0, 250));
  struct Outcome {
    std::optional<Character> character;
    std::size_t peak = 0;
    double cpu = 0.0;
  };
  const auto baked_within = [&](BakeMode mode, std::uint64_t budget, unsigned threads) {
    ThreadExecutor executor(threads);
    BakeSettings settings{.mode = mode, .levels = 1, .memory_budget = budget};
    Outcome out;
    const double before = test::cpu_seconds();
    out.peak = test::allocations_of([&] {
                 auto made = bake(model, settings, executor);
                 EXPECT_TRUE(made) << made.error().message;
                 if (made) out.character.emplace(*std::move(made));
               }).peak;
    out.cpu = test::cpu_seconds() - before;
    return out;
  };
  for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
    SCOPED_TRACE(mode == BakeMode::bones ? "bones" : "vertices");
    double error = std::numeric_limits<double>::infinity();
    for (const std::uint64_t budget : {64 * kMebibyte, 128 * kMebibyte}) {
      const Outcome one = baked_within(mode, budget, 1);
      const Outcome other = baked_within(mode, budget, 3);
      ASSERT_TRUE(one.character && other.character);
      for (const Outcome* out : {&one, &other}) {
        EXPECT_LE(out->peak, budget);
        const double allowed = 3.0 * work_budget(budget);
        EXPECT_TRUE(test::kInstrumented || out->cpu <= allowed) << out->cpu << " s where " << allowed << " are allowed";
        RecordProperty(fmt::format("{} {} MiB", mode == BakeMode::bones ? "bones" : "vertices", budget / kMebibyte),
                       fmt::format("{} MiB, {:.2f} s", out->peak / kMebibyte, out->cpu));
      }
      EXPECT_EQ(encode_character(*one.character).value(), encode_character(*other.character).value());
      const bool told = std::ranges::any_of(one.character->notes(), [](const std::string& note) {
        return note.find("was cut short for 1 clip") != std::string::npos;
      });
      EXPECT_TRUE(told);
      const double here = std::max(one.character->error().at_frames.max_mm, one.character->error().between.max_mm);
      EXPECT_LE(here, error) << "more is found with more";
      error = here;
    }
  }
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
