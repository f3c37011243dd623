#version 300 es
// SPDX-License-Identifier: Apache-2.0
// A lit surface of a character in the air of the scene.
#include "throng/shaders/scene/shading.glsl"
#include "display.glsl"

uniform float alpha_cutoff;
uniform uint material;
#ifdef THRONG_BASE_PICTURE
uniform sampler2D base_texture;
#endif
#ifdef THRONG_NORMAL_PICTURE
uniform sampler2D normal_texture;
uniform float normal_scale;
#endif

in vec3 world_position;
in vec3 world_normal;
in vec4 world_tangent;
in vec2 surface_uv;
in vec4 surface_colour;
flat in uint variation;

layout(location = 0) out vec4 target;

void main() {
  vec4 base = surface_colour;
#ifdef THRONG_BASE_PICTURE
  base *= texture(base_texture, surface_uv);
#endif
#ifdef THRONG_HOLES
  if (base.a < alpha_cutoff) discard;
#endif
  vec3 normal = facing_normal(world_normal, world_position, gl_FrontFacing);
#ifdef THRONG_NORMAL_PICTURE
  normal = bent_normal(normal, world_tangent, texture(normal_texture, surface_uv).xyz, normal_scale);
#endif
  vec3 albedo = varied_colour(base.rgb, variation_of(variation, material), scene.variation);
  target = vec4(displayed(seen_character(world_position, normal, albedo)), base.a);
}
