#version 460
// SPDX-License-Identifier: Apache-2.0
// The window's shapes: positions in pixels, colours as they are.
layout(push_constant) uniform Screen {
  vec2 scale;
  vec2 offset;
} screen;
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv_in;
layout(location = 2) in vec4 colour_in;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 colour;

void main() {
  uv = uv_in;
  colour = colour_in;
  gl_Position = vec4(position * screen.scale + screen.offset, 0.0, 1.0);
}
