// SPDX-License-Identifier: Apache-2.0
// A character too small for triangles: colours from its feet to its head, on a card that faces the eye. Written once
// for C++ and GLSL.
#ifndef THRONG_SHADERS_SPECK_H
#define THRONG_SHADERS_SPECK_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kSpeckBands, 4u);

struct SpeckRecord {
  vec4 bands[kSpeckBands];  // mean colour of the surface there, linear, from the feet up; w: half its width over its
                            // height
};

// What a part of the model adds to that.
struct SpeckSums {
  vec4 painted[kSpeckBands];  // colours, each times the area that has it; w: the area. Of the model's, which is 1
  vec4 reach;                 // of each band: half widths over the model's height, each times its area
};

// What sums of parts look like.
THRONG_FUNCTION SpeckRecord speck_of(SpeckSums sums) {
  vec4 all = sums.painted[0] + sums.painted[1] + sums.painted[2] + sums.painted[3];
  float all_reach = sums.reach.x + sums.reach.y + sums.reach.z + sums.reach.w;
  SpeckRecord speck;
  for (int i = 0; i < int(kSpeckBands); ++i) {
    // A height without any surface looks like the rest.
    vec4 painted = sums.painted[i].w > 0.0f ? sums.painted[i] : all;
    float reach = sums.painted[i].w > 0.0f ? sums.reach[i] : all_reach;
    float area = painted.w > 1e-30f ? painted.w : 1e-30f;
    float width = reach / area * 1.3f;
    speck.bands[i] = vec4(vec3(painted) / area, width < 0.5f ? width : 0.5f);
  }
  return speck;
}

THRONG_NAMESPACE_END
#endif
