// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far a level of a character is from its full mesh, measured the slow way and through public functions alone: the
// source's vertices in double, points at random all over both surfaces, and a grid of triangles to search.

#include <meshoptimizer.h>

#include <array>
#include <map>
#include <optional>
#include <random>

#include "small_models.h"

namespace throng {

using Corners = std::array<std::uint32_t, 3>;

inline std::vector<Corners> triangles_of(const Character& out, const std::vector<BakedDraw>& draws) {
  std::vector<Corners> triangles;
  for (const BakedDraw& draw : draws) {
    for (std::uint32_t i = 0; i < draw.index_count; i += 3) {
      const auto at = out.indices().subspan(draw.first_index + i, 3);
      triangles.push_back({at[0], at[1], at[2]});
    }
  }
  return triangles;
}

inline double distance_to_segment(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& p) {
  const double squared = glm::dot(b - a, b - a);
  const double along = squared > 0.0 ? std::clamp(glm::dot(p - a, b - a) / squared, 0.0, 1.0) : 0.0;
  return glm::distance(p, a + along * (b - a));
}

// To the plane where the point lies above the triangle, else to its sides.
inline double distance_to_triangle(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, const glm::dvec3& p) {
  const glm::dvec3 n = glm::cross(b - a, c - a);
  const double length = glm::length(n);
  const auto inside = [&](const glm::dvec3& from, const glm::dvec3& to) {
    return glm::dot(glm::cross(to - from, p - from), n) >= 0.0;
  };
  if (length > 1e-20 && inside(a, b) && inside(b, c) && inside(c, a)) return std::abs(glm::dot(p - a, n)) / length;
  return std::min({distance_to_segment(a, b, p), distance_to_segment(b, c, p), distance_to_segment(c, a, p)});
}

// Triangles by the cells of a grid that their boxes touch.
class SurfaceGrid {
 public:
  SurfaceGrid(const std::vector<glm::dvec3>& positions, const std::vector<Corners>& triangles)
      : positions_(positions), triangles_(triangles), seen_(triangles.size(), 0) {
    for (const Corners& t : triangles) {
      for (const std::uint32_t v : t) box_.add(positions[v]);
    }
    const glm::dvec3 size = box_.size();
    cell_ = std::max({size.x, size.y, size.z, 1e-9}) /
            std::clamp(std::cbrt(4.0 * static_cast<double>(triangles.size())), 4.0, 48.0);
    for (int i = 0; i < 3; ++i) counts_[i] = 1 + static_cast<int>(size[i] / cell_);
    cells_.resize(static_cast<std::size_t>(counts_.x * counts_.y * counts_.z));
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      Bounds box;
      for (const std::uint32_t v : triangles[t]) box.add(positions[v]);
      for_cells(cell_of(box.min), cell_of(box.max), [&](std::vector<std::uint32_t>& cell) { cell.push_back(t); });
    }
  }

  // Ring by ring around the point's own cell, until all that is left is further away than what was found, or until
  // something is found within `enough`: who looks for the farthest of many points needs to know no more.
  double distance(const glm::dvec3& p, double enough) {
    ++search_;
    const glm::ivec3 home = cell_of(p);
    const double outside = glm::distance(p, glm::clamp(p, box_.min, box_.max));
    double best = std::numeric_limits<double>::infinity();
    const int most = std::max({counts_.x, counts_.y, counts_.z});
    for (int ring = 0; ring <= most && best > enough && std::max(outside, (ring - 1) * cell_) < best; ++ring) {
      look(p, home, ring, best);
    }
    return best;
  }

