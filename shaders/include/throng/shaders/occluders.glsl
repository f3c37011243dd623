// Whether a box is behind everything that a depth pyramid shows where the box is (set 2).
#ifndef THRONG_SHADERS_OCCLUDERS_GLSL
#define THRONG_SHADERS_OCCLUDERS_GLSL
#include "throng/shaders/drawing.h"

layout(set = 2, binding = 0) uniform texture2D pyramid;  // its first level is half the size of the depth

// The farthest depth in a rectangle of pixels, seen where it is at most 4 × 4 texels.
float farthest_in(ivec2 low, ivec2 high) {
  ivec2 span = high - low;
  int shift = max(findMSB(max(max(span.x, span.y), 1)) - 1, 1);
  if (any(greaterThan((high >> shift) - (low >> shift), ivec2(3)))) ++shift;
  low >>= shift;
  high >>= shift;
  float farthest = 3.0e38;
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x) farthest = min(farthest, texelFetch(pyramid, ivec2(x, y), shift - 1).x);
  return farthest;
}

// A box given by its middle and what it reaches along its axes. What the pyramid cannot know is not hidden: behind its
// eye, or past its edges.
bool is_hidden(OccluderRecord by, vec3 centre, vec3 axis_x, vec3 axis_y, vec3 axis_z) {
  vec2 low = vec2(3.0e38);
  vec2 high = vec2(-3.0e38);
  float nearest = -3.0e38;
  float smallest_w = 3.0e38;
  float terms = 0.0;
  for (uint i = 0u; i < 8u; ++i) {
    // Larger than it is: poses between frames may leave it by a little.
    vec3 along = vec3((i & 1u) != 0u ? 1.01 : -1.01, (i & 2u) != 0u ? 1.01 : -1.01, (i & 4u) != 0u ? 1.01 : -1.01);
    vec4 corner = vec4(centre + along.x * axis_x + along.y * axis_y + along.z * axis_z, 1.0);
    vec4 clip = by.clip_from_world * corner;
    mat4 columns = by.clip_from_world;
    terms = max(terms, dot(abs(vec4(columns[0].w, columns[1].w, columns[2].w, columns[3].w)), abs(corner)));
    smallest_w = min(smallest_w, clip.w);
    if (clip.w <= 0.0) return false;
    vec3 seen = clip.xyz / clip.w;
    low = min(low, seen.xy);
    high = max(high, seen.xy);
    nearest = max(nearest, by.sign * seen.z);
  }
  // Written so that no number at all counts as seen.
  if (!(low.x >= -1.0 && low.y >= -1.0 && high.x <= 1.0 && high.y <= 1.0)) return false;
  ivec2 last = ivec2(by.size) - 1;
  float farthest = farthest_in(min(ivec2((0.5 * low + 0.5) * by.size), last), min(ivec2((0.5 * high + 0.5) * by.size), last));
  // A flat character that fills its box is its own occluder: neither the depth's rounding nor that of far places,
  // which here and in the vertex shader is not the same, may hide it.
  float rounding = 1e-5 + 2e-6 * terms / smallest_w;
  return nearest < farthest - by.depth_step - rounding * max(abs(farthest), abs(nearest));
}

#endif
