// SPDX-License-Identifier: Apache-2.0
// rows: three matrix rows of SNORM16, position UNORM16: scale that differs from axis to axis, shear, mirrored parts.
//
//   word  bits                                        (row r; s of scale_max)
//   2r    0–15 linear[r][0] s16 · 16–31 linear[r][1] s16
//   2r+1  0–15 linear[r][2] s16 · 16–31 position[r] u16
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"

namespace throng::detail::character {
namespace {

using namespace bits;

void encode_rows(const AffineSample& sample, const ClipRange& range, Words words) {
  const glm::dvec3 p = in_box(sample.position, range);
  for (int row = 0; row < 3; ++row) {
    const glm::dvec3 entries(sample.linear[0][row], sample.linear[1][row], sample.linear[2][row]);
    const Words two = words.subspan(static_cast<std::size_t>(row) * 2, 2);
    two[0] =
        pair(snorm(fraction_of(entries.x, range.scale_max), 16), snorm(fraction_of(entries.y, range.scale_max), 16));
    two[1] = pair(snorm(fraction_of(entries.z, range.scale_max), 16), unorm(p[row], 16));
  }
}

AffineSample decode_rows(ConstWords words, const ClipRange& range) {
  AffineSample sample;
  for (int row = 0; row < 3; ++row) {
    const ConstWords two = words.subspan(static_cast<std::size_t>(row) * 2, 2);
    const glm::dvec3 entries =
        glm::dvec3(from_snorm(two[0], 16), from_snorm(two[0] >> 16, 16), from_snorm(two[1], 16)) * range.scale_max;
    for (int column = 0; column < 3; ++column) sample.linear[column][row] = entries[column];
    sample.position[row] = range.pivot_min[row] + from_unorm(two[1] >> 16, 16) * range.pivot_size[row];
  }
  return sample;
}

}  // namespace

extern const EncodingEntry kRows;
const EncodingEntry kRows{
    .info = {.encoding = Encoding::rows,
             .name = "rows",
             .holds = "any matrix",
             .kind = ItemKind::affine,
             .words = 6,
             .pivots = true,
             .signed_fields = true},
    .encode_affine = encode_rows,
    .decode_affine = decode_rows,
};

}  // namespace throng::detail::character
