#pragma once
// Where each column's pivot is in a clip: the point whose path between frames is nearest to a straight line.

#include "baked_mesh.h"
#include "motion.h"
#include "nearest_item.h"

namespace throng {

// What a pivot is weighed against: the vertices that follow each column.
struct ColumnShape {
  std::vector<glm::dvec3>
      centres;                   // the mean of the vertices, by weight; a socket's place where there are only sockets
  std::vector<ItemShape> items;  // the same vertices, for what is stored of the column
  double farthest = 0.0;         // from its centre that a pivot may be
};
ColumnShape column_shape(const Columns& columns, const BakedMesh& mesh);

// The pivot that makes the error half-way between frames least, in the mean square over every pair of frames of a clip:
//
//   a vertex v is drawn at  r (v − p) + ½ (S₀ p + S₁ p),  where r is the mixed rotation and scale,
//   it belongs at           S v,
//   so its error is         G p + h,  G = ½ (A₀ + A₁) − r,  h = (r − A) v + ½ (t₀ + t₁) − t,
//
// linear in p. Summed over vertices only their centre c remains in h. G has no part along the axis of rotation, and a
// pivot far from its vertices stretches the box that every position of the clip is rounded in, so |p − c| is weighed
// in: a pivot goes a metre away only for what is worth kPivotPull metres. The motion must be rigid.
inline constexpr double kPivotPull = 1e-3;
glm::dvec3 least_squares_pivot(const ClipMotion& motion, std::size_t column, const glm::dvec3& centre, double farthest);

// Of every column, rounded to float as the asset stores them: the origin for the documents' encodings, the centres
// where matrices are mixed and a pivot does nothing between frames.
std::vector<glm::vec3> choose_pivots(Encoding encoding, const ClipMotion& motion, const ColumnShape& shape);

}  // namespace throng
