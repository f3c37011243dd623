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

THRONG_NAMESPACE_END
#endif
