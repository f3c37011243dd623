#pragma once
// The vertex encodings: a vertex in model space ↔ the words of one item. The shader's twin is
// shaders/include/throng/shaders/vertex_codecs.glsl.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "throng/asset/bone_codecs.h"

namespace throng {

struct VertexSample {
  glm::dvec3 position{0.0};
  glm::dvec3 normal{0.0, 1.0, 0.0};        // unit length
  glm::dvec4 tangent{1.0, 0.0, 0.0, 1.0};  // unit length; w: −1 or 1
};

// v8, half_vertex, rgbm; `words` holds words_per_item(encoding, tangents) of them. Positions are measured in the clip's
// box (pivot_min, pivot_size), except by half_vertex, which stores them as they are. Octahedral directions take the
// best of the four neighbours.
void encode_vertex(Encoding encoding, const VertexSample& sample, const ClipRange& range, bool tangents,
                   std::span<std::uint32_t> words);
VertexSample decode_vertex(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range,
                           bool tangents);

// Between two frames as shaders do it: all mixed linearly, directions normalised; the first's side of the tangent.
VertexSample interpolate(const VertexSample& from, const VertexSample& to, double blend);

}  // namespace throng
