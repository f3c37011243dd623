// SPDX-License-Identifier: Apache-2.0
// What a cast costs the CPU: choosing who is near among thousands, and driving those who are.
#include <algorithm>
#include <array>
#include <deque>

#include "measure.h"
#include "throng/bake/bake.h"
#include "throng/cast/cast.h"
#include "throng/mannequin/mannequin.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    "Method: 10,000 mannequins in a square, a camera that goes through it at 2 m/s, 60 images a second, one core. A "
    "figure is µs an\n"
    "update, the median of 120 images after a second; the rows take turns. Chosen: nobody may be near, so it is the "
    "choice and the crowd's own "
    "advance. Near: the\n"
    "nearest 8, 32 and 128 are advanced, posed and led over.";

constexpr double kStep = 1.0 / 60.0;

GraphDraft walkers() {
  GraphDraft draft;
  draft.parameters = {{.name = "speed", .initial = 0.4}};
  LayerDraft base{.name = "base"};
  MotionDraft gaits{.kind = MotionKind::blend_1d, .x = "speed"};
  gaits.children = {{.kind = MotionKind::clip, .clip = "walk", .at = {0.0f, 0.0f}},
                    {.kind = MotionKind::clip, .clip = "run", .at = {1.0f, 0.0f}}};
  base.machine.states = {{.name = "go", .motion = gaits}};
  draft.layers = {base};
  return draft;
}

struct Scene {
  Cast cast;
  Ticks now = 0;
  double seconds = 0.0;
  SerialExecutor executor;

  Scene(const Character& baked, const std::shared_ptr<const AnimatorGraph>& graph, const NearRule& rule, int side)
      : cast(rule) {
    bench::require(cast.add(baked, graph));
    for (int i = 0; i < side * side; ++i) {
      Spawn spawn;
      spawn.placement.position = {1.2f * static_cast<float>(i % side), 0.0f, 1.2f * static_cast<float>(i / side)};
      spawn.play.clip = baked.find_clip("walk").value();
      spawn.play.offset = 0.013 * i;
      bench::require(cast.add(spawn, 0));
    }
  }

  void step() {
    seconds += kStep;
    cast.update(ticks_from_seconds(seconds), {.eye = {60.0f, 1.7f, 30.0f + 2.0f * static_cast<float>(seconds)}},
                executor);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  bench::Report report(options);
  fmt::print("{}\n\n", kMethod);
  const Model model = make_mannequin();
  ThreadExecutor threads;
  const Character baked = bench::require(bake(model, {}, threads));
  const auto graph = bench::require(build_graph(walkers(), bench::require(build_rig(baked))));
  constexpr std::array kBudgets{0u, 8u, 32u, 128u};
  std::deque<Scene> scenes;
  std::vector<std::function<double()>> steps;
  for (const std::uint32_t budget : kBudgets) {
    Scene& scene = scenes.emplace_back(baked, graph, NearRule{.distance = budget == 0 ? 0.0f : 30.0f, .budget = budget},
                                       options.sized(100, 40));
    steps.emplace_back([&scene] { return bench::seconds_of([&scene] { scene.step(); }); });
  }
  const auto seconds = bench::medians_in_turn(options.sized(1.0, 0.0), options.sized(120, 4), steps);
  for (std::size_t i = 0; i < kBudgets.size(); ++i) {
    const std::uint32_t budget = kBudgets[i];
    bench::require(scenes[i].cast.near_actors().size() == budget, "as many are near as may be");
    const std::string name = budget == 0 ? "choose_10k_us" : fmt::format("update_10k_{}_near_us", budget);
    report.add(name, 1e6 * seconds[i], "µs",
               budget == 0 ? "" : fmt::format("{:.2f} µs a near character", 1e6 * (seconds[i] - seconds[0]) / budget));
  }
  return report.finish();
}
