// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where each column's pivot is in a clip: the point whose path between frames is nearest to a straight line.

#include "bone_frames/nearest_item.h"
#include "mesh/baked_mesh.h"
#include "motion/column_samples.h"

namespace throng::detail::bake {

// What a pivot is weighed against: the vertices that follow each column.
struct ColumnShape {
  // The mean of the vertices, by weight; a socket's place where there are only sockets.
  std::vector<glm::dvec3> centres;
  std::vector<ItemShape> items;  // the same vertices, for what is stored of the column
  glm::dvec3 middle{0.0};        // of the box around all centres
  double size = 0.0;             // of the mesh, from corner to corner
};
ColumnShape column_shape(const Columns& columns, const BakedMesh& mesh);

// The pivot that makes the error half-way between frames least, in the mean square over every pair of frames of a clip:
//
//   a vertex v is drawn at  r (v − p) + ½ (S₀ p + S₁ p),  where r is the mixed rotation and scale,
//   it belongs at           S v,
//   so its error is         G p + h,  G = ½ (A₀ + A₁) − r,  h = (r − A) v + ½ (t₀ + t₁) − t,
//
// linear in p. Summed over vertices only their centre c remains in h. G has no part along the axis of rotation, and
// hardly any where a bone hardly rotates. There the pivot is free to go where it does not stretch the box that every
// position of the clip is rounded in: to the middle of the model, where all of them would meet. It goes a metre farther
// from there only for what is worth kPivotPull metres between frames. (Where a pivot is far from its vertices, what is
// stored makes up for the rounding of the rotation: see nearest_item.h.) The motion must be rigid.
inline constexpr double kPivotPull = 1.4e-3;
glm::dvec3 least_squares_pivot(const ColumnSamples& samples, std::size_t column, const ColumnShape& shape);

// The pivot of every column, rounded to float as the asset stores them: the origin for the half-float encodings, the
// centres where matrices are mixed and a pivot does nothing between frames.
std::vector<glm::vec3> choose_pivots(Encoding encoding, const ColumnSamples& samples, const ColumnShape& shape);

}  // namespace throng::detail::bake
