// SPDX-License-Identifier: Apache-2.0
// half-vertex: the classic 2 × RGBA16F, position and normal, and a third for the tangent.
//
//   word  bits
//   0, 1  RGBA16F: position x y z, 0
//   2, 3  RGBA16F: normal x y z, 0
//   4, 5  RGBA16F: tangent x y z w
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"
#include "encodings/frame_checks.h"

namespace throng::detail::character {
namespace {

using namespace bits;

void encode_half_vertex(const VertexSample& sample, const ClipRange&, bool tangents, Words words) {
  write_halves(glm::dvec4(sample.position, 0.0), words);
  write_halves(glm::dvec4(sample.normal, 0.0), words.subspan(2));
  if (tangents)
    write_halves(glm::dvec4(glm::dvec3(sample.tangent), sample.tangent.w < 0.0 ? -1.0 : 1.0), words.subspan(4));
}

VertexSample decode_half_vertex(ConstWords words, const ClipRange&, bool tangents) {
  VertexSample sample;
  sample.position = glm::dvec3(read_halves(words));
  sample.normal = glm::dvec3(read_halves(words.subspan(2)));
  if (tangents) {
    const glm::dvec4 tangent = read_halves(words.subspan(4));
    sample.tangent = glm::dvec4(glm::dvec3(tangent), tangent.w < 0.0 ? -1.0 : 1.0);
  }
  return sample;
}

}  // namespace

extern const EncodingEntry kHalfVertex;
const EncodingEntry kHalfVertex{
    .info = {.encoding = Encoding::half_vertex,
             .name = "half-vertex",
             .holds = "any vertices of half floats",
             .kind = ItemKind::vertex,
             .words = 4,
             .tangent_words = 2,
             .texel_words = 2,
             .half = true},
    .encode_vertex = encode_half_vertex,
    .decode_vertex = decode_half_vertex,
    .refuse_frame = refuse_halves,
};

}  // namespace throng::detail::character
