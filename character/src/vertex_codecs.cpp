// SPDX-License-Identifier: Apache-2.0
#include "throng/character/codecs/vertex_codecs.h"

#include "encodings/entry.h"
#include "throng/math/directions.h"

namespace throng {
void encode_vertex(Encoding encoding, const VertexSample& sample, const ClipRange& range, bool tangents,
                   std::span<std::uint32_t> words) {
  detail::character::entry_of(encoding).encode_vertex(sample, range, tangents, words);
}

VertexSample decode_vertex(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range,
                           bool tangents) {
  return detail::character::entry_of(encoding).decode_vertex(words, range, tangents);
}

VertexSample interpolate(const VertexSample& from, const VertexSample& to, double blend) {
  VertexSample sample;
  sample.position = glm::mix(from.position, to.position, blend);
  sample.normal = mixed_direction(from.normal, to.normal, blend);
  const glm::dvec3 tangent = mixed_direction(glm::dvec3(from.tangent), glm::dvec3(to.tangent), blend);
  sample.tangent = glm::dvec4(tangent, from.tangent.w);
  return sample;
}

}  // namespace throng
