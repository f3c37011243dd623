// SPDX-License-Identifier: Apache-2.0
// half-rows: the classic 3 × RGBA16F, the upper rows of a matrix.
//
//   word  bits
//   2r…   RGBA16F: linear[r][0], linear[r][1], linear[r][2], position[r]
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"
#include "encodings/frame_checks.h"

namespace throng::detail::character {
namespace {

using namespace bits;

void encode_half_rows(const AffineSample& sample, const ClipRange&, Words words) {
  for (int row = 0; row < 3; ++row) {
    write_halves({sample.linear[0][row], sample.linear[1][row], sample.linear[2][row], sample.position[row]},
                 words.subspan(static_cast<std::size_t>(row) * 2, 2));
  }
}

AffineSample decode_half_rows(ConstWords words, const ClipRange&) {
  AffineSample sample;
  for (int row = 0; row < 3; ++row) {
    const glm::dvec4 entries = read_halves(words.subspan(static_cast<std::size_t>(row) * 2, 2));
    for (int column = 0; column < 3; ++column) sample.linear[column][row] = entries[column];
    sample.position[row] = entries.w;
  }
  return sample;
}

}  // namespace

extern const EncodingEntry kHalfRows;
const EncodingEntry kHalfRows{
    .info = {.encoding = Encoding::half_rows,
             .name = "half-rows",
             .holds = "any matrix of half floats",
             .kind = ItemKind::affine,
             .words = 6,
             .pivots = true,
             .texel_words = 2,
             .half = true},
    .encode_affine = encode_half_rows,
    .decode_affine = decode_half_rows,
    .refuse_frame = refuse_halves,
};

}  // namespace throng::detail::character
