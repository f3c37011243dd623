#pragma once
// Vertices as the measurement wants them: source and baked side by side, and each that moves alike only once.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "baked_mesh.h"

namespace throng {

// Something bound to bones both ways. Slots without weight come last.
struct Bound {
  std::array<double, 4> source_weights{}, baked_weights{};
  std::array<std::uint16_t, 4> bindings{}, columns{};
};

struct ComparedPoint {
  glm::dvec3 source{0.0};  // in mesh space
  glm::dvec3 baked{0.0};   // in the baked mesh's
  Bound bound;
  std::uint32_t vertex = 0;  // the first that is here
  std::uint32_t count = 0;   // how many are
};

struct ComparedPoints {
  std::vector<ComparedPoint> positions;
  std::vector<ComparedPoint> normals;  // directions instead of places; none for vertices whose source has none
};

ComparedPoints compared_points(const Model& model, const BakedMesh& mesh);

}  // namespace throng
