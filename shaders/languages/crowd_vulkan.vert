#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// A crowd in a Vulkan or OpenGL engine of one's own: what it writes around the sampling library.
layout(set = 0, binding = 0) uniform usampler2DArray atlas;  // the asset's: RG32UI or RGBA32UI, nearest

// The model's constants: specialise the pipeline with them, and what its clips do not need is compiled away.
#define THRONG_ATLAS atlas
layout(constant_id = 0) const uint kAtlasWidth = 1u;
layout(constant_id = 1) const uint kTexelWords = 4u;
layout(constant_id = 2) const uint kFrameShapes = 7u;
layout(constant_id = 3) const uint kEncodings = 1u;  // bit n: some clip is of encoding n
layout(constant_id = 4) const uint kColumns = 1u;
layout(constant_id = 5) const uint kAnimatedTangents = 0u;
#include "throng/shaders/sampling/sampling.glsl"

layout(std430, set = 0, binding = 1) readonly buffer Clips { ClipRecord clips[]; };
layout(std430, set = 0, binding = 2) readonly buffer Table { vec4 table[]; };
layout(std430, set = 0, binding = 3) readonly buffer Instances { InstanceRecord instances[]; };
layout(std430, set = 0, binding = 4) readonly buffer Plays { PlayRecord plays[]; };

layout(push_constant) uniform View {
  mat4 clip_from_world;
  uvec2 now;  // ticks, (low, high)
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;
layout(location = 3) in vec2 uv;
layout(location = 4) in uvec4 bones;   // R16G16B16A16_UINT
layout(location = 5) in vec4 weights;  // R16G16B16A16_UNORM

layout(location = 0) out vec3 world_position;
layout(location = 1) out vec3 world_normal;
layout(location = 2) out vec4 world_tangent;
layout(location = 3) out vec2 surface_uv;
layout(location = 4) out vec4 tint;

ClipRecord read_clip(uint clip) { return clips[clip]; }
vec4 read_table_row(uint row) { return table[row]; }

void main() {
  InstanceRecord instance = instances[gl_InstanceIndex];
  MeshVertex vertex = MeshVertex(position, normal, tangent, uv, bones, weights, vec4(1.0));
  PosedClips posed = clips_at(moment_of(plays[gl_InstanceIndex], now));
  SkinnedVertex placed = place(instance, sample_vertex(posed, uint(gl_VertexIndex), vertex, 4u));
  world_position = placed.position;
  world_normal = placed.normal;
  world_tangent = placed.tangent;
  surface_uv = uv;
  tint = unpackUnorm4x8(instance.tint);
  gl_Position = clip_from_world * vec4(placed.position, 1.0);
}
