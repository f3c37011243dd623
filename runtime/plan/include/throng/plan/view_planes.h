// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a view shows, as planes. Pure.

#include <array>

#include "throng/shaders/shared/drawing.h"

namespace throng {

// The planes of what a matrix shows, each of unit length: four sides, and the one the eye is in; without perspective,
// where depth begins and ends.
inline gpu::ViewRecord view_of(const glm::mat4& clip_from_world) {
  const glm::mat4 rows = glm::transpose(clip_from_world);
  const bool flat = glm::length(glm::vec3(rows[3])) <= 1e-20f;
  const std::array<glm::vec4, 6> planes{rows[3] + rows[0],        rows[3] - rows[0],
                                        rows[3] + rows[1],        rows[3] - rows[1],
                                        flat ? rows[2] : rows[3], flat ? rows[3] - rows[2] : glm::vec4(0.0f)};
  gpu::ViewRecord view{};
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const float length = glm::length(glm::vec3(planes[i]));
    // One that is no plane has everything far inside.
    view.planes[i] = length > 1e-20f ? planes[i] / length : glm::vec4(0.0f, 0.0f, 0.0f, 1e30f);
  }
  return view;
}

// Whether any of a box may be inside: `half` of its size, around `centre`.
inline bool may_show(const gpu::ViewRecord& view, const glm::vec3& centre, const glm::vec3& half) {
  for (const glm::vec4& plane : view.planes)
    if (glm::dot(glm::vec3(plane), centre) + plane.w + glm::dot(glm::abs(glm::vec3(plane)), half) < 0.0f) return false;
  return true;
}

}  // namespace throng
