// SPDX-License-Identifier: Apache-2.0
#pragma once
// The vertex encodings: a vertex in model space ↔ the words of one item. The shader's twin is
// shaders/include/throng/shaders/sampling/vertex_codecs.glsl.
//
// The words of one item, in the terms of bone_codecs.h. u v: a direction's point on the unfolded octahedron, for
// d = (u, v, 1 − |u| − |v|), and where that z is negative d.xy = (1 − |v|, 1 − |u|) with the signs of u and v; then
// normalised. side: 1 where the tangent's w is −1.
//
// What the bits of each are is written at the top of its file in character/src/encodings, and in docs/asset-format.md.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "throng/character/codecs/bone_codecs.h"

namespace throng {

// A vertex at a frame, in model space.
struct VertexSample {
  glm::dvec3 position{0.0};
  glm::dvec3 normal{0.0, 1.0, 0.0};        // unit length
  glm::dvec4 tangent{1.0, 0.0, 0.0, 1.0};  // unit length; w: −1 or 1
};

// v8, half_vertex, rgbm; `words` holds words_per_item(encoding, tangents) of them. Positions are measured in the clip's
// box (pivot_min, pivot_size), except by half_vertex, which stores them as they are. Octahedral directions take the
// best of the four neighbours. Directions of half_vertex and rgbm are of unit length only to within their rounding
// until interpolate() normalises them.
void encode_vertex(Encoding encoding, const VertexSample& sample, const ClipRange& range, bool tangents,
                   std::span<std::uint32_t> words);
// The vertex that encode_vertex() wrote, within the encoding's rounding.
VertexSample decode_vertex(Encoding encoding, std::span<const std::uint32_t> words, const ClipRange& range,
                           bool tangents);

// Between two frames as shaders do it: all mixed linearly, directions normalised; the first's side of the tangent.
VertexSample interpolate(const VertexSample& from, const VertexSample& to, double blend);

}  // namespace throng
