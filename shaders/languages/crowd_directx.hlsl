// SPDX-License-Identifier: Apache-2.0
// A crowd in an engine that speaks HLSL, shader model 5 or later: what it writes around the sampling library.
#define THRONG_HLSL

Texture2DArray<uint4> atlas : register(t0);  // the asset's: R32G32_UINT or R32G32B32A32_UINT

// Of the model: write them into the source or pass them with /D, and what its clips do not need is compiled away.
#define THRONG_ATLAS atlas
static const uint kAtlasWidth = 256u;
static const uint kTexelWords = 4u;
static const uint kFrameShapes = 7u;
static const uint kEncodings = 1u;  // bit n: some clip is of encoding n
static const uint kColumns = 24u;
static const uint kAnimatedTangents = 0u;
#include "throng/shaders/sampling/sampling.glsl"

StructuredBuffer<ClipRecord> clips : register(t1);
StructuredBuffer<float4> table : register(t2);
StructuredBuffer<InstanceRecord> instances : register(t3);
StructuredBuffer<PlayRecord> plays : register(t4);

cbuffer View : register(b0) {
  float4x4 clip_from_world;  // as HLSL stores matrices unless told otherwise: column by column
  uint2 now;                 // ticks, (low, high)
};

struct Input {
  float3 position : POSITION;
  float3 normal : NORMAL;
  float4 tangent : TANGENT;
  float2 uv : TEXCOORD0;
  uint4 bones : BLENDINDICES;     // R16G16B16A16_UINT
  float4 weights : BLENDWEIGHT;  // R16G16B16A16_UNORM
  uint index : SV_VertexID;
  uint instance : SV_InstanceID;
};

struct Output {
  float4 clip_position : SV_Position;
  float3 world_position : POSITION;
  float3 world_normal : NORMAL;
  float4 world_tangent : TANGENT;
  float2 uv : TEXCOORD0;
  float4 tint : COLOR0;
};

ClipRecord read_clip(uint clip) { return clips[clip]; }
float4 read_table_row(uint row) { return table[row]; }

Output main(Input input) {
  InstanceRecord instance = instances[input.instance];
  MeshVertex vertex;
  vertex.position = input.position;
  vertex.normal = input.normal;
  vertex.tangent = input.tangent;
  vertex.uv = input.uv;
  vertex.bones = input.bones;
  vertex.weights = input.weights;
  vertex.colour = float4(1.0, 1.0, 1.0, 1.0);

  PosedClips posed = clips_at(moment_of(plays[input.instance], now));
  SkinnedVertex placed = place(instance, sample_vertex(posed, input.index, vertex, 4u));
  Output output;
  output.clip_position = mul(clip_from_world, float4(placed.position, 1.0));
  output.world_position = placed.position;
  output.world_normal = placed.normal;
  output.world_tangent = placed.tangent;
  output.uv = input.uv;
  output.tint = unpackUnorm4x8(instance.tint);
  return output;
}
