#version 460
// SPDX-License-Identifier: Apache-2.0
// The window's shapes: positions in pixels, colours as they are.
layout(push_constant) uniform Screen {
  vec2 scale;
  vec2 offset;
} screen;
// ImDrawVert, word by word: position, place in the picture, colour.
layout(std430, set = 0, binding = 0) readonly buffer Vertices { uint words[]; } vertices;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 colour;

vec2 pair(uint at) { return uintBitsToFloat(uvec2(vertices.words[at], vertices.words[at + 1u])); }

void main() {
  uint first = uint(gl_VertexIndex) * 5u;
  uv = pair(first + 2u);
  colour = unpackUnorm4x8(vertices.words[first + 4u]);
  gl_Position = vec4(pair(first) * screen.scale + screen.offset, 0.0, 1.0);
}
