#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// The colour pass: a lit surface in the air of the scene.
#include "throng/shaders/scene/shading.glsl"
#ifdef THRONG_MOTION
#include "throng/shaders/passes/motion_target.glsl"
#endif

layout(push_constant) uniform Draw { DrawUniforms draw; };
// Which of the material's pictures are looked at: where one is missing, a white one is bound in its place.
layout(constant_id = 1) const uint kPictures = kAllPictures;
// 0: of an opaque material, which has no holes; depth is then settled before anything is shaded.
layout(constant_id = 2) const uint kHasHoles = 1u;
layout(set = 2, binding = 0) uniform sampler2D base_texture;
layout(set = 2, binding = 1) uniform sampler2D normal_texture;

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec3 world_normal;
layout(location = 2) in vec2 surface_uv;
layout(location = 3) in vec4 surface_colour;
layout(location = 4) in vec4 world_tangent;  // w: side; zero when the model has none
layout(location = 5) flat in uint variation;

layout(location = 0) out vec4 target;

void main() {
  vec4 base = surface_colour;
  if ((kPictures & kBasePicture) != 0u) base *= texture(base_texture, surface_uv);
  if (kHasHoles != 0u && base.a < draw.alpha_cutoff) discard;
  vec3 normal = facing_normal(world_normal, world_position, gl_FrontFacing);
  if ((kPictures & kNormalPicture) != 0u && draw.normal_scale != 0.0)
    normal = bent_normal(normal, world_tangent, texture(normal_texture, surface_uv).xyz, draw.normal_scale);
  Variation different = variation_of(variation, draw.material);
  vec3 albedo = varied_colour(base.rgb, different, scene.variation);
  // Alpha only matters where the pipeline turns it into coverage.
  target = vec4(seen_character(world_position, normal, albedo), base.a);
#ifdef THRONG_MOTION
  write_motion();
#endif
}
