// SPDX-License-Identifier: Apache-2.0
// The numbers by which C++ and shaders know the encodings of an animation texture. They are written to no file (names
// are), but a shader compiled for one program is fed by it: append, never renumber.
#ifndef THRONG_SHADERS_ENCODINGS_H
#define THRONG_SHADERS_ENCODINGS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kEncodingQ16, 0u);
THRONG_CONSTANT(uint, kEncodingX16, 1u);
THRONG_CONSTANT(uint, kEncodingQ12, 2u);
THRONG_CONSTANT(uint, kEncodingQ8, 3u);
THRONG_CONSTANT(uint, kEncodingRows, 4u);
THRONG_CONSTANT(uint, kEncodingHalfQuaternion, 5u);
THRONG_CONSTANT(uint, kEncodingHalfRows, 6u);
THRONG_CONSTANT(uint, kEncodingLocal8, 7u);
THRONG_CONSTANT(uint, kEncodingV8, 8u);
THRONG_CONSTANT(uint, kEncodingHalfVertex, 9u);
THRONG_CONSTANT(uint, kEncodingRgbm, 10u);
THRONG_CONSTANT(uint, kEncodingLocalv, 11u);

// The encodings of one kind, a bit each (a test compares them with the kinds of throng/character/encoding.h).
THRONG_CONSTANT(uint, kAffineEncodings, (1u << kEncodingRows) | (1u << kEncodingHalfRows));  // a column does any matrix
THRONG_CONSTANT(uint, kLinkedEncodings, (1u << kEncodingLocal8) | (1u << kEncodingLocalv));  // relative to the parent
THRONG_CONSTANT(uint, kVertexEncodings, (1u << kEncodingV8) | (1u << kEncodingHalfVertex) | (1u << kEncodingRgbm));

THRONG_NAMESPACE_END
#endif
