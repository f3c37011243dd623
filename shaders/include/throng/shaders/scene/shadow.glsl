// SPDX-License-Identifier: Apache-2.0
// How much light arrives at a point: soft shadows of the sun, and the dimness where characters touch the ground. Binds
// nothing.
#ifndef THRONG_SHADERS_SHADOW_GLSL
#define THRONG_SHADERS_SHADOW_GLSL
#include "throng/shaders/shared/scene.h"

#ifdef GL_ES
precision highp sampler2D;
precision highp sampler2DArrayShadow;

// ESSL 300 has no word for the four texels around a place.
vec4 four_around(sampler2DArray depths, vec3 place) {
  ivec2 last = textureSize(depths, 0).xy - 1;
  ivec2 low = ivec2(floor(place.xy * vec2(last + 1) - 0.5));
  ivec2 from = clamp(low, ivec2(0), last);
  ivec2 to = clamp(low + 1, ivec2(0), last);
  int layer = int(place.z);
  return vec4(texelFetch(depths, ivec3(from.x, to.y, layer), 0).r, texelFetch(depths, ivec3(to, layer), 0).r,
              texelFetch(depths, ivec3(to.x, from.y, layer), 0).r, texelFetch(depths, ivec3(from, layer), 0).r);
}
#else
vec4 four_around(sampler2DArray depths, vec3 place) { return textureGather(depths, place); }
#endif

// Points of the unit disc and how far from its centre they are, spread evenly over it and over every line they are
// projected onto, so that thin things are met from every side. All pixels take the same ones: turning them from pixel
// to pixel would make few taps look like many, and stipple.
//
// A disc of few texels needs few taps: the first eight are spread over all of it too, and so are the first sixteen.
const int kFewTaps = 16;
const vec3 kFew[kFewTaps] = vec3[](
    vec3(-0.248, -0.177, 0.305), vec3(0.283, 0.127, 0.310), vec3(0.214, -0.322, 0.387), vec3(0.688, 0.217, 0.721),
    vec3(-0.714, -0.135, 0.727), vec3(0.163, 0.731, 0.749), vec3(-0.722, 0.239, 0.761), vec3(0.173, -0.744, 0.764),
    vec3(-0.106, 0.195, 0.222), vec3(-0.512, 0.509, 0.722), vec3(-0.239, -0.721, 0.760), vec3(-0.235, 0.725, 0.762),
    vec3(0.763, -0.159, 0.779), vec3(0.518, 0.626, 0.813), vec3(-0.654, -0.547, 0.853), vec3(0.625, -0.609, 0.873));
const int kManyTaps = 24;
const vec3 kMany[kManyTaps] = vec3[](
    vec3(-0.236, 0.225, 0.326), vec3(-0.849, -0.104, 0.855), vec3(0.652, -0.545, 0.850), vec3(0.414, 0.651, 0.771),
    vec3(-0.088, -0.317, 0.329), vec3(-0.349, -0.763, 0.839), vec3(0.484, -0.123, 0.499), vec3(-0.171, 0.763, 0.782),
    vec3(0.731, 0.476, 0.872), vec3(-0.433, 0.657, 0.787), vec3(-0.390, -0.422, 0.575), vec3(-0.755, 0.186, 0.778),
    vec3(0.052, 0.373, 0.377), vec3(0.790, -0.202, 0.815), vec3(0.118, -0.040, 0.125), vec3(-0.033, -0.825, 0.826),
    vec3(-0.616, 0.455, 0.766), vec3(0.241, -0.727, 0.766), vec3(-0.414, -0.052, 0.417), vec3(0.376, 0.277, 0.467),
    vec3(0.286, -0.433, 0.519), vec3(0.090, 0.803, 0.808), vec3(0.808, 0.142, 0.820), vec3(-0.727, -0.473, 0.867));

// A receiver in a cascade: uv and layer, depth, and how depth changes along the surface, in map depth per uv.
struct MapPoint {
  vec2 uv;
  float layer;
  float depth;
  vec2 slope;
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
  return point;
}

bool outside(MapPoint point) {
  return any(lessThan(point.uv, vec2(0.0))) || any(greaterThan(point.uv, vec2(1.0))) || point.depth <= 0.0;
}

// How far in front of the surface a tap's depth must be to count, in map depth: more for taps farther out, because
// smooth normals on flat triangles put the receiver's plane a little wrong.
float tap_bias(CascadeUniforms map, float offset, float metre) {
  const float kCone = 0.2;
  return (0.5 * map.texel + 0.004 * metre + kCone * offset * map.width) / map.depth;
}

// What lies between a receiver and the sun, at the texels that were looked at; four of each tap.
struct Blockers {
  vec4 gaps;   // in map depth, summed
  vec4 count;  // of them
};

// Loops have constant ends, here and below: then they are unrolled, and taps are numbers in the code.
void look_at(inout Blockers found, int first, CascadeUniforms map, sampler2DArray depths, MapPoint point, float radius,
             float metre) {
  for (int i = 0; i < 8; ++i) {
    vec3 tap = kFew[first + i] * radius;
    // Four texels for the price of one: what is thinner than taps are apart is met all the same.
    vec4 gaps = point.depth + dot(point.slope, tap.xy) - tap_bias(map, tap.z, metre) -
                four_around(depths, vec3(point.uv + tap.xy, point.layer));
    found.gaps += max(gaps, 0.0);
    found.count += vec4(greaterThan(gaps, vec4(0.0)));
  }
}

