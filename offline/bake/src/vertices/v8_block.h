// SPDX-License-Identifier: Apache-2.0
#pragma once
// v8 for a block of vertices at once: the words that encode_vertex writes one by one in double, at a small part of the
// time. Values that lie within float rounding of the middle between two steps may go the other way.

#include <cstdint>

#include "throng/character/codecs/bone_codecs.h"
#include "vertices/vertex_skinner.h"

namespace throng::detail::bake {

// What turns a position into steps of v8, worked out once a clip.
struct V8Box {
  explicit V8Box(const ClipRange& range);

  Float4 min;
  Float4 steps_per_unit;  // 0 along an axis without extent
};

// Two words a vertex; normals need not be of unit length, one without any becomes +Z.
void encode_v8_block(const V8Box& box, const SkinnedBlock& block, std::uint32_t count, std::uint32_t* words);

}  // namespace throng::detail::bake
