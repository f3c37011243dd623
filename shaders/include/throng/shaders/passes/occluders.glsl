// SPDX-License-Identifier: Apache-2.0
// Whether a box is behind everything that a depth pyramid shows where the box is (set 2).
#ifndef THRONG_SHADERS_OCCLUDERS_GLSL
#define THRONG_SHADERS_OCCLUDERS_GLSL
#include "throng/shaders/shared/drawing.h"

layout(set = 2, binding = 0) uniform texture2D pyramid;  // its first level is half the size of the depth

const int kOccluderTexels = 16;  // a side, at most: in coarser ones the gaps between people show through

// A flat character that fills its box is its own occluder: neither the depth's rounding nor that of far places, which
// here and in the vertex shader is not the same, may hide it.
bool is_behind(float nearest, float depth, float depth_step, float rounding) {
  return nearest < depth - depth_step - rounding * max(abs(depth), abs(nearest));
}

// Whether all of a rectangle of pixels is nearer. Most who are seen are seen after a few texels.
bool all_nearer(ivec2 low, ivec2 high, float nearest, float depth_step, float rounding) {
  ivec2 span = high - low;
  int shift = max(findMSB(max(max(span.x, span.y), 1)) - findMSB(kOccluderTexels) + 1, 1);
  if (any(greaterThanEqual((high >> shift) - (low >> shift), ivec2(kOccluderTexels)))) ++shift;
  low >>= shift;
  high >>= shift;
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x)
      if (!is_behind(nearest, texelFetch(pyramid, ivec2(x, y), shift - 1).x, depth_step, rounding)) return false;
  return true;
}

// A box given by its middle and what it reaches along its axes. What the pyramid cannot know is not hidden: behind its
// eye, or past its edges.
bool is_hidden(OccluderRecord by, vec3 centre, vec3 axis_x, vec3 axis_y, vec3 axis_z) {
  vec2 low = vec2(3.0e38);
  vec2 high = vec2(-3.0e38);
  float nearest = -3.0e38;
  float smallest_w = 3.0e38;
  float terms = 0.0;  // what w is summed of: its rounding grows with them
  mat4 columns = by.clip_from_world;
  vec4 row = vec4(columns[0].w, columns[1].w, columns[2].w, columns[3].w);
  for (uint i = 0u; i < 8u; ++i) {
    // Larger than it is: poses between frames may leave it by a little.
    vec3 along = vec3((i & 1u) != 0u ? 1.01 : -1.01, (i & 2u) != 0u ? 1.01 : -1.01, (i & 4u) != 0u ? 1.01 : -1.01);
    vec4 corner = vec4(centre + along.x * axis_x + along.y * axis_y + along.z * axis_z, 1.0);
    vec4 clip = columns * corner;
    terms = max(terms, dot(abs(row), abs(corner)));
    smallest_w = min(smallest_w, clip.w);
    if (clip.w <= 0.0) return false;
    vec3 seen = clip.xyz / clip.w;
    low = min(low, seen.xy);
    high = max(high, seen.xy);
    nearest = max(nearest, by.sign * seen.z);
  }
  // Written so that NaN counts as seen.
  if (!(low.x >= -1.0 && low.y >= -1.0 && high.x <= 1.0 && high.y <= 1.0)) return false;
  ivec2 last = ivec2(by.size) - 1;
  ivec2 first_pixel = min(ivec2((0.5 * low + 0.5) * by.size), last);
  ivec2 last_pixel = min(ivec2((0.5 * high + 0.5) * by.size), last);
  return all_nearer(first_pixel, last_pixel, nearest, by.depth_step, 1e-5 + 2e-6 * terms / smallest_w);
}

#endif
