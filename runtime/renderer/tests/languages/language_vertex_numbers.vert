#version 100
// SPDX-License-Identifier: Apache-2.0
// The least there is: rgbm in an RGBA8 texture, read by a shader without a vertex id, whole numbers, texelFetch or
// array textures. Which vertex it is, its attribute says.
attribute float vertex_number;

uniform highp sampler2D atlas;  // or its numbers are cut to eight bits or so before they are multiplied
uniform vec4 atlas_size;  // texels across and down, rows a frame, texels a vertex
uniform vec4 frames;      // frame, next, blend
uniform vec4 box_min;
uniform vec4 box_size;

varying vec4 found_position;
varying vec4 found_normal;

// Texel `channel` of the vertex. Sums of whole numbers, exact below 2^24; half a texel keeps divisions from falling
// short.
vec4 texel(float frame, float channel) {
  float linear = vertex_number * atlas_size.w + channel;
  float row = floor((linear + 0.5) / atlas_size.x);
  vec2 at = vec2(linear - row * atlas_size.x, frame * atlas_size.z + row);
  return texture2DLod(atlas, (at + 0.5) / atlas_size.xy, 0.0);
}

vec3 rgbm(vec4 t) { return t.rgb * t.a; }

void main() {
  vec3 position = mix(rgbm(texel(frames.x, 0.0)), rgbm(texel(frames.y, 0.0)), frames.z);
  vec3 normal = mix(rgbm(texel(frames.x, 1.0)), rgbm(texel(frames.y, 1.0)), frames.z) * 2.0 - 1.0;
  found_position = vec4(box_min.xyz + position * box_size.xyz, 1.0);
  found_normal = vec4(normalize(normal), 0.0);
  gl_Position = vec4(0.0);
}