// `tap`: an offset in uv, and how long it is.
float compare_tap(CascadeUniforms map, sampler2DArrayShadow compare, MapPoint point, vec3 tap, float metre) {
  float depth = point.depth + dot(point.slope, tap.xy) - tap_bias(map, tap.z, metre);
  return texture(compare, vec4(point.uv + tap.xy, point.layer, depth));
}

// Two and a half texels wide: for shadows whose penumbra is no wider than that.
float firm_shadow(CascadeUniforms map, sampler2DArrayShadow compare, MapPoint point, float metre) {
  float step = 0.75 * map.texel / map.width;
  float lit = compare_tap(map, compare, point, vec3(-0.4, -1.0, 1.08) * step, metre);
  lit += compare_tap(map, compare, point, vec3(1.0, -0.4, 1.08) * step, metre);
  lit += compare_tap(map, compare, point, vec3(0.4, 1.0, 1.08) * step, metre);
  lit += compare_tap(map, compare, point, vec3(-1.0, 0.4, 1.08) * step, metre);
  return 0.25 * lit;
}

// How many of eight of the many taps are lit.
float lit_taps(int first, CascadeUniforms map, sampler2DArrayShadow compare, MapPoint point, float radius,
               float metre) {
  float lit = 0.0;
  for (int i = 0; i < 8; ++i) lit += compare_tap(map, compare, point, kMany[first + i] * radius, metre);
  return lit;
}

// Widens with the distance to what casts it. Most taps are only spent where light and shade meet.
float soft_shadow(CascadeUniforms map, sampler2DArrayShadow compare, sampler2DArray depths, MapPoint point,
                  float softness, float widest, float metre) {
  bool wide = widest >= 8.0 * map.texel;
  Blockers found = Blockers(vec4(0.0), vec4(0.0));
  look_at(found, 0, map, depths, point, widest / map.width, metre);
  if (wide) look_at(found, 8, map, depths, point, widest / map.width, metre);
  float blocked = dot(found.count, vec4(1.0));
  if (blocked == 0.0) return 1.0;
  float distance = dot(found.gaps, vec4(1.0)) / blocked * map.depth;
  float radius = clamp(softness * distance, 1.2 * map.texel, widest) / map.width;
  float lit = lit_taps(0, map, compare, point, radius, metre);
  // In full shade both looks agree.
  if (lit == 0.0 && blocked == (wide ? 64.0 : 32.0)) return 0.0;
  // Each tap is a mean of four texels: penumbras of few texels need no more taps.
  float taps = 8.0;
  float texels = radius * map.width / map.texel;
  if (texels >= 4.0) {
    lit += lit_taps(8, map, compare, point, radius, metre);
    taps = 16.0;
  }
  if (texels >= 8.0) {
    lit += lit_taps(16, map, compare, point, radius, metre);
    taps = 24.0;
  }
  // The look for blockers may miss what only one or two of these taps find: so little shade counts as none, and that
  // edge does not show.
  const float kNoShade = 0.08;
  return clamp(lit / (taps * (1.0 - kNoShade)), 0.0, 1.0);
}

// 1 in the sun, 0 in the shade. `position` and `normal` in the light's coordinates.
float sun_visibility(CascadeUniforms map, float layer, sampler2DArrayShadow compare, sampler2DArray depths,
                     vec3 position, vec3 normal, float softness, float metre) {
  // Where the light only brushes the surface its own roughness would speckle it, and there is little light to take
  // away; what faces away from the light, half of what is seen, needs no look at all.
  float counts = smoothstep(0.0, 0.2, -normal.z);
  if (counts == 0.0) return 1.0;
  // Off the surface by what a limb of few triangles is flatter than its normals say.
  MapPoint point = in_cascade(map, layer, position + normal * (1.5 * map.texel + 0.012 * metre), normal);
  if (outside(point)) return 1.0;
  float widest = softness * 4.0 * metre;
  float lit = widest < 5.0 * map.texel ? firm_shadow(map, compare, point, metre)
                                       : soft_shadow(map, compare, depths, point, softness, widest, metre);
  return mix(1.0, lit, counts);
}

// How much of the sky the ground at `position` sees past the characters standing near: the map, drawn from below, holds
// how high above the ground each place's lowest surface is.
float contact_visibility(MapUniforms map, sampler2D depths, vec3 position, float metre) {
  if (map.width == 0.0) return 1.0;
  vec4 clip = map.clip_from_world * vec4(position, 1.0);
  float inside = clamp((1.0 - max(abs(clip.x), abs(clip.y))) / 0.15, 0.0, 1.0);
  if (inside == 0.0) return 1.0;
  vec2 uv = clip.xy * 0.5 + 0.5;
  float covered = 0.0;
  for (int i = 0; i < kManyTaps; ++i) {
    float depth = textureLod(depths, uv + kMany[i].xy * (map.softness / map.width), 0.0).r;
    float height = depth * map.depth / (0.45 * metre);
    float weight = 1.0 - 0.6 * kMany[i].z * kMany[i].z;
    covered += depth >= 1.0 ? 0.0 : weight / (1.0 + height * height);
  }
  float most = 0.7 * float(kManyTaps);  // the sum of the weights
  return clamp(1.0 - 0.95 * inside * covered / most, 0.0, 1.0);
}

#endif
