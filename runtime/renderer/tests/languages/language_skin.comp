#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// language_skin.glsl as GLSL.
layout(local_size_x = 64) in;

layout(push_constant) uniform Batch {
  uvec2 now;
  uint vertex_count;
  uint instance_count;
  uint quality;
};

#ifdef THRONG_ATLAS_UNORM8
layout(set = 0, binding = 7) uniform sampler2DArray atlas;
#else
layout(set = 0, binding = 7) uniform usampler2DArray atlas;
#endif

#ifdef THRONG_CHAINS
layout(set = 0, binding = 8) uniform usampler2D channel_words;
layout(set = 0, binding = 9) uniform usampler2D skeleton_words;
#endif

#define THRONG_ATLAS atlas
layout(constant_id = 0) const uint kAtlasWidth = 1u;
layout(constant_id = 1) const uint kTexelWords = 4u;
layout(constant_id = 2) const uint kFrameShapes = 7u;
layout(constant_id = 3) const uint kEncodings = 1u;
layout(constant_id = 4) const uint kColumns = 1u;
layout(constant_id = 5) const uint kAnimatedTangents = 0u;
#include "language_skin.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Instances { InstanceRecord instances[]; };
layout(std430, set = 0, binding = 1) readonly buffer Plays { PlayRecord plays[]; };
layout(std430, set = 0, binding = 2) readonly buffer Clips { ClipRecord clips[]; };
layout(std430, set = 0, binding = 3) readonly buffer Table { vec4 table[]; };
layout(std430, set = 0, binding = 4) readonly buffer Vertices { uvec4 vertices[]; };  // five each
layout(std430, set = 0, binding = 5) readonly buffer Morphs { uint morph_words[]; };
layout(std430, set = 0, binding = 6) writeonly buffer Skinned { uvec4 skinned[]; };   // three each

ClipRecord read_clip(uint clip) { return clips[clip]; }
vec4 read_table_row(uint row) { return table[row]; }
uint read_morph_word(uint word) { return morph_words[word]; }
#ifdef THRONG_CHAINS
uint read_channel_word(uint word) { return fetch_word(channel_words, word); }
LinkRecord read_link(uint link) { return fetch_link(skeleton_words, kColumns, link); }
ColumnRecord read_column(uint column) { return fetch_column(skeleton_words, column); }
#endif

void main() {
  uint item = gl_GlobalInvocationID.x;
  if (item >= vertex_count * instance_count) return;
  uint instance = item / vertex_count;
  uint index = item % vertex_count;
  uint at = 5u * index;
  MeshVertex vertex =
      mesh_vertex(vertices[at], vertices[at + 1u], vertices[at + 2u], vertices[at + 3u], vertices[at + 4u]);
  SkinnedBits bits = skin_bits(instances[instance], plays[instance], index, vertex, now, quality);
  skinned[3u * item] = bits.position;
  skinned[3u * item + 1u] = bits.normal;
  skinned[3u * item + 2u] = bits.tangent;
}
