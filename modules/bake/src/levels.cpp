#include "levels.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>

#include "wedges.h"

namespace throng {
namespace {

constexpr float kMostError = 0.1f;           // of the model's extent: more is another shape
constexpr double kWorthwhile = 0.75;         // of the triangles of the level before: a level of more is not kept
constexpr double kNearEnough = 1.2;          // of the triangles wanted: more, and texture coordinates are let go
constexpr std::size_t kFewestTriangles = 4;  // the least that encloses anything

struct Coarse {
  const Wedges* wedges = nullptr;
  std::vector<std::uint32_t> places;  // three a triangle
  double error = 0.0;
};

Coarse simplified(const Wedges& wedges, const BakedMesh& mesh, std::size_t full, std::size_t wanted) {
  std::vector<std::uint32_t> places(full);
  for (std::size_t i = 0; i < full; ++i) places[i] = wedges.place_of[mesh.indices[i]];
  Coarse out{&wedges, std::vector<std::uint32_t>(full), 0.0};
  const float* const positions = &wedges.positions[0].x;
  float error = 0.0f;
  out.places.resize(meshopt_simplify(out.places.data(), places.data(), full, positions, wedges.positions.size(),
                                     sizeof(glm::vec3), wanted, kMostError, 0, &error));
  out.error = static_cast<double>(error) *
              static_cast<double>(meshopt_simplifyScale(positions, wedges.positions.size(), sizeof(glm::vec3)));
  return out;
}

// Triangles of one level, part by part, behind what is there.
BakedLevel append_level(const Coarse& coarse, BakedMesh& mesh) {
  BakedLevel level;
  level.error = coarse.error;
  for (std::uint32_t p = 0; p < mesh.parts.size(); ++p) {
    BakedPart part{mesh.parts[p].material, static_cast<std::uint32_t>(mesh.indices.size()), 0};
    for (std::size_t i = 0; i + 2 < coarse.places.size(); i += 3) {
      if (coarse.wedges->part[coarse.places[i]] != p) continue;
      const std::array<std::uint32_t, 3> places{coarse.places[i], coarse.places[i + 1], coarse.places[i + 2]};
      for (const std::uint32_t vertex : corners_for(mesh, *coarse.wedges, places)) {
        mesh.indices.push_back(vertex);
        level.vertex_count = std::max(level.vertex_count, vertex + 1);
      }
    }
    part.index_count = static_cast<std::uint32_t>(mesh.indices.size()) - part.first_index;
    if (part.index_count > 0) level.parts.push_back(part);
  }
  return level;
}

}  // namespace

void add_levels(std::uint32_t levels, const std::vector<std::uint64_t>& motions, BakedMesh& mesh) {
  const std::size_t full = mesh.indices.size();
  const Wedges charts = make_wedges(mesh, motions, true);
  const Wedges places = make_wedges(mesh, motions, false);
  std::size_t before = full;
  for (std::uint32_t level = 1; level < levels; ++level) {
    const std::size_t wanted = (full / 3 >> level) * 3;
    if (wanted < kFewestTriangles * 3) return;
    Coarse coarse = simplified(charts, mesh, full, wanted);
    if (static_cast<double>(coarse.places.size()) > kNearEnough * static_cast<double>(wanted)) {
      Coarse freer = simplified(places, mesh, full, wanted);
      if (static_cast<double>(freer.places.size()) < kWorthwhile * static_cast<double>(coarse.places.size())) {
        coarse = std::move(freer);
      }
    }
    if (coarse.places.empty()) return;
    if (static_cast<double>(coarse.places.size()) > kWorthwhile * static_cast<double>(before)) return;
    before = coarse.places.size();
    mesh.levels.push_back(append_level(coarse, mesh));
  }
}

}  // namespace throng
