// SPDX-License-Identifier: Apache-2.0
// v8: position 14/14/14 in the clip's box, octahedral normal 11/11, octahedral tangent 15/15.
//
//   word  bits
//   0     0–13 position x u14 · 14–24 normal u s11 · 25–31 position z u14, its low 7 bits
//   1     0–13 position y u14 · 14–24 normal v s11 · 25–31 position z, its high 7 bits
//   2     0–14 tangent u s15 · 15–29 tangent v s15 · 30 is 0 · 31 side
#include "encodings/bits_octahedral.h"
#include "encodings/bits_vectors.h"
#include "encodings/entry.h"
#include "encodings/tangent_side.h"

namespace throng::detail::character {
namespace {

using namespace bits;

void encode_v8(const VertexSample& sample, const ClipRange& range, bool tangents, Words words) {
  const glm::dvec3 p = in_box(sample.position, range);
  const std::uint32_t z = unorm(p.z, 14);
  const Octahedral normal = encode_octahedral(sample.normal, 11);
  words[0] = unorm(p.x, 14) | normal.u << 14 | field(z, 0, 7) << 25;
  words[1] = unorm(p.y, 14) | normal.v << 14 | field(z, 7, 7) << 25;
  if (!tangents) return;
  const Octahedral tangent = encode_octahedral(glm::dvec3(sample.tangent), 15);
  words[2] = tangent.u | tangent.v << 15 | side_bit(sample.tangent);
}

VertexSample decode_v8(ConstWords words, const ClipRange& range, bool tangents) {
  const glm::dvec3 p(from_unorm(words[0], 14), from_unorm(words[1], 14),
                     from_unorm(words[0] >> 25 | words[1] >> 25 << 7, 14));
  VertexSample sample;
  sample.position = from_box(p, range);
  sample.normal = decode_octahedral({field(words[0], 14, 11), field(words[1], 14, 11)}, 11);
  if (tangents)
    sample.tangent =
        glm::dvec4(decode_octahedral({field(words[2], 0, 15), field(words[2], 15, 15)}, 15), side_from(words[2]));
  return sample;
}

}  // namespace

extern const EncodingEntry kV8;
const EncodingEntry kV8{
    .info = {.encoding = Encoding::v8,
             .name = "v8",
             .holds = "any vertices",
             .kind = ItemKind::vertex,
             .words = 2,
             .tangent_words = 1},
    .encode_vertex = encode_v8,
    .decode_vertex = decode_v8,
};

}  // namespace throng::detail::character
