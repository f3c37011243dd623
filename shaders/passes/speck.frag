#version 460
// SPDX-License-Identifier: Apache-2.0
#extension GL_GOOGLE_include_directive : require
// A character of a few pixels: as wide as it is at that height, round like a post.
#include "throng/shaders/scene/shading.glsl"
#include "throng/shaders/passes/speck_looks.glsl"
#ifdef THRONG_MOTION
#include "throng/shaders/passes/motion_target.glsl"
#endif

layout(location = 0) in vec3 world_position;
layout(location = 1) in vec2 card;
layout(location = 2) flat in uvec3 character;
layout(location = 3) flat in uvec4 bands;
layout(location = 4) flat in uvec2 widths;

layout(location = 0) out vec4 target;

vec4 band_at(float height) {
  float place = clamp(height * float(kSpeckBands) - 0.5, 0.0, float(kSpeckBands) - 1.001);
  uint below = uint(place);
  uvec2 words = below == 0u ? bands.xy : below == 1u ? bands.yz : bands.zw;
  vec2 low = unpackHalf2x16(widths.x), high = unpackHalf2x16(widths.y);
  vec2 wide = below == 0u ? low : below == 1u ? vec2(low.y, high.x) : high;
  return mix(vec4(unpack_band(words.x), wide.x), vec4(unpack_band(words.y), wide.y), place - float(below));
}

void main() {
  vec4 band = band_at(card.y);
  float across = card.x / max(2.0 * band.w, 1e-3);
  if (abs(across) > 1.0) discard;
  vec3 to_eye = normalize(scene.eye - world_position);
  vec3 side = cross(unpack_direction(character.z), to_eye);
  side = dot(side, side) < 1e-12 ? vec3(1.0, 0.0, 0.0) : normalize(side);
  vec3 normal = normalize(side * across + to_eye * sqrt(1.0 - across * across));
  Variation different = variation_of(character.x, 0u);
  vec3 tint = linear_from_srgb(unpackUnorm4x8(character.y).rgb);
  vec3 albedo = varied_colour(band.rgb * tint, different, scene.variation);
  target = vec4(seen_character(world_position, normal, albedo), 1.0);
#ifdef THRONG_MOTION
  write_motion();
#endif
}
