#pragma once
// Where each column's pivot is: the point whose path between frames is nearest to a straight line.

#include "baked_mesh.h"

namespace throng {

// The mean of the vertices that follow each column, by weight; a socket's place for a column only a socket uses.
std::vector<glm::dvec3> column_centres(const Columns& columns, const BakedMesh& mesh);

// The pivot that makes the error half-way between frames least, in the mean square over every pair of frames of every
// clip:
//
//   a vertex v is drawn at  r (v − p) + ½ (S₀ p + S₁ p),  where r is the mixed rotation and scale,
//   it belongs at           S v,
//   so its error is         G p + h,  G = ½ (A₀ + A₁) − r,  h = (r − A) v + ½ (t₀ + t₁) − t,
//
// linear in p. Summed over vertices only their centre c remains in h. G has no part along the axis of rotation, and a
// pivot far from its vertices magnifies the rounding of the quaternion, so |p − c| is weighed in by the size of that
// rounding.
glm::dvec3 least_squares_pivot(const Column& column, const std::vector<SampledClip>& sampled, const glm::dvec3& centre,
                               double farthest);

// Sets the pivot of every column, rounded to float as the asset stores it.
void choose_pivots(Columns& columns, const std::vector<SampledClip>& sampled, const BakedMesh& mesh,
                   Executor& executor);

}  // namespace throng
