// SPDX-License-Identifier: Apache-2.0
// How the frames of a model's clips may lie in its atlas, as bits, written once for C++ and shaders: shaders leave out
// the arithmetic of what no clip does.
#ifndef THRONG_SHADERS_FRAME_SHAPES_H
#define THRONG_SHADERS_FRAME_SHAPES_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kFramesSideBySide, 1u);  // several frames in a row
THRONG_CONSTANT(uint, kFramesFolded, 2u);      // several rows a frame
THRONG_CONSTANT(uint, kFramesRunOn, 4u);       // a clip goes on in the next layer

THRONG_NAMESPACE_END
#endif
