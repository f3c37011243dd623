// SPDX-License-Identifier: Apache-2.0
#include "mesh/levels.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "levels/level_meter.h"
#include "mesh/coincident_vertices.h"

namespace throng::detail::bake {
namespace {

constexpr double kMostError = 0.1;           // of the model's extent: more is another shape
constexpr double kShare = 0.35;              // of the triangles of the level before that each is given
constexpr double kWorthwhile = 0.75;         // of the triangles of the level before: a level of more is not kept
constexpr double kNearEnough = 1.2;          // of the triangles wanted: with more, less of the looks is kept
constexpr std::size_t kFewestTriangles = 4;  // the least that encloses anything

// How far apart in the texture two vertices of one position may lie and still be joined, tried in turn: seams stay
// where they are; facets of one colour of a palette are joined; only the shape counts.
constexpr std::array<float, 3> kTolerances{0.0f, 1.0f / 16.0f, std::numeric_limits<float>::infinity()};

struct Coarse {
  const CoincidentVertices* coincident = nullptr;
  std::vector<std::uint32_t> places;  // three a triangle

  double size() const { return static_cast<double>(places.size()); }
};

Coarse simplified(const CoincidentVertices& coincident, const BakedMesh& mesh, std::size_t full, std::size_t wanted) {
  std::vector<std::uint32_t> places(full);
  for (std::size_t i = 0; i < full; ++i) places[i] = coincident.place_of[mesh.indices[i]];
  Coarse out{&coincident, std::vector<std::uint32_t>(full)};
  out.places.resize(meshopt_simplify(out.places.data(), places.data(), full, &coincident.positions[0].x,
                                     coincident.positions.size(), sizeof(glm::vec3), wanted,
                                     static_cast<float>(kMostError), 0, nullptr));
  return out;
}

// The strictest that comes near to what is wanted; if none does, the strictest that is worth having.
Coarse best_simplified(const std::vector<CoincidentVertices>& choices, const BakedMesh& mesh, std::size_t full,
                       std::size_t wanted, double before) {
  std::vector<Coarse> tried;
  for (const CoincidentVertices& coincident : choices) {
    tried.push_back(simplified(coincident, mesh, full, wanted));
    if (tried.back().size() <= kNearEnough * static_cast<double>(wanted)) return std::move(tried.back());
  }
  for (Coarse& coarse : tried) {
    if (coarse.size() <= kWorthwhile * before) return std::move(coarse);
  }
  return std::move(tried.front());
}

// Triangles of one level, part by part, behind what is there.
BakedLevel append_level(const Coarse& coarse, BakedMesh& mesh) {
  BakedLevel level;
  for (std::uint32_t p = 0; p < mesh.draws.size(); ++p) {
    BakedDraw draw{mesh.draws[p].material, static_cast<std::uint32_t>(mesh.indices.size()), 0};
    for (std::size_t i = 0; i + 2 < coarse.places.size(); i += 3) {
      if (coarse.coincident->part[coarse.places[i]] != p) continue;
      const std::array<std::uint32_t, 3> places{coarse.places[i], coarse.places[i + 1], coarse.places[i + 2]};
      for (const std::uint32_t vertex : corners_for(mesh, *coarse.coincident, places)) {
        mesh.indices.push_back(vertex);
        level.vertex_count = std::max(level.vertex_count, vertex + 1);
      }
    }
    draw.index_count = static_cast<std::uint32_t>(mesh.indices.size()) - draw.first_index;
    if (draw.index_count > 0) level.draws.push_back(draw);
  }
  return level;
}

// The errors of all levels, none less than that of a finer one.
void measure_levels(const LevelPoses& poses, Executor& executor, BakedMesh& mesh) {
  const auto triangles_of = [&](const std::vector<BakedDraw>& draws) {
    Triangles out;
    for (const BakedDraw& draw : draws) {
      const auto first = mesh.indices.begin() + draw.first_index;
      out.insert(out.end(), first, first + draw.index_count);
    }
    return out;
  };
  std::vector<Triangles> surfaces;
  for (const BakedLevel& level : mesh.levels) surfaces.push_back(triangles_of(level.draws));
  if (surfaces.empty()) return;
  const std::vector<double> errors = LevelMeter(poses, triangles_of(mesh.draws), executor).errors(surfaces);
  double before = 0.0;
  for (std::size_t i = 0; i < errors.size(); ++i) mesh.levels[i].error = before = std::max(before, errors[i]);
}

}  // namespace

void add_levels(std::uint32_t levels, const std::vector<std::uint64_t>& motions, const LevelPoses& poses,
                Executor& executor, BakedMesh& mesh) {
  if (levels <= 1) return;
  const std::size_t full = mesh.indices.size();
  std::vector<CoincidentVertices> choices;
  for (const float tolerance : kTolerances) choices.push_back(find_coincident_vertices(mesh, motions, tolerance));
  const std::size_t triangles = full / 3;
  double triangles_before = static_cast<double>(full);
  for (std::uint32_t level = 1; level < levels; ++level) {
    const auto wanted = static_cast<std::size_t>(std::pow(kShare, level) * static_cast<double>(triangles)) * 3;
    if (wanted < kFewestTriangles * 3) break;
    const Coarse coarse = best_simplified(choices, mesh, full, wanted, triangles_before);
    if (coarse.places.empty() || coarse.size() > kWorthwhile * triangles_before) break;
    triangles_before = coarse.size();
    mesh.levels.push_back(append_level(coarse, mesh));
  }
  measure_levels(poses, executor, mesh);
}

}  // namespace throng::detail::bake
