#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// Reads items of an animation texture as the shader library does, for atlas_test.cpp to compare with C++.
#include "throng/shaders/sampling/atlas.glsl"

layout(local_size_x = 64) in;

layout(std430, set = 0, binding = 0) readonly buffer Clips { ClipRecord clips[]; };
// Frame, first word, how many words, 0.
layout(std430, set = 0, binding = 1) readonly buffer Requests { uvec4 requests[]; };
// Nine words each: x, y, layer, the words.
layout(std430, set = 0, binding = 2) writeonly buffer Found { uint found[]; };
layout(set = 0, binding = 3) uniform usampler2DArray atlas;

layout(push_constant) uniform Batch {
  uint width;
  uint texel_words;
  uint shapes;
  uint count;
};

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  AtlasLayout atlas_layout = AtlasLayout(width, texel_words, shapes);
  uvec4 request = requests[i];
  FramePlace place = frame_place(atlas_layout, clips[0], request.x);
  ivec3 address = texel_address(atlas_layout, place, request.y / texel_words);
  SixWords six = SixWords(uvec4(0u), uvec2(0u));
  if (request.z == 2u) six.first.xy = fetch_two(atlas, atlas_layout, place, request.y);
  if (request.z == 3u) six.first.xyz = fetch_three(atlas, atlas_layout, place, request.y);
  if (request.z == 4u) six.first = fetch_four(atlas, atlas_layout, place, request.y);
  if (request.z == 6u) six = fetch_six(atlas, atlas_layout, place, request.y);
  for (uint k = 0u; k < 3u; ++k) found[i * 9u + k] = uint(address[k]);
  for (uint k = 0u; k < 4u; ++k) found[i * 9u + 3u + k] = six.first[k];
  for (uint k = 0u; k < 2u; ++k) found[i * 9u + 7u + k] = six.last[k];
}
