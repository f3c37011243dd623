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

}  // namespace
}  // namespace throng::detail::playback::kernels

#define THRONG_LANES
#include "deform/deform_loop.h"

namespace throng::detail::playback::kernels {

void move_narrow(const Move& move, std::uint32_t influences) { move_by(move, influences); }

}  // namespace throng::detail::playback::kernels
