#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Decodes items of one encoding as the shader library does, for codec_test.cpp to compare with C++.
#include "throng/shaders/sampling/bone_codecs.glsl"
#include "throng/shaders/shared/encodings.h"
#include "throng/shaders/sampling/vertex_codecs.glsl"
#include "../channel_item.glsl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) readonly buffer Words { uint words[]; };       // six an item
layout(std430, set = 0, binding = 1) writeonly buffer Decoded { float decoded[]; };  // twelve an item

layout(push_constant) uniform Batch {
  vec4 box_min;   // w: the largest scale; of local8: the slot's
  vec4 box_size;
  uint encoding;
  uint count;
};

CodecRange range() { return CodecRange(box_min.xyz, box_size.xyz, box_min.w); }

void write(uint to, float values[12]) {
  for (uint i = 0u; i < 12u; ++i) decoded[to + i] = values[i];
}

void write_bone(uint to, BoneSample bone) {
  write(to, float[12](bone.rotation.x, bone.rotation.y, bone.rotation.z, bone.rotation.w, bone.position.x,
                      bone.position.y, bone.position.z, bone.scale, 0.0, 0.0, 0.0, 0.0));
}

void write_affine(uint to, AffineSample bone) {
  mat3 m = bone.basis;
  write(to, float[12](m[0].x, m[0].y, m[0].z, m[1].x, m[1].y, m[1].z, m[2].x, m[2].y, m[2].z, bone.position.x,
                      bone.position.y, bone.position.z));
}

void write_vertex(uint to, VertexSample vertex, vec4 tangent) {
  write(to, float[12](vertex.position.x, vertex.position.y, vertex.position.z, vertex.normal.x, vertex.normal.y,
                      vertex.normal.z, tangent.x, tangent.y, tangent.z, tangent.w, 0.0, 0.0));
}

void main() {
  uint item = gl_GlobalInvocationID.x;
  if (item >= count) return;
  uint at = item * 6u;
  uint to = item * 12u;
  uvec4 a = uvec4(words[at], words[at + 1u], words[at + 2u], words[at + 3u]);
  uvec2 b = uvec2(words[at + 4u], words[at + 5u]);
  if (encoding == kEncodingQ16) write_bone(to, decode_q16(a, range()));
  if (encoding == kEncodingX16) write_bone(to, decode_x16(a, range()));
  if (encoding == kEncodingQ12) write_bone(to, decode_q12(a.xyz, range()));
  if (encoding == kEncodingQ8) write_bone(to, decode_q8(a.xy, range()));
  if (encoding == kEncodingHalfQuaternion) write_bone(to, decode_half_quaternion(a));
  if (encoding == kEncodingRows) write_affine(to, decode_rows(a, b, range()));
  if (encoding == kEncodingHalfRows) write_affine(to, decode_half_rows(a, b));
  if (encoding == kEncodingLocalv) {
    ClipRecord clip;
    write_bone(to, decode_channel_item(clip, a, b));
  }
  if (encoding == kEncodingLocal8) {
    vec4 moved = decode_translation_slot(a.zw, box_min, box_size);
    write_bone(to, BoneSample(decode_quaternion(a.xy), moved.xyz, moved.w));
  }
  if (encoding == kEncodingV8) write_vertex(to, decode_v8(a.xy, box_min.xyz, box_size.xyz), decode_v8_tangent(a.z));
  if (encoding == kEncodingHalfVertex) write_vertex(to, decode_half_vertex(a), decode_half_tangent(b));
  if (encoding == kEncodingRgbm)
    write_vertex(to, decode_rgbm_vertex(a.xy, box_min.xyz, box_size.xyz), decode_rgbm_tangent(a.z));
}
