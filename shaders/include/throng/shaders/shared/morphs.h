// SPDX-License-Identifier: Apache-2.0
// Morph targets of far characters as words: C++ writes them (throng::morph_words), morphs.glsl reads them.
//
//   header     kMorphHeaderWords: where the parts below begin
//   targets    kMorphTargetWords each: least weight, its step, step of positions, step of normals; floats
//   clips      kMorphClipWords each: the first word of its rows, rows from one frame to the next (0: one row is all
//              there is), its first frame, 0
//   weights    rows, a 16-bit weight a target, two to a word
//   blocks     two words for every kMorphBlock vertices: which of them are moved, and how many before them are
//   runs       the first delta of every vertex that is moved, and one more
//   deltas     kMorphDeltaWords each, two 16-bit numbers to a word: position x y z, normal x y z, target, 0
#ifndef THRONG_SHADERS_MORPHS_H
#define THRONG_SHADERS_MORPHS_H
#include "throng/shaders/sampling/language.h"

THRONG_NAMESPACE_BEGIN

THRONG_CONSTANT(uint, kMorphHeaderWords, 8u);
THRONG_CONSTANT(uint, kMorphTargetWords, 4u);
THRONG_CONSTANT(uint, kMorphClipWords, 4u);
THRONG_CONSTANT(uint, kMorphDeltaWords, 4u);
THRONG_CONSTANT(uint, kMorphBlock, 32u);

// Words of the header: the first words of clips, blocks, runs and deltas, and how many words a row has. Targets follow
// it.
THRONG_CONSTANT(uint, kMorphClipsWord, 0u);
THRONG_CONSTANT(uint, kMorphRowWord, 1u);
THRONG_CONSTANT(uint, kMorphBlocksWord, 2u);
THRONG_CONSTANT(uint, kMorphRunsWord, 3u);
THRONG_CONSTANT(uint, kMorphDeltasWord, 4u);

THRONG_NAMESPACE_END
#endif
