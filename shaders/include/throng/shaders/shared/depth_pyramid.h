// SPDX-License-Identifier: Apache-2.0
// What the passes that make a depth pyramid are told. Written once for C++ and GLSL.
#ifndef THRONG_SHADERS_DEPTH_PYRAMID_H
#define THRONG_SHADERS_DEPTH_PYRAMID_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kPyramidGroupSize, 8u);  // threads a side

struct PyramidBatch {
  uvec2 from_size;  // texels that are read; what lies beyond does not count
  uvec2 to_size;
  float sign;    // 1, or −1 where near is the smaller depth: levels always hold more for what is nearer
  uint samples;  // of the depth
};

THRONG_NAMESPACE_END
#endif
