// How much light arrives at a point: soft shadows of the sun, and the dimness where characters touch the ground.
#ifndef THRONG_SHADERS_SHADOW_GLSL
#define THRONG_SHADERS_SHADOW_GLSL
#include "throng/shaders/noise.glsl"
#include "throng/shaders/scene.h"

const int kBlockerTaps = 12;
const int kShadowTaps = 20;
const int kContactTaps = 16;

// Evenly spread points on the unit disc, turned by `angle`.
vec2 disc_point(int i, int count, float angle) {
  const float kGoldenAngle = 2.39996323;
  float theta = float(i) * kGoldenAngle + angle;
  return sqrt((float(i) + 0.5) / float(count)) * vec2(cos(theta), sin(theta));
}

// A turn for each pixel that differs strongly between neighbours, so that few taps look like many.
float pixel_turn(vec2 pixel) { return 6.2831853 * pixel_noise(pixel); }

// A receiver in the map: uv, depth, and how depth changes along the surface, in map depth per uv.
struct MapPoint {
  vec2 uv;
  float depth;
  vec2 slope;
  float facing;  // cosine between the surface and the light
};

MapPoint in_map(MapUniforms map, vec3 position, vec3 normal) {
  vec4 clip = map.clip_from_world * vec4(position, 1.0);
  MapPoint point;
  point.uv = clip.xy * 0.5 + 0.5;
  point.depth = min(clip.z, 1.0);  // behind the map's end is still behind all it holds
  // Rows of the matrix are the map's axes; the surface's plane says how depth grows sideways.
  mat3 axes = transpose(mat3(map.clip_from_world));
  vec3 facing = vec3(dot(normalize(axes[0]), normal), dot(normalize(axes[1]), normal), dot(normalize(axes[2]), normal));
  const float kSteepest = 3.0;  // beyond this the surface is edge-on and the extrapolation would run away
  vec2 tangent = clamp(-facing.xy / min(facing.z, -0.05), vec2(-kSteepest), vec2(kSteepest));
  point.slope = tangent * map.width / map.depth;
  point.facing = -facing.z;
  return point;
}

// 1 well inside the map, falling to 0 at its edge.
float map_weight(MapUniforms map, vec3 position) {
  if (map.width == 0.0) return 0.0;
  vec4 clip = map.clip_from_world * vec4(position, 1.0);
  float edge = max(abs(clip.x), abs(clip.y));
  return clamp((0.96 - edge) / 0.12, 0.0, 1.0);
}

bool outside(MapPoint point) {
  return any(lessThan(point.uv, vec2(0.0))) || any(greaterThan(point.uv, vec2(1.0))) || point.depth <= 0.0;
}

// How far in front of the surface a tap's depth must be to count, in map depth: more for taps farther out, because smooth normals on flat
// triangles put the receiver's plane a little wrong.
float tap_bias(MapUniforms map, vec2 offset, float metre) {
  const float kCone = 0.2;
  return (0.5 * map.texel + 0.004 * metre + kCone * length(offset) * map.width) / map.depth;
}

// Mean distance from the receiver to what is between it and the sun, in world units; 0 when no tap finds anything.
float blocker_distance(MapUniforms map, sampler2D depths, MapPoint point, float radius, float turn, float metre) {
  float sum = 0.0;
  float count = 0.0;
  for (int i = 0; i < kBlockerTaps; ++i) {
    vec2 offset = disc_point(i, kBlockerTaps, turn) * radius;
    float gap = point.depth + dot(point.slope, offset) - tap_bias(map, offset, metre) -
                textureLod(depths, point.uv + offset, 0.0).r;
    float blocks = gap > 0.0 ? 1.0 : 0.0;
    sum += gap * blocks;
    count += blocks;
  }
  return sum / max(count, 1.0) * map.depth;
}

// 1 in the sun, 0 in the shade. The penumbra widens with the distance to what casts it.
float sun_visibility(MapUniforms map, sampler2DShadow compare, sampler2D depths, vec3 position, vec3 normal, float metre,
                     vec2 pixel) {
  if (map.width == 0.0) return 1.0;
  // Off the surface by what a limb of few triangles is flatter than its normals say.
  MapPoint point = in_map(map, position + normal * (1.5 * map.texel + 0.012 * metre), normal);
  if (outside(point)) return 1.0;
  float turn = pixel_turn(pixel);
  float widest = max(map.softness * 4.0 * metre, 2.0 * map.texel);
  float blocker = blocker_distance(map, depths, point, widest / map.width, turn, metre);
  // Twelve taps that find nothing do not mean that nothing is there: taking that for full light would dot thin shadows with the
  // pixels whose taps missed. The smallest radius asks the map itself.
  float radius = clamp(map.softness * blocker, 1.5 * map.texel, widest) / map.width;
  float lit = 0.0;
  for (int i = 0; i < kShadowTaps; ++i) {
    vec2 offset = disc_point(i, kShadowTaps, turn) * radius;
    lit += texture(compare, vec3(point.uv + offset, point.depth + dot(point.slope, offset) - tap_bias(map, offset, metre)));
  }
  // Where the light only brushes the surface its own roughness would speckle it, and there is little light to take away.
  return mix(1.0, lit / float(kShadowTaps), smoothstep(0.0, 0.2, point.facing));
}

// How much of the sky the ground at `position` sees past the characters standing near: the map, drawn from below, holds how high
// above the ground each place's lowest surface is.
float contact_visibility(MapUniforms map, sampler2D depths, vec3 position, float metre, vec2 pixel) {
  if (map.width == 0.0) return 1.0;
  vec4 clip = map.clip_from_world * vec4(position, 1.0);
  vec2 uv = clip.xy * 0.5 + 0.5;
  if (any(lessThan(uv, vec2(0.0))) || any(greaterThan(uv, vec2(1.0)))) return 1.0;
  float turn = pixel_turn(pixel + 17.0);
  float covered = 0.0;
  for (int i = 0; i < kContactTaps; ++i) {
    vec2 offset = disc_point(i, kContactTaps, turn);
    float depth = textureLod(depths, uv + offset * map.softness / map.width, 0.0).r;
    float height = depth * map.depth / (0.45 * metre);
    float weight = 1.0 - 0.6 * dot(offset, offset);
    covered += depth >= 1.0 ? 0.0 : weight / (1.0 + height * height);
  }
  float most = 0.7 * float(kContactTaps);  // the sum of the weights
  return clamp(1.0 - 0.95 * covered / most, 0.0, 1.0);
}

#endif
