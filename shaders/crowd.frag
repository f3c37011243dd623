#version 460
#extension GL_GOOGLE_include_directive : require
// The crowd's colour pass: a lit surface in the air of the scene.
#include "throng/shaders/shading.glsl"

layout(push_constant) uniform Draw { DrawUniforms draw; };
layout(set = 2, binding = 0) uniform sampler2D base_texture;

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 surface_uv;
layout(location = 3) in vec4 surface_colour;

layout(location = 0) out vec4 target;

void main() {
  vec4 base = texture(base_texture, surface_uv) * surface_colour;
  if (base.a < draw.alpha_cutoff) discard;
  // Opposite normals may meet in a triangle's middle: facing the eye is better than not being a number.
  float length_squared = dot(world_normal, world_normal);
  vec3 normal = length_squared > 0.0 ? world_normal * inversesqrt(length_squared) : normalize(scene.eye - world_position);
  Surface surface;
  surface.position = world_position;
  surface.normal = gl_FrontFacing ? normal : -normal;
  surface.albedo = base.rgb;
  surface.openness = crowd_openness(world_position);
  surface.pixel = gl_FragCoord.xy;
  vec3 light = through_air(shade_character(surface), world_position);
  // Alpha only matters where the pipeline turns it into coverage.
  target = vec4(tone_map(light), base.a);
}
