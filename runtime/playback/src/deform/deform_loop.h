// SPDX-License-Identifier: Apache-2.0
// The loop over vertices, for the lanes of the source that includes it: before that, it says in an unnamed namespace
// what a Matrix is, how matrices are blended() and how a point (times) and a direction (turned) go through one, and in
// THRONG_LANES what the compiler is told about a function of such lanes. So there is no include guard.

#include "deform/deform_kernels.h"

namespace throng::detail::playback::kernels {
namespace {

template <int kInfluences, bool kEven, bool kTangents>
THRONG_LANES void move_all(const Move& move) {
  // What is written might be these, as far as a compiler knows.
  const std::span<const RestVertex> all = move.vertices;
  const Column* const columns = move.columns;
  glm::vec3* const positions = move.positions;
  for (std::size_t first = 0; first < all.size(); first += 4) {
    const RestVertex* const vertices = &all[first];
    const float* const at_rest = kTangents ? move.tangents + 4 * first : nullptr;
    Directions normals;
    [[maybe_unused]] Directions tangents;
    for (std::size_t i = 0; i < 4; ++i) {
      const RestVertex& vertex = vertices[i];
      const Matrix points = blended<kInfluences>(vertex, columns, &Column::points);
      if (positions != nullptr) store3(positions + vertex.vertex, times(points, vertex.position.data()));
      const Matrix turns = kEven ? points : blended<kInfluences>(vertex, columns, &Column::normals);
      normals.of[i] = turned(turns, vertex.normal.data());
      if constexpr (kTangents) tangents.of[i] = turned(turns, at_rest + 4 * i);
    }
    if (move.normals != nullptr)
      put_directions(normals, move, vertices, vertices->normal.data(), sizeof(RestVertex) / sizeof(float),
                     move.normals);
    if constexpr (kTangents) put_directions(tangents, move, vertices, at_rest, 4, move.turned_tangents);
  }
}

template <bool kEven, bool kTangents>
void move_kind(const Move& move, std::uint32_t influences) {
  if (influences == 1) return move_all<1, kEven, kTangents>(move);
  if (influences == 2) return move_all<2, kEven, kTangents>(move);
  if (influences == 3) return move_all<3, kEven, kTangents>(move);
  move_all<4, kEven, kTangents>(move);
}

void move_by(const Move& move, std::uint32_t influences) {
  const bool tangents = move.turned_tangents != nullptr;
  if (move.even) return tangents ? move_kind<true, true>(move, influences) : move_kind<true, false>(move, influences);
  tangents ? move_kind<false, true>(move, influences) : move_kind<false, false>(move, influences);
}

}  // namespace
}  // namespace throng::detail::playback::kernels
#undef THRONG_LANES
