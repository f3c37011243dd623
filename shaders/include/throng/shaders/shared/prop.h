// SPDX-License-Identifier: Apache-2.0
// Vertices of a prop, written once for C++ and GLSL. Layout std430.
#ifndef THRONG_SHADERS_PROP_H
#define THRONG_SHADERS_PROP_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

struct PropVertex {
  vec3 position;  // in the socket's space
  float unused_1;
  vec3 normal;
  float unused_2;
  vec3 colour;  // linear
  float unused_3;
};

THRONG_NAMESPACE_END
#endif
