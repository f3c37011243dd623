// SPDX-License-Identifier: Apache-2.0
// language_codecs.glsl as HLSL.
#define THRONG_HLSL
#include "language_codecs.glsl"

[[vk::binding(0, 0)]] StructuredBuffer<uint2> words;  // three an item
[[vk::binding(1, 0)]] RWStructuredBuffer<uint4> found;  // three an item

struct Batch {
  float4 box_min;
  float4 box_size;
  uint what;
  uint count;
};
[[vk::push_constant]] ConstantBuffer<Batch> batch;

[numthreads(64, 1, 1)] void main(uint3 thread : SV_DispatchThreadID) {
  if (thread.x >= batch.count) return;
  uint at = 3u * thread.x;
  Decoded decoded =
      decode_item(batch.what, uint4(words[at], words[at + 1u]), words[at + 2u], batch.box_min, batch.box_size);
  found[at] = decoded.a;
  found[at + 1u] = decoded.b;
  found[at + 2u] = decoded.c;
}
