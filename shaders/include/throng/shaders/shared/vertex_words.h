// SPDX-License-Identifier: Apache-2.0
// Where the parts of throng::BakedVertex lie, in words of 32 bits: its vec3s have no padding, so no structure of std430
// fits it. C++ asserts these against the structure (runtime/renderer/src/model_resources.cpp).
#ifndef THRONG_SHADERS_VERTEX_WORDS_H
#define THRONG_SHADERS_VERTEX_WORDS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kVertexWords, 13u);  // of one vertex
THRONG_CONSTANT(uint, kPositionWord, 0u);
THRONG_CONSTANT(uint, kNormalWord, 3u);
THRONG_CONSTANT(uint, kUvWord, 6u);
THRONG_CONSTANT(uint, kBonesWord, 8u);     // two to a word, first one lowest
THRONG_CONSTANT(uint, kWeightsWord, 10u);  // …
THRONG_CONSTANT(uint, kColourWord, 12u);

THRONG_NAMESPACE_END
#endif
