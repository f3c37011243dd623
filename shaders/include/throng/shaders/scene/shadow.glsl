// SPDX-License-Identifier: Apache-2.0
// How much light arrives at a point: soft shadows of the sun, and the dimness where characters touch the ground. Binds nothing.
#ifndef THRONG_SHADERS_SHADOW_GLSL
#define THRONG_SHADERS_SHADOW_GLSL
#include "throng/shaders/scene/noise.glsl"
#include "throng/shaders/shared/scene.h"

const int kBlockerTaps = 12;
const int kShadowTaps = 20;
const int kContactTaps = 12;

// Evenly spread points on the unit disc, turned by `angle`.
vec2 disc_point(int i, int count, float angle) {
  const float kGoldenAngle = 2.39996323;
  float theta = float(i) * kGoldenAngle + angle;
  return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(theta), sin(theta));
}

// A turn for each pixel that differs strongly between neighbours, so that few taps look like many.
float pixel_turn(vec2 pixel) { return 6.2831853 * pixel_noise(pixel); }

// A receiver in a cascade: uv and layer, depth, and how depth changes along the surface, in map depth per uv.
struct MapPoint {
  vec2 uv;
  float layer;
  float depth;
  vec2 slope;
  float facing;  // cosine between the surface and the light
};

// `position` and `normal` in the light's coordinates.
MapPoint in_cascade(CascadeUniforms map, float layer, vec3 position, vec3 normal) {
  const float kSteepest = 3.0;  // beyond this the surface is edge-on and the extrapolation would run away
  MapPoint point;
  point.uv = (position.xy - map.origin.xy) / map.width;
  point.layer = layer;
  point.depth = min((position.z - map.origin.z) / map.depth, 1.0);  // behind the map's end is still behind all it holds
  vec2 tangent = clamp(-normal.xy / min(normal.z, -0.05), vec2(-kSteepest), vec2(kSteepest));
  point.slope = tangent * (map.width / map.depth);
  point.facing = -normal.z;
  return point;
}

bool outside(MapPoint point) {
  return any(lessThan(point.uv, vec2(0.0))) || any(greaterThan(point.uv, vec2(1.0))) || point.depth <= 0.0;
}

// How far in front of the surface a tap's depth must be to count, in map depth: more for taps farther out, because smooth normals on flat
// triangles put the receiver's plane a little wrong.
float tap_bias(CascadeUniforms map, float offset, float metre) {
  const float kCone = 0.2;
  return (0.5 * map.texel + 0.004 * metre + kCone * offset * map.width) / map.depth;
}

// Mean distance to what lies between the receiver and the sun within `radius` of the straight line, in world units; 0 when no tap finds
// anything.
float blocker_distance(CascadeUniforms map, sampler2DArray depths, MapPoint point, float radius, float turn, float metre) {
  float sum = 0.0;
  float count = 0.0;
  for (int i = 0; i < kBlockerTaps; ++i) {
    vec2 offset = disc_point(i, kBlockerTaps, turn) * radius;
    float gap = point.depth + dot(point.slope, offset) - tap_bias(map, length(offset), metre) -
                textureLod(depths, vec3(point.uv + offset, point.layer), 0.0).r;
    float blocks = gap > 0.0 ? 1.0 : 0.0;
    sum += gap * blocks;
    count += blocks;
  }
  return sum / max(count, 1.0) * map.depth;
}

float compare_tap(CascadeUniforms map, sampler2DArrayShadow compare, MapPoint point, vec2 offset, float metre) {
  float depth = point.depth + dot(point.slope, offset) - tap_bias(map, length(offset), metre);
  return texture(compare, vec4(point.uv + offset, point.layer, depth));
}

// Two and a half texels wide and free of noise: for shadows whose penumbra is no wider than that.
float firm_shadow(CascadeUniforms map, sampler2DArrayShadow compare, MapPoint point, float metre) {
  float step = 0.75 * map.texel / map.width;
  float lit = compare_tap(map, compare, point, vec2(-0.4, -1.0) * step, metre);
  lit += compare_tap(map, compare, point, vec2(1.0, -0.4) * step, metre);
  lit += compare_tap(map, compare, point, vec2(0.4, 1.0) * step, metre);
  lit += compare_tap(map, compare, point, vec2(-1.0, 0.4) * step, metre);
  return 0.25 * lit;
}

// Widens with the distance to what casts it. Most taps are only spent where there is shade.
float soft_shadow(CascadeUniforms map, sampler2DArrayShadow compare, sampler2DArray depths, MapPoint point, float softness,
                  float widest, float metre, float turn) {
  float blocker = blocker_distance(map, depths, point, widest / map.width, turn, metre);
  // Few taps that find nothing do not mean that nothing is there: taking that for full light would dot thin shadows with the pixels
  // whose taps missed.
  if (blocker == 0.0) return firm_shadow(map, compare, point, metre);
  float radius = clamp(softness * blocker, 1.2 * map.texel, widest) / map.width;
  float lit = 0.0;
  for (int i = 0; i < kShadowTaps; ++i) lit += compare_tap(map, compare, point, disc_point(i, kShadowTaps, turn) * radius, metre);
  return lit / float(kShadowTaps);
}

// 1 in the sun, 0 in the shade. `position` and `normal` in the light's coordinates.
float sun_visibility(CascadeUniforms map, float layer, sampler2DArrayShadow compare, sampler2DArray depths, vec3 position,
                     vec3 normal, float softness, float metre, vec2 pixel) {
  // Off the surface by what a limb of few triangles is flatter than its normals say.
  MapPoint point = in_cascade(map, layer, position + normal * (1.5 * map.texel + 0.012 * metre), normal);
  if (outside(point)) return 1.0;
  float widest = softness * 4.0 * metre;
  float lit = widest < 5.0 * map.texel
                  ? firm_shadow(map, compare, point, metre)
                  : soft_shadow(map, compare, depths, point, softness, widest, metre, pixel_turn(pixel));
  // Where the light only brushes the surface its own roughness would speckle it, and there is little light to take away.
  return mix(1.0, lit, smoothstep(0.0, 0.2, point.facing));
}

// How much of the sky the ground at `position` sees past the characters standing near: the map, drawn from below, holds how high
// above the ground each place's lowest surface is.
float contact_visibility(MapUniforms map, sampler2D depths, vec3 position, float metre, vec2 pixel) {
  if (map.width == 0.0) return 1.0;
  vec4 clip = map.clip_from_world * vec4(position, 1.0);
  float inside = clamp((1.0 - max(abs(clip.x), abs(clip.y))) / 0.15, 0.0, 1.0);
  if (inside == 0.0) return 1.0;
  vec2 uv = clip.xy * 0.5 + 0.5;
  float turn = pixel_turn(pixel + 17.0);
  float covered = 0.0;
  for (int i = 0; i < kContactTaps; ++i) {
    vec2 offset = disc_point(i, kContactTaps, turn);
    float depth = textureLod(depths, uv + offset * (map.softness / map.width), 0.0).r;
    float height = depth * map.depth / (0.45 * metre);
    float weight = 1.0 - 0.6 * dot(offset, offset);
    covered += depth >= 1.0 ? 0.0 : weight / (1.0 + height * height);
  }
  float most = 0.7 * float(kContactTaps);  // the sum of the weights
  return clamp(1.0 - 0.95 * inside * covered / most, 0.0, 1.0);
}

#endif
