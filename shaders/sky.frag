#version 460
#extension GL_GOOGLE_include_directive : require
#include "throng/shaders/shading.glsl"

layout(push_constant) uniform Picture { vec2 inverse_size; };
layout(location = 0) out vec4 target;

void main() {
  vec3 direction = view_direction(gl_FragCoord.xy * inverse_size);
  target = vec4(tone_map(sky_light(direction)), 1.0);
}