 private:
  glm::ivec3 cell_of(const glm::dvec3& p) const {
    const glm::dvec3 at = glm::clamp((p - box_.min) / cell_, glm::dvec3(0.0), glm::dvec3(counts_ - 1));
    return glm::ivec3(at);
  }
  template <class Body>
  void for_cells(glm::ivec3 low, glm::ivec3 high, const Body& body) {
    low = glm::max(low, glm::ivec3(0));
    high = glm::min(high, counts_ - 1);
    for (int z = low.z; z <= high.z; ++z) {
      for (int y = low.y; y <= high.y; ++y) {
        for (int x = low.x; x <= high.x; ++x)
          body(cells_[static_cast<std::size_t>((z * counts_.y + y) * counts_.x + x)]);
      }
    }
  }
  // The shell of cells that lie `ring` away from home: six sides of a cube.
  void look(const glm::dvec3& p, const glm::ivec3& home, int ring, double& best) {
    const auto search = [&](const std::vector<std::uint32_t>& cell) {
      for (const std::uint32_t t : cell) {
        if (std::exchange(seen_[t], search_) == search_) continue;
        const Corners& k = triangles_[t];
        best = std::min(best, distance_to_triangle(positions_[k[0]], positions_[k[1]], positions_[k[2]], p));
      }
    };
    if (ring == 0) return for_cells(home, home, search);
    for (int axis = 0; axis < 3; ++axis) {
      for (const int side : {-ring, ring}) {
        if (home[axis] + side < 0 || home[axis] + side >= counts_[axis]) continue;
        glm::ivec3 low = home - ring, high = home + ring;
        low[axis] = high[axis] = home[axis] + side;
        // Sides of axes that came before have the edges already.
        for (int before = 0; before < axis; ++before) {
          ++low[before];
          --high[before];
        }
        for_cells(low, high, search);
      }
    }
  }

  const std::vector<glm::dvec3>& positions_;
  const std::vector<Corners>& triangles_;
  std::vector<std::uint32_t> seen_;
  std::uint32_t search_ = 0;
  Bounds box_;
  double cell_ = 1.0;
  glm::ivec3 counts_{1};
  std::vector<std::vector<std::uint32_t>> cells_;
};

// The distance of the farthest of `count` points of one surface from the other, or `most` where none is farther; large
// triangles have more of them.
inline double farthest(const std::vector<glm::dvec3>& positions, const std::vector<Corners>& from, SurfaceGrid& to,
                       std::size_t count, double most, std::mt19937& random) {
  std::vector<double> areas;
  for (const Corners& t : from) {
    const glm::dvec3 a = positions[t[0]], b = positions[t[1]], c = positions[t[2]];
    areas.push_back(glm::length(glm::cross(b - a, c - a)) + 1e-12);
  }
  std::discrete_distribution<std::size_t> pick(areas.begin(), areas.end());
  std::uniform_real_distribution<double> even(0.0, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    const Corners& t = from[i % 2 == 0 ? pick(random) : random() % from.size()];
    double u = even(random), v = even(random);
    if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
    // A third of them are corners, where surfaces stick out.
    if (i % 3 == 0) u = v = 0.0;
    const glm::dvec3 p =
        positions[t[0]] + u * (positions[t[1]] - positions[t[0]]) + v * (positions[t[2]] - positions[t[0]]);
    most = std::max(most, to.distance(p, most));
  }
  return most;
}

struct LevelTruth {
  std::size_t points = 1500;         // each way, in each pose
  std::size_t times = 7;             // of a clip
  std::optional<PartId> alone = {};  // without all other parts
};

// Those of one part, or all.
inline std::vector<Corners> triangles_of(const Character& out, const std::vector<BakedDraw>& draws,
                                         std::optional<PartId> part) {
  std::vector<Corners> triangles = triangles_of(out, draws);
  std::erase_if(triangles, [&](const Corners& t) { return part && out.vertex_parts()[t[0]] != part->value; });
  return triangles;
}

// A moment of one of the model's clips; of a model without clips, at rest.
struct TruthMoment {
  std::size_t clip = 0;
  double time = 0.0;
};

// So many at random in each clip; of a clip that has no length, one.
inline std::vector<TruthMoment> moments_at_random(const Model& model, std::size_t of_each, std::mt19937& random) {
  std::uniform_real_distribution<double> even(0.0, 1.0);
  std::vector<TruthMoment> moments;
  if (model.clips().empty()) moments.push_back({});
  for (std::size_t c = 0; c < model.clips().size(); ++c) {
    const Clip& clip = model.clips()[c];
    for (std::size_t t = 0; t < (clip.length() > 0.0 ? of_each : 1); ++t)
      moments.push_back({c, clip.start + even(random) * clip.length()});
  }
  return moments;
}

