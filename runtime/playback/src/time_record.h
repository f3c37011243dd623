#pragma once
// Small pieces that the reference and the fast way to deform share.

#include <glm/glm.hpp>

#include "throng/character/character.h"

namespace throng {

// Where nothing is left to normalise, the first's direction.
inline glm::dvec3 mixed_direction(const glm::dvec3& from, const glm::dvec3& to, double blend) {
  const glm::dvec3 mixed = glm::mix(from, to, blend);
  const double length = glm::length(mixed);
  return length > 1e-10 ? mixed / length : from;
}

// Up to a positive factor: the inverse transpose, which a singular matrix has not.
inline glm::dmat3 normal_matrix(const glm::dmat3& m) {
  const glm::dmat3 cofactors(glm::cross(m[1], m[2]), glm::cross(m[2], m[0]), glm::cross(m[0], m[1]));
  return cofactors * (glm::determinant(m) < 0.0 ? -1.0 : 1.0);
}

// Of a clip's record, only what time needs.
inline ClipRecord time_record(const BakedClip& clip) {
  ClipRecord record{};
  record.loops = clip.loops ? 1u : 0u;
  record.first_frame = clip.first_frame;
  record.frame_count = clip.frame_count;
  record.layer = clip.layer;
  return record;
}

}  // namespace throng
