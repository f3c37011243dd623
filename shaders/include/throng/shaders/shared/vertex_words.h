// SPDX-License-Identifier: Apache-2.0
// Where the parts of throng::BakedVertex lie, and of throng::SurfaceVertex, in words of 32 bits: their vec3s have no
// padding, so no structure of std430 fits them. C++ asserts these against the structures
// (runtime/renderer/src/far/model_resources.cpp).
#ifndef THRONG_SHADERS_VERTEX_WORDS_H
#define THRONG_SHADERS_VERTEX_WORDS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kVertexWords, 13u);  // of one vertex
THRONG_CONSTANT(uint, kPositionWord, 0u);
THRONG_CONSTANT(uint, kNormalWord, 3u);
THRONG_CONSTANT(uint, kUvWord, 6u);
THRONG_CONSTANT(uint, kBonesWord, 8u);     // two to a word, first one lowest
THRONG_CONSTANT(uint, kWeightsWord, 10u);  // two to a word, first one lowest
THRONG_CONSTANT(uint, kColourWord, 12u);

// A vertex of vertex mode; its position comes first too.
THRONG_CONSTANT(uint, kSurfaceWords, 6u);
THRONG_CONSTANT(uint, kSurfaceUvWord, 3u);
THRONG_CONSTANT(uint, kSurfaceColourWord, 5u);

THRONG_NAMESPACE_END
#endif
