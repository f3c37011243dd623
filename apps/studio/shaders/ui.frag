#version 460
// SPDX-License-Identifier: Apache-2.0
layout(set = 1, binding = 0) uniform sampler2D picture;
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 colour;
layout(location = 0) out vec4 result;

void main() { result = colour * texture(picture, uv); }
