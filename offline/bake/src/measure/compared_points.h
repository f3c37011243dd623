// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vertices as the measurement wants them: source and baked side by side, each that moves alike only once, and four that
// follow the same bones at a time.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "mesh/baked_mesh.h"
#include "morphs/morph_deltas.h"
#include "throng/math/simd/double4.h"

namespace throng::detail::bake {

using namespace simd;

// Something bound to bones both ways, by all influences in the source and by four in the bake. Influences without
// weight come last.
struct Bound {
  std::array<double, kMostInfluences> source_weights{};
  std::array<double, 4> baked_weights{};
  std::array<std::uint16_t, kMostInfluences> bindings{};
  std::array<std::uint16_t, 4> columns{};
};

struct ComparedPoint {
  glm::dvec3 source{0.0};  // in mesh space
  glm::dvec3 baked{0.0};   // in the baked mesh's
  Bound bound;
  std::uint32_t vertex = 0;  // the first that is here
  std::uint32_t count = 0;   // how many are
  bool morphed = false;      // morph targets move it: it is the only one here
};

// What a weight of one adds to four points.
struct PointMorph {
  std::uint32_t weight = 0;  // source: of ComparedPoints::moving; baked: of the character's targets
  Points4 delta;
};

// One side of four points that follow the same bones. Weights come last: few points have so many that all are read.
template <std::size_t kInfluences>
struct BoundPoints4 {
  Points4 points;
  std::array<std::uint16_t, kInfluences> bones{};  // bindings of the source, columns of the bake
  std::uint32_t influence_count = 0;
  std::uint32_t first_morph = 0;  // of ComparedPoints::morphs
  std::uint32_t morph_count = 0;
  std::array<Double4, kInfluences> weights{};
};

// Where there are fewer than four, the last is repeated and counts for nothing.
struct ComparedBlock {
  BoundPoints4<4> baked;
  std::array<std::uint32_t, 4> vertex{};
  std::array<std::uint32_t, 4> count{};
  Double4 weight;  // `count` again
  BoundPoints4<kMostInfluences> source;
};

struct ComparedPoints {
  std::vector<ComparedPoint> all;
  std::vector<ComparedBlock> positions;
  std::vector<ComparedBlock> normals;  // unit directions instead of places; none for vertices whose source has none
  std::vector<PointMorph> morphs;      // of the blocks' sides
  std::vector<MovingTarget> moving;    // whose weights the source's sides take
};

ComparedPoints compared_points(const Model& model, const BakedMesh& mesh);

// The same with morph targets, those that are left out among them: the source has them in.
ComparedPoints compared_points(const Model& model, const BakedMesh& mesh, const MorphPlan& plan,
                               const MorphDeltas& deltas);

// For each column the points farthest out in each direction; no normals.
ComparedPoints extreme_points(const ComparedPoints& points, std::size_t columns);

}  // namespace throng::detail::bake
