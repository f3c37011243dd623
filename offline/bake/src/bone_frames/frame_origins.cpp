// SPDX-License-Identifier: Apache-2.0
#include "bone_frames/frame_origins.h"

#include <algorithm>

#include "throng/math/bounds.h"

namespace throng::detail::bake {
namespace {

constexpr std::size_t kColumnsTried = 16;

using Origins = std::vector<glm::vec3>;

// How large the boxes of the columns are, squared and summed: what they are off by goes with it.
double size_of_boxes(const std::vector<glm::dvec3>& positions, std::size_t columns, const Origins& origins) {
  double sum = 0.0;
  for (std::size_t column = 0; column < columns; ++column) {
    Bounds box;
    for (std::size_t frame = 0; frame < origins.size(); ++frame) {
      box.add(positions[frame * columns + column] - glm::dvec3(origins[frame]));
    }
    sum += glm::dot(box.size(), box.size());
  }
  return sum;
}

Origins means(const std::vector<glm::dvec3>& positions, std::size_t columns, std::size_t frames) {
  Origins out;
  for (std::size_t frame = 0; frame < frames; ++frame) {
    glm::dvec3 sum(0.0);
    for (std::size_t column = 0; column < columns; ++column) sum += positions[frame * columns + column];
    out.emplace_back(sum / static_cast<double>(columns));
  }
  return out;
}

}  // namespace

std::vector<glm::vec3> take_off_origins(std::vector<glm::dvec3>& positions, std::size_t columns) {
  const std::size_t frames = columns == 0 ? 0 : positions.size() / columns;
  Origins best(frames, glm::vec3(0.0f));
  double least = size_of_boxes(positions, columns, best);
  const auto consider = [&](Origins origins) {
    const double size = size_of_boxes(positions, columns, origins);
    if (size >= least) return;
    least = size;
    best = std::move(origins);
  };
  consider(means(positions, columns, frames));
  for (std::size_t column = 0; column < std::min(columns, kColumnsTried); ++column) {
    Origins origins;
    for (std::size_t frame = 0; frame < frames; ++frame) origins.emplace_back(positions[frame * columns + column]);
    consider(std::move(origins));
  }
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] -= glm::dvec3(best[i / columns]);
  return best;
}

}  // namespace throng::detail::bake
