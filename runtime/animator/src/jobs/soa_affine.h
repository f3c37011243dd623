// SPDX-License-Identifier: Apache-2.0
#pragma once
// Affine matrices as three rows of four floats: products, and four of them at once out of four bones' transforms.

#include "throng/animator/rig.h"
#include "throng/math/simd/float4.h"

namespace throng::detail::animator::soa {

using namespace simd;
using simd::load;
using simd::store;

struct Rows {
  Float4 x, y, z;
};

inline Rows load_rows(const Affine& affine) {
  return {load(&affine.rows[0].x), load(&affine.rows[1].x), load(&affine.rows[2].x)};
}
inline void store(Affine& to, const Rows& rows) {
  store(&to.rows[0].x, rows.x);
  store(&to.rows[1].x, rows.y);
  store(&to.rows[2].x, rows.z);
}

// One row of a product: the row of the left matrix times the right one. Summed in two halves that do not wait for each
// other: along a chain of bones it is the wait that costs.
inline Float4 product_row(Float4 row, const Rows& right) {
  const Float4 x = __builtin_shufflevector(row, row, 0, 0, 0, 0) * right.x;
  const Float4 y = __builtin_shufflevector(row, row, 1, 1, 1, 1) * right.y;
  const Float4 z = __builtin_shufflevector(row, row, 2, 2, 2, 2) * right.z;
  const Float4 offset = std::bit_cast<Float4>(std::bit_cast<Word4>(row) & Word4{0, 0, 0, 0xFFFFFFFFu});
  return (x + y) + (z + offset);
}

inline Rows product(const Rows& left, const Rows& right) {
  return {product_row(left.x, right), product_row(left.y, right), product_row(left.z, right)};
}

// parent_from_bone of the four bones of a group.
struct FourRows {
  Rows bones[4];
};

__attribute__((always_inline)) inline FourRows matrices_of(const SoaTransform& group) {
  const Quaternions4 q = load_quaternions(group.rotation);
  const Float4 x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const Float4 xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  const Float4 xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const Float4 wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const Float4 one = splat(1.0f);
  const Float4 sx = load(group.scale[0]), sy = load(group.scale[1]), sz = load(group.scale[2]);
  Float4 x0 = (one - (yy + zz)) * sx, x1 = (xy - wz) * sy, x2_ = (xz + wy) * sz, x3 = load(group.translation[0]);
  Float4 y0 = (xy + wz) * sx, y1 = (one - (xx + zz)) * sy, y2_ = (yz - wx) * sz, y3 = load(group.translation[1]);
  Float4 z0 = (xz - wy) * sx, z1 = (yz + wx) * sy, z2_ = (one - (xx + yy)) * sz, z3 = load(group.translation[2]);
  transpose(x0, x1, x2_, x3);
  transpose(y0, y1, y2_, y3);
  transpose(z0, z1, z2_, z3);
  return {{{x0, y0, z0}, {x1, y1, z1}, {x2_, y2_, z2_}, {x3, y3, z3}}};
}

}  // namespace throng::detail::animator::soa