// How far each of some surfaces between the character's vertices is from its full one in one pose, from so many points
// each way, or `errors` where that is more. Morph targets move only where the bake's mode holds them.
inline void add_true_errors(const Model& model, const Character& out, const std::vector<std::vector<Corners>>& surfaces,
                            const TruthMoment& moment, const LevelTruth& how, std::mt19937& random,
                            std::vector<double>& errors) {
  Clip clip = model.clips().empty() ? Clip{} : model.clips()[moment.clip];
  if (out.mode() == BakeMode::bones && out.morphs().empty()) clip.morphs.clear();
  const std::vector<glm::dvec3> positions = source_vertices(model, out, sample(model, clip, moment.time)).positions;
  const std::vector<Corners> full = triangles_of(out, out.draws(), how.alone);
  SurfaceGrid full_grid(positions, full);
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    if (surfaces[i].empty()) errors[i] = std::numeric_limits<double>::infinity();
    if (surfaces[i].empty()) continue;
    SurfaceGrid grid(positions, surfaces[i]);
    errors[i] = farthest(positions, full, grid, how.points, errors[i], random);
    errors[i] = farthest(positions, surfaces[i], full_grid, how.points, errors[i], random);
  }
}

// The same over all clips, in model units.
inline std::vector<double> true_errors(const Model& model, const Character& out,
                                       const std::vector<std::vector<Corners>>& surfaces, const LevelTruth& how = {}) {
  std::mt19937 random(11);
  std::vector<double> errors(surfaces.size(), 0.0);
  for (const TruthMoment& moment : moments_at_random(model, how.times, random))
    add_true_errors(model, out, surfaces, moment, how, random, errors);
  return errors;
}

inline std::vector<double> true_level_errors(const Model& model, const Character& out, const LevelTruth& how = {}) {
  std::vector<std::vector<Corners>> levels;
  for (const BakedLevel& level : out.levels()) levels.push_back(triangles_of(out, level.draws, how.alone));
  return true_errors(model, out, levels, how);
}

// meshoptimizer's simplification to so many triangles by positions at rest alone, of the mesh whose vertices are joined
// where they are in one place, but for rounding.
inline std::vector<Corners> plainly_simplified(const Model& model, const Character& out, std::size_t triangles) {
  constexpr double kPlaces = 1e5;  // along the longest side of the box
  const std::vector<glm::dvec3> rest = source_vertices(model, out, rest_pose(model)).positions;
  Bounds box;
  for (const glm::dvec3& p : rest) box.add(p);
  const double steps = kPlaces / std::max({box.size().x, box.size().y, box.size().z, 1e-30});
  std::map<std::array<long, 3>, std::uint32_t> first_at;
  // Only vertices that are used: those that lie where another does are never moved.
  std::vector<glm::vec3> positions;
  std::vector<std::uint32_t> vertices, indices;
  for (const Corners& t : triangles_of(out, out.draws())) {
    for (const std::uint32_t v : t) {
      const glm::dvec3 p = steps * (rest[v] - box.min);
      const std::array<long, 3> place{std::lround(p.x), std::lround(p.y), std::lround(p.z)};
      const auto [at, is_new] = first_at.try_emplace(place, static_cast<std::uint32_t>(vertices.size()));
      indices.push_back(at->second);
      if (!is_new) continue;
      vertices.push_back(v);
      positions.emplace_back(rest[v]);
    }
  }
  std::vector<std::uint32_t> left(indices.size());
  left.resize(meshopt_simplify(left.data(), indices.data(), indices.size(), &positions[0].x, positions.size(),
                               sizeof(glm::vec3), 3 * triangles, 1e9f, 0, nullptr));
  std::vector<Corners> out_triangles;
  for (std::size_t i = 0; i + 2 < left.size(); i += 3) {
    out_triangles.push_back({vertices[left[i]], vertices[left[i + 1]], vertices[left[i + 2]]});
  }
  return out_triangles;
}

}  // namespace throng
