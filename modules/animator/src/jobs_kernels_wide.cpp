#include <algorithm>

#include "float4_wide.h"
#include "jobs_kernels.h"
#include "soa_affine.h"

namespace throng::kernels {

using namespace soa;

#if THRONG_HAS_WIDE

namespace {

THRONG_WIDE_INLINE Float8 mixed8(const float* from, const float* to, Float8 fraction) {
  const Float8 a = load8(from);
  return a + (load8(to) - a) * fraction;
}

// x and y lie in one register, z and w in the other.
THRONG_WIDE_INLINE void sample_rotation(const float* from, const float* to, Float8 fraction, float* out) {
  const Float8 xy = mixed8(from, to, fraction);
  const Float8 zw = mixed8(from + 8, to + 8, fraction);
  const Float8 squares = xy * xy + zw * zw;
  const Float8 inverse = twice(splat(1.0f) / root(low(squares) + high(squares)));
  store8(out, xy * inverse);
  store8(out + 8, zw * inverse);
}

THRONG_WIDE_INLINE void sample_vector(const float* from, const float* to, Float8 fraction, float* out) {
  const Float8 xy = mixed8(from, to, fraction);
  const Float4 z = mixed(load(from + 8), load(to + 8), low(fraction));
  store8(out, xy);
  store(out + 8, z);
}

// Two rows of the product at once, and the third.
THRONG_WIDE_INLINE void place(const Affine& base, const Rows& local, Affine& out) {
  const Float8 rows = load8(&base.rows[0].x);
  const Float8 x = __builtin_shufflevector(rows, rows, 0, 0, 0, 0, 4, 4, 4, 4) * twice(local.x);
  const Float8 y = __builtin_shufflevector(rows, rows, 1, 1, 1, 1, 5, 5, 5, 5) * twice(local.y);
  const Float8 z = __builtin_shufflevector(rows, rows, 2, 2, 2, 2, 6, 6, 6, 6) * twice(local.z);
  const Word8 last{0, 0, 0, 0xFFFFFFFFu, 0, 0, 0, 0xFFFFFFFFu};
  const Float8 offset = __builtin_bit_cast(Float8, __builtin_bit_cast(Word8, rows) & last);
  const Float4 third = product_row(load(&base.rows[2].x), local);
  store8(&out.rows[0].x, (x + y) + (z + offset));
  store(&out.rows[2].x, third);
}

}  // namespace

bool has_wide() { return soa::has_wide(); }

THRONG_WIDE void sample_wide(const Rig::Keys::List& list, std::uint32_t key, float fraction, SoaTransform* locals) {
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

THRONG_WIDE void to_models_wide(const SoaTransform* locals, std::span<const std::int32_t> parents,
                                const Affine& model_from_root, Affine* models) {
  const std::int32_t* parent = parents.data();
  const std::size_t bones = parents.size();
  for (std::size_t first = 0; first < bones; first += 4) {
    const FourRows matrices = matrices_of(locals[first / 4]);
    const std::size_t count = std::min<std::size_t>(4, bones - first);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::int32_t above = parent[first + lane];
      place(above < 0 ? model_from_root : models[above], matrices.bones[lane], models[first + lane]);
    }
  }
}

#else

bool has_wide() { return false; }
void sample_wide(const Rig::Keys::List& list, std::uint32_t key, float fraction, SoaTransform* locals) {
  sample_narrow(list, key, fraction, locals);
}
void to_models_wide(const SoaTransform* locals, std::span<const std::int32_t> parents, const Affine& model_from_root,
                    Affine* models) {
  to_models_narrow(locals, parents, model_from_root, models);
}

#endif

}  // namespace throng::kernels
