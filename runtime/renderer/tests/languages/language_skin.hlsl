// SPDX-License-Identifier: Apache-2.0
// language_skin.glsl as HLSL.
#define THRONG_HLSL

struct Batch {
  uint2 now;
  uint vertex_count;
  uint instance_count;
  uint quality;
};
[[vk::push_constant]] ConstantBuffer<Batch> batch;

#ifdef THRONG_ATLAS_UNORM8
[[vk::binding(7, 0)]] Texture2DArray<float4> atlas;
#else
[[vk::binding(7, 0)]] Texture2DArray<uint4> atlas;
#endif

#ifdef THRONG_CHAINS
[[vk::binding(8, 0)]] Texture2D<uint4> channel_words;
[[vk::binding(9, 0)]] Texture2D<uint4> skeleton_words;
#endif

#define THRONG_ATLAS atlas
[[vk::constant_id(0)]] const uint kAtlasWidth = 1u;
[[vk::constant_id(1)]] const uint kTexelWords = 4u;
[[vk::constant_id(2)]] const uint kFrameShapes = 7u;
[[vk::constant_id(3)]] const uint kEncodings = 1u;
[[vk::constant_id(4)]] const uint kColumns = 1u;
[[vk::constant_id(5)]] const uint kAnimatedTangents = 0u;
#include "language_skin.glsl"

[[vk::binding(0, 0)]] StructuredBuffer<InstanceRecord> instances;
[[vk::binding(1, 0)]] StructuredBuffer<PlayRecord> plays;
[[vk::binding(2, 0)]] StructuredBuffer<ClipRecord> clips;
[[vk::binding(3, 0)]] StructuredBuffer<float4> table;
[[vk::binding(4, 0)]] StructuredBuffer<uint4> vertices;    // five each
[[vk::binding(5, 0)]] StructuredBuffer<uint> morph_words;
[[vk::binding(6, 0)]] RWStructuredBuffer<uint4> skinned;  // three each

ClipRecord read_clip(uint clip) { return clips[clip]; }
float4 read_table_row(uint row) { return table[row]; }
uint read_morph_word(uint word) { return morph_words[word]; }
#ifdef THRONG_CHAINS
uint read_channel_word(uint word) { return fetch_word(channel_words, word); }
LinkRecord read_link(uint link) { return fetch_link(skeleton_words, kColumns, link); }
ColumnRecord read_column(uint column) { return fetch_column(skeleton_words, column); }
#endif

[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
  uint item = thread.x;
  if (item >= batch.vertex_count * batch.instance_count) return;
  uint instance = item / batch.vertex_count;
  uint index = item % batch.vertex_count;
  uint at = 5u * index;
  MeshVertex vertex =
      mesh_vertex(vertices[at], vertices[at + 1u], vertices[at + 2u], vertices[at + 3u], vertices[at + 4u]);
  SkinnedBits bits = skin_bits(instances[instance], plays[instance], index, vertex, batch.now, batch.quality);
  skinned[3u * item] = bits.position;
  skinned[3u * item + 1u] = bits.normal;
  skinned[3u * item + 2u] = bits.tangent;
}
