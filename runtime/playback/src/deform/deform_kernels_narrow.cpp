// SPDX-License-Identifier: Apache-2.0
#include "deform/deform_kernels.h"

namespace throng::detail::playback::kernels {
namespace {

// A matrix by its columns.
struct Matrix {
  Float4 a, b, c, d;
};

using Columns = std::array<std::array<float, 4>, 4> Column::*;

template <int kInfluences>
Matrix blended(const RestVertex& vertex, const Column* columns, Columns which) {
  const auto column = [&](std::size_t i) -> const auto& { return columns[vertex.columns[i]].*which; };
  const auto& first = column(0);
  Matrix sum{load(first[0].data()), load(first[1].data()), load(first[2].data()), load(first[3].data())};
  if constexpr (kInfluences == 1) return sum;
  const Float4 weight = splat(vertex.weights[0]);
  sum = {sum.a * weight, sum.b * weight, sum.c * weight, sum.d * weight};
  for (std::size_t i = 1; i < kInfluences; ++i) {
    const auto& next = column(i);
    const Float4 share = splat(vertex.weights[i]);
    sum.a += load(next[0].data()) * share;
    sum.b += load(next[1].data()) * share;
    sum.c += load(next[2].data()) * share;
    sum.d += load(next[3].data()) * share;
  }
  return sum;
}

Float4 times(const Matrix& m, const float* v) {
  return (m.a * splat(v[0]) + m.b * splat(v[1])) + (m.c * splat(v[2]) + m.d * splat(v[3]));
}
Float4 turned(const Matrix& m, const float* v) { return m.a * splat(v[0]) + m.b * splat(v[1]) + m.c * splat(v[2]); }

template <int kInfluences, bool kEven, bool kTangents>
void move_all(const Move& move) {
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
void move_by(const Move& move, std::uint32_t influences) {
  if (influences == 1) return move_all<1, kEven, kTangents>(move);
  if (influences == 2) return move_all<2, kEven, kTangents>(move);
  if (influences == 3) return move_all<3, kEven, kTangents>(move);
  move_all<4, kEven, kTangents>(move);
}

template <bool kTangents>
void move_with(const Move& move, std::uint32_t influences) {
  move.even ? move_by<true, kTangents>(move, influences) : move_by<false, kTangents>(move, influences);
}

}  // namespace

void move_narrow(const Move& move, std::uint32_t influences) {
  move.turned_tangents != nullptr ? move_with<true>(move, influences) : move_with<false>(move, influences);
}

}  // namespace throng::detail::playback::kernels
