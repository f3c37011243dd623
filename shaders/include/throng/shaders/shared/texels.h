// SPDX-License-Identifier: Apache-2.0
// How words and records lie in textures where there are no storage buffers, written once for C++ and shaders.
#ifndef THRONG_SHADERS_TEXELS_H
#define THRONG_SHADERS_TEXELS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

// Texel i is at (i mod kTexelsInRow, i / kTexelsInRow). A power of two, and no wider than any device allows.
THRONG_CONSTANT(uint, kTexelsInRow, 1024u);
THRONG_CONSTANT(uint, kRowShift, 10u);  // 2^kRowShift texels in a row

// How many texels of four words a LinkRecord and a ColumnRecord take (pose_records.h).
THRONG_CONSTANT(uint, kLinkTexels, 3u);
THRONG_CONSTANT(uint, kColumnTexels, 3u);

THRONG_NAMESPACE_END
#endif
