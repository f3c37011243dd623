#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// language_codecs.glsl as GLSL.
#include "language_codecs.glsl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) readonly buffer Words { uvec2 words[]; };       // three an item
layout(std430, set = 0, binding = 1) writeonly buffer Found { uvec4 found[]; };  // three an item

layout(push_constant) uniform Batch {
  vec4 box_min;
  vec4 box_size;
  uint what;
  uint count;
};

void main() {
  uint item = gl_GlobalInvocationID.x;
  if (item >= count) return;
  uint at = 3u * item;
  Decoded decoded = decode_item(what, uvec4(words[at], words[at + 1u]), words[at + 2u], box_min, box_size);
  found[at] = decoded.a;
  found[at + 1u] = decoded.b;
  found[at + 2u] = decoded.c;
}
