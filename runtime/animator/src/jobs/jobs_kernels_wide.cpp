// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "jobs/even_turn.h"
#include "jobs/jobs_kernels.h"
#include "jobs/soa_affine.h"
#include "throng/math/simd/float8.h"

#if THRONG_HAS_WIDE
#include <immintrin.h>
#endif

namespace throng::detail::animator::kernels {

using namespace soa;

#if THRONG_HAS_WIDE

namespace {

THRONG_WIDE_INLINE Float8 root8(Float8 v) { return _mm256_sqrt_ps(v); }

THRONG_WIDE_INLINE Float8 mixed8(const float* from, const float* to, Float8 fraction) {
  const Float8 a = load8(from);
  return a + (load8(to) - a) * fraction;
}

// x and y lie in one register, z and w in the other.
THRONG_WIDE_INLINE void sample_rotation(const float* from, const float* to, Float8 fraction, float* out) {
  const Float8 xy = mixed8(from, to, fraction);
  const Float8 zw = mixed8(from + 8, to + 8, fraction);
  const Float8 squares = xy * xy + zw * zw;
  const Float8 inverse = twice(splat(1.0f) / square_root(low(squares) + high(squares)));
  store8(out, xy * inverse);
  store8(out + 8, zw * inverse);
}

THRONG_WIDE_INLINE void sample_vector(const float* from, const float* to, Float8 fraction, float* out) {
  const Float8 xy = mixed8(from, to, fraction);
  const Float4 z = mixed(load(from + 8), load(to + 8), low(fraction));
  store8(out, xy);
  store(out + 8, z);
}

THRONG_WIDE_INLINE Float8 chosen_lanes(std::uint8_t lanes, Float8 value, const float* otherwise) {
  const Word8 bits = Word8{1, 2, 4, 8, 1, 2, 4, 8} & static_cast<std::uint32_t>(lanes);
  return bits != 0u ? value : load8(otherwise);
}

THRONG_WIDE_INLINE void store_half(float* to, Float4 value, std::uint8_t lanes) {
  if (lanes != kAllLanes) {
    const Word4 bits = Word4{1, 2, 4, 8} & static_cast<std::uint32_t>(lanes);
    value = bits != 0u ? value : load(to);
  }
  store(to, value);
}

THRONG_WIDE_INLINE void store_halves(const RotationRow& row, std::size_t axis, Float8 value, SoaTransform* locals) {
  store_half(locals[row.groups[0]].rotation[axis], low(value), row.lanes[0]);
  if (row.groups[1] != kNoGroup) store_half(locals[row.groups[1]].rotation[axis], high(value), row.lanes[1]);
}

THRONG_WIDE_INLINE Float8 absolute8(Float8 v) {
  return __builtin_bit_cast(Float8, __builtin_bit_cast(Word8, v) & 0x7FFFFFFFu);
}

THRONG_WIDE_INLINE void mix_rotations(const RotationRow& row, const float* from, const float* to, const EvenTurn& turn,
                                      SoaTransform* locals) {
  const Float8 ax = load8(from), ay = load8(from + 8), az = load8(from + 16), aw = load8(from + 24);
  const Float8 bx = load8(to), by = load8(to + 8), bz = load8(to + 16), bw = load8(to + 24);
  const Float8 cosine = (ax * bx + az * bz) + (ay * by + aw * bw);
  const Float8 part = turn.at(absolute8(cosine));
  const Float8 first = 1.0f - part, second = cosine < 0.0f ? -part : part;
  const Float8 x = ax * first + bx * second, y = ay * first + by * second;
  const Float8 z = az * first + bz * second, w = aw * first + bw * second;
  const Float8 square = (x * x + z * z) + (y * y + w * w);
  const Float8 inverse = 1.0f / root8(square > kNoLength ? square : Float8{} + kNoLength);
  store_halves(row, 0, x * inverse, locals);
  store_halves(row, 1, y * inverse, locals);
  store_halves(row, 2, z * inverse, locals);
  store_halves(row, 3, w * inverse, locals);
}

THRONG_WIDE_INLINE void mix_vector(const float* from, const float* to, Float8 blend, std::uint8_t lanes, float* out) {
  Float8 xy = mixed8(from, to, blend);
  Float4 z = mixed(load(from + 8), load(to + 8), low(blend));
  if (lanes != kAllLanes) {
    xy = chosen_lanes(lanes, xy, out);
  }
  store8(out, xy);
  store_half(out + 8, z, lanes);
}

THRONG_WIDE_INLINE void blend_vector(const float (&a)[3][4], const float (&b)[3][4], Float8 wa, Float8 wb,
                                     float (&out)[3][4]) {
  const Float8 xy = load8(a[0]) * wa + load8(b[0]) * wb;
  const Float4 z = load(a[2]) * low(wa) + load(b[2]) * low(wb);
  store8(out[0], xy);
  store(out[2], z);
}

THRONG_WIDE_INLINE void blend_rotation(const float (&a)[4][4], const float (&b)[4][4], Float8 wa, Float4 wb,
                                       float (&out)[4][4]) {
  const Float8 a_xy = load8(a[0]), a_zw = load8(a[2]);
  const Float8 b_xy = load8(b[0]), b_zw = load8(b[2]);
  const Float8 products = a_xy * b_xy + a_zw * b_zw;
  const Float4 cosine = low(products) + high(products);
  const Float8 side = twice(cosine < Float4{} ? -wb : wb);
  const Float8 xy = a_xy * wa + b_xy * side;
  const Float8 zw = a_zw * wa + b_zw * side;
  const Float8 squares = xy * xy + zw * zw;
  const Float8 inverse = twice(splat(1.0f) / square_root(low(squares) + high(squares)));
  store8(out[0], xy * inverse);
  store8(out[2], zw * inverse);
}

// A matrix with its first two rows in one register.
struct Placed {
  Float8 xy;
  Float4 z;
};

THRONG_WIDE_INLINE Placed load_placed(const Affine& from) { return {load8(&from.rows[0].x), load(&from.rows[2].x)}; }

// Two rows of the product at once, and the third.
THRONG_WIDE_INLINE Placed place(const Placed& base, const Rows& local, Affine& out) {
  const Float8 rows = base.xy;
  const Float8 x = __builtin_shufflevector(rows, rows, 0, 0, 0, 0, 4, 4, 4, 4) * twice(local.x);
  const Float8 y = __builtin_shufflevector(rows, rows, 1, 1, 1, 1, 5, 5, 5, 5) * twice(local.y);
  const Float8 z = __builtin_shufflevector(rows, rows, 2, 2, 2, 2, 6, 6, 6, 6) * twice(local.z);
  const Word8 last{0, 0, 0, 0xFFFFFFFFu, 0, 0, 0, 0xFFFFFFFFu};
  const Float8 offset = __builtin_bit_cast(Float8, __builtin_bit_cast(Word8, rows) & last);
  const Placed placed{(x + y) + (z + offset), product_row(base.z, local)};
  store8(&out.rows[0].x, placed.xy);
  store(&out.rows[2].x, placed.z);
  return placed;
}

// What a bone is placed by. Mostly that is the bone before it, which is still in registers: reading back what was just
// written would make every bone of a chain wait.
struct Bases {
  const Affine& model_from_root;
  const Affine* models;
};
THRONG_WIDE_INLINE Placed base_of(std::size_t bone, std::int32_t parent, const Placed& before, const Bases& bases) {
  if (parent == static_cast<std::int32_t>(bone) - 1) return before;
  return load_placed(parent < 0 ? bases.model_from_root : bases.models[parent]);
}

}  // namespace

bool has_wide() { return simd::has_wide(); }

THRONG_WIDE void sample_wide(const KeyList& list, std::uint32_t key, float fraction, SoaTransform* locals) {
  const float* from = list.values.data() + key * list.row;
  const float* to = from + list.row;
  const Float8 f = twice(splat(fraction));
  for (const std::uint32_t group : list.rotations) {
    sample_rotation(from, to, f, locals[group].rotation[0]);
    from += 16;
    to += 16;
  }
  for (const std::uint32_t group : list.translations) {
    sample_vector(from, to, f, locals[group].translation[0]);
    from += 12;
    to += 12;
  }
  for (const std::uint32_t group : list.scales) {
    sample_vector(from, to, f, locals[group].scale[0]);
    from += 12;
    to += 12;
  }
}

THRONG_WIDE void mix_frames_wide(const FramePair& frames, SoaTransform* locals) {
  const float* from = frames.from;
  const float* to = frames.to;
  const EvenTurn turn(frames.blend);
  const Float8 blend = twice(splat(frames.blend));
  for (const RotationRow& row : frames.clip.rotations) {
    mix_rotations(row, from, to, turn, locals);
    from += 32;
    to += 32;
  }
  for (const ChannelRow& row : frames.clip.translations) {
    mix_vector(from, to, blend, row.lanes, locals[row.group].translation[0]);
    from += 12;
    to += 12;
  }
  for (const ChannelRow& row : frames.clip.scales) {
    mix_vector(from, to, blend, row.lanes, locals[row.group].scale[0]);
    from += 12;
    to += 12;
  }
}

THRONG_WIDE void blend_pair_wide(const Pair& pair, std::size_t groups, SoaTransform* locals) {
  const Float8 wa = twice(splat(pair.first_weight)), wb = twice(splat(pair.second_weight));
  for (std::size_t group = 0; group < groups; ++group) {
    const SoaTransform &a = pair.first[group], &b = pair.second[group];
    blend_vector(a.translation, b.translation, wa, wb, locals[group].translation);
    blend_rotation(a.rotation, b.rotation, wa, low(wb), locals[group].rotation);
    blend_vector(a.scale, b.scale, wa, wb, locals[group].scale);
  }
}

THRONG_WIDE void to_models_wide(const SoaTransform* locals, std::span<const std::int32_t> parents,
                                const Affine& model_from_root, Affine* models) {
  const std::size_t bones = parents.size();
  const Bases bases{model_from_root, models};
  const std::int32_t* above = parents.data();
  Placed before = load_placed(model_from_root);  // the first bone's parent is −1: the one before it, so to say
  std::size_t bone = 0;
  for (; bone + 4 <= bones; bone += 4) {
    const FourRows matrices = matrices_of(locals[bone / 4]);
    before = place(base_of(bone, above[bone], before, bases), matrices.bones[0], models[bone]);
    before = place(base_of(bone + 1, above[bone + 1], before, bases), matrices.bones[1], models[bone + 1]);
    before = place(base_of(bone + 2, above[bone + 2], before, bases), matrices.bones[2], models[bone + 2]);
    before = place(base_of(bone + 3, above[bone + 3], before, bases), matrices.bones[3], models[bone + 3]);
  }
  if (bone == bones) return;
  const FourRows matrices = matrices_of(locals[bone / 4]);
  for (; bone < bones; ++bone) {
    before = place(base_of(bone, above[bone], before, bases), matrices.bones[bone % 4], models[bone]);
  }
}

#else

bool has_wide() { return false; }
void sample_wide(const KeyList& list, std::uint32_t key, float fraction, SoaTransform* locals) {
  sample_narrow(list, key, fraction, locals);
}
void mix_frames_wide(const FramePair& frames, SoaTransform* locals) { mix_frames_narrow(frames, locals); }
void blend_pair_wide(const Pair& pair, std::size_t groups, SoaTransform* locals) {
  blend_pair_narrow(pair, groups, locals);
}
void to_models_wide(const SoaTransform* locals, std::span<const std::int32_t> parents, const Affine& model_from_root,
                    Affine* models) {
  to_models_narrow(locals, parents, model_from_root, models);
}

#endif

}  // namespace throng::detail::animator::kernels
