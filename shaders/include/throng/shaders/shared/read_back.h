// SPDX-License-Identifier: Apache-2.0
// What read_back.comp is told for one batch of drawn characters, and what it writes: written once for C++ and GLSL.
#ifndef THRONG_SHADERS_READ_BACK_H
#define THRONG_SHADERS_READ_BACK_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kReadBackGroupSize, 64u);  // vertices
THRONG_CONSTANT(uint, kReadBackFloats, 10u);     // position, normal, tangent

struct ReadBackBatch {
  uint first;         // of the drawn characters
  uint vertex_count;  // of one
  uint world_space;   // 1 or 0: model space
  uint bones;         // of a vertex
};

THRONG_NAMESPACE_END
#endif
