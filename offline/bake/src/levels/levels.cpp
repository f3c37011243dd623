// SPDX-License-Identifier: Apache-2.0
#include "levels/levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "levels/level_meter.h"
#include "levels/simplify.h"

namespace throng::detail::bake {
namespace {

constexpr double kShare = 0.35;              // of the triangles of the level before that each is given
constexpr double kWorthwhile = 0.75;         // of the triangles of the level before: a level of more is not kept
constexpr std::size_t kFewestTriangles = 4;  // the least that encloses anything
constexpr double kNotMuchWorse = 1.5;        // of the least error that any regard for looks gave
constexpr double kMostError = 0.3;           // of the model's extent: more is another shape
constexpr double kMostPoses = 8.0;           // in which steps are weighed
constexpr double kLeastPoses = 3.0;          // the same of models of very many vertices
constexpr double kMostWeighed = 6e5;         // vertices times poses: with more of them there are fewer poses
constexpr std::size_t kPosesCompared = 16;   // in which the results are compared

// How much normals, texture and colours count, tried in turn.
constexpr std::array<double, 2> kLooks{1.0, 0.15};

using Levels = std::vector<SimplifiedMesh>;

std::vector<std::size_t> wanted_counts(std::uint32_t levels, std::size_t triangles) {
  std::vector<std::size_t> counts;
  for (std::uint32_t level = 1; level < levels; ++level) {
    const auto wanted = static_cast<std::size_t>(std::pow(kShare, level) * static_cast<double>(triangles));
    if (wanted < kFewestTriangles) break;
    counts.push_back(wanted);
  }
  return counts;
}

// Without the levels that save too little.
Levels worthwhile(Levels levels, std::size_t full) {
  Levels out;
  auto before = static_cast<double>(full);
  for (SimplifiedMesh& level : levels) {
    const auto count = static_cast<double>(level.triangle_count());
    if (level.triangle_count() == 0 || count > kWorthwhile * before) break;
    before = count;
    out.push_back(std::move(level));
  }
  return out;
}

// The one that regards looks most and has as many levels as any, none of them much worse than the best.
std::size_t choice(const std::vector<Levels>& runs, const std::vector<std::vector<double>>& errors) {
  std::size_t most = 0;
  for (const Levels& run : runs) most = std::max(most, run.size());
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (runs[r].size() < most) continue;
    double worse = 1.0;
    for (std::size_t level = 0; level < most; ++level) {
      for (std::size_t other = 0; other < runs.size(); ++other) {
        if (level < errors[other].size()) worse = std::max(worse, errors[r][level] / errors[other][level]);
      }
    }
    if (worse <= kNotMuchWorse) return r;
    if (worse < least) best = r;
    least = std::min(least, worse);
  }
  return best;
}

// Of the time that levels take.
constexpr double kSimplifying = 0.05;
constexpr double kComparing = 0.35;
constexpr double kMeasuring = 0.6;

Levels best_levels(const LevelMesh& welded, const BakedMesh& mesh, const std::vector<std::size_t>& counts,
                   const std::vector<std::size_t>& poses, const LevelMeter& meter, Executor& executor,
                   SharedProgress& made) {
  std::vector<Levels> runs(kLooks.size());
  executor.run(runs.size(), [&](std::size_t r) {
    runs[r] = worthwhile(simplify(welded, mesh, kLooks[r], counts), welded.triangle_count());
    made.add(kSimplifying / static_cast<double>(runs.size()));
  });
  std::vector<Triangles> surfaces;
  for (const Levels& run : runs) {
    for (const SimplifiedMesh& level : run) surfaces.push_back(level.corners);
  }
  const std::vector<double> all = meter.errors(surfaces, poses, [&](double share) { made.add(kComparing * share); });
  std::vector<std::vector<double>> errors;
  auto next = all.begin();
  for (const Levels& run : runs) {
    errors.emplace_back(next, next + static_cast<std::ptrdiff_t>(run.size()));
    next += static_cast<std::ptrdiff_t>(run.size());
  }
  return std::move(runs[choice(runs, errors)]);
}

// Triangles of one level, draw by draw, behind what is there.
BakedLevel append_level(const SimplifiedMesh& level, BakedMesh& mesh) {
  BakedLevel out;
  std::vector<std::uint32_t> order(level.draw.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t t) { return level.draw[t]; });
  auto next = order.begin();
  for (std::uint32_t d = 0; d < mesh.draws.size(); ++d) {
    BakedDraw draw{mesh.draws[d].material, static_cast<std::uint32_t>(mesh.indices.size()), 0};
    for (; next != order.end() && level.draw[*next] == d; ++next) {
      const std::size_t t = *next;
      for (std::size_t k = 0; k < 3; ++k) {
        mesh.indices.push_back(level.corners[3 * t + k]);
        out.vertex_count = std::max(out.vertex_count, mesh.indices.back() + 1);
      }
    }
    draw.index_count = static_cast<std::uint32_t>(mesh.indices.size()) - draw.first_index;
    if (draw.index_count > 0) out.draws.push_back(draw);
  }
  return out;
}

}  // namespace

void add_levels(std::uint32_t levels, const LevelPoses& poses, Executor& executor, BakedMesh& mesh,
                const Progress& progress) {
  const std::vector<std::size_t> counts = wanted_counts(levels, mesh.indices.size() / 3);
  if (counts.empty()) return;
  std::vector<std::size_t> compared(std::min(kPosesCompared, poses.count()));
  std::iota(compared.begin(), compared.end(), std::size_t{0});
  const double room = kMostWeighed / static_cast<double>(mesh.vertices.size());
  const auto weighed = static_cast<std::size_t>(std::clamp(room, kLeastPoses, kMostPoses));
  const LevelMesh welded = weld(mesh, poses, std::min(weighed, compared.size()));
  const LevelMeter meter(poses, welded.corners, executor);
  SharedProgress made(progress, "levels", kSimplifying + kComparing + kMeasuring);
  const Levels best = best_levels(welded, mesh, counts, compared, meter, executor, made);
  if (best.empty()) return;
  std::vector<Triangles> surfaces;
  for (const SimplifiedMesh& level : best) surfaces.push_back(level.corners);
  const std::vector<double> errors = meter.errors(surfaces, [&](double share) { made.add(kMeasuring * share); });
  double before = 0.0;
  for (std::size_t i = 0; i < best.size() && errors[i] <= kMostError * welded.extent; ++i) {
    mesh.levels.push_back(append_level(best[i], mesh));
    mesh.levels.back().error = before = std::max(before, errors[i]);
  }
}

}  // namespace throng::detail::bake
