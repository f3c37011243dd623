// SPDX-License-Identifier: Apache-2.0
// What deforming a character on the CPU costs, on one core.

#include <array>
#include <cmath>
#include <optional>

#include "models.h"
#include "throng/bake/bake.h"
#include "throng/playback/controller.h"
#include "throng/playback/deform.h"
#include "tube.h"

using namespace throng;

namespace {

constexpr const char* kMethod =
    R"(Method: Deformer::run, one core, from a play's record to positions and unit normals in model space: decoding the bones is in it. Each run is
of a moment 1/60 s later. A figure is of the core's own time: the median of 25 times eight runs, the least of 15 such. The tube has 57 bones and every vertex
follows four of them; its rings are 40 vertices. "nothing" asks for no output; it takes turns with a run for positions alone, which it is compared to. Positions and
normals are compared with the reference in double between measurements: a fast wrong answer ends the benchmark.)";

constexpr int kRuns = 25;
constexpr int kTogether = 8;  // that are timed at once: asking for the time takes some
constexpr double kStep = 1.0 / 60.0;
// What deform.h promises.
constexpr double kSamePlace = 1e-5;  // of the model's diagonal
constexpr double kSameDirection = 1e-5;

class Subject {
 public:
  explicit Subject(Character model)
      : model_(std::move(model)),
        deformer_(model_),
        controller_(model_),
        positions_(deformer_.vertex_count()),
        normals_(deformer_.vertex_count()) {}

  std::size_t vertex_count() const { return deformer_.vertex_count(); }
  std::size_t bone_count() const { return model_.bones().size(); }

  // The median run, µs.
  double micros(bool positions, bool normals) {
    std::array<double, kRuns> seconds{};
    Deformer::Output out;
    if (positions) out.positions = positions_;
    if (normals) out.normals = normals_;
    for (double& run : seconds) {
      const double begin = bench::thread_seconds();
      for (int i = 0; i < kTogether; ++i) {
        controller_.advance(kStep);
        const auto done = deformer_.run(controller_.record(), controller_.now(), out);
        if (!done) bench::require(false, done.error().message);
      }
      run = (bench::thread_seconds() - begin) / kTogether;
    }
    std::nth_element(seconds.begin(), seconds.begin() + kRuns / 2, seconds.end());
    return seconds[kRuns / 2] * 1e6;
  }

  // Checks the results of the last run that had both.
  void check() const {
    const DecodedVertices right = deform(model_, controller_.record(), controller_.now());
    const double diagonal = model_.bounds().diagonal();
    double off = 0.0, turned = 0.0;
    for (std::size_t v = 0; v < right.positions.size(); ++v) {
      off = std::max(off, glm::distance(right.positions[v], glm::dvec3(positions_[v])));
      turned = std::max(turned, glm::distance(right.normals[v], glm::dvec3(normals_[v])));
    }
    bench::require(off <= kSamePlace * diagonal, fmt::format("positions are {} of the diagonal off", off / diagonal));
    bench::require(turned <= kSameDirection, fmt::format("normals are {} off", turned));
  }

 private:
  Character model_;
  Deformer deformer_;
  Controller controller_;
  std::vector<glm::vec3> positions_;
  std::vector<glm::vec3> normals_;
};

struct Figures {
  double whole = 1e9, positions = 1e9, nothing = 1e9;  // µs
};

// `target`: of a whole run, in µs.
Figures measure(const std::string& name, Character model, std::optional<bench::Target> target,
                const bench::Options& options, bench::Report& report) {
  Subject subject(std::move(model));
  Figures least;
  for (int round = 0; round < options.sized(15, 2); ++round) {
    least.nothing = std::min(least.nothing, subject.micros(false, false));
    least.positions = std::min(least.positions, subject.micros(true, false));
    least.whole = std::min(least.whole, subject.micros(true, true));
    subject.check();
  }
  report.add("deform_" + name + "_us", least.whole, "µs",
             fmt::format("{} vertices, {} bones; positions alone {:.1f} µs", subject.vertex_count(),
                         subject.bone_count(), least.positions),
             target);
  report.record("deform_" + name + "_positions_us", least.positions, "µs");
  report.add("deform_" + name + "_nothing_us", least.nothing, "µs",
             fmt::format("{:.1f} % of a run for positions", 100.0 * least.nothing / least.positions));
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Options options = bench::read_options(argc, argv);
  bench::Report report(options);
  fmt::print("{}\n\n", kMethod);
  ThreadExecutor executor;
  const std::uint32_t vertices = options.sized(1040u, 400u);
  const auto tube = [&](std::uint32_t count) {
    return bench::require(bake(bench::make_tube({.vertices = count, .sways = true}), {.levels = 1}, executor));
  };
  const Figures small = measure("tube", tube(vertices), bench::at_most(9.3), options, report);
  report.add("deform_ns_per_vertex", 1e3 * small.whole / vertices, "ns", "of the tube");
  report.add("deform_nothing_share", small.nothing / small.positions, "×", "of a run for positions");
  if (!options.small) measure("large_tube", tube(28360), bench::at_most(137.0), options, report);
  std::vector<std::string> missing;
  for (const bench::BenchModel& source : bench::table_models(options.small, missing))
    measure(source.name, bench::require(bake(source.model, {.levels = 1}, executor)),
            source.name == "cesium_man" ? std::optional(bench::at_most(22.0)) : std::nullopt, options, report);
  for (const std::string& what : missing) fmt::print("left out: {}\n", what);
  return report.finish();
}
