// SPDX-License-Identifier: Apache-2.0
// Throng's sampling library in one file: characters' records, time to frames, frames to bones, bones to vertices. The
// build makes it from throng/shaders/*; how to use it, and what to say before and behind it, is in
// docs/shader-library.md.
#include "throng/shaders/sampling/sampling.glsl"
#include "throng/shaders/sampling/posed.glsl"
#include "throng/shaders/sampling/record_words.glsl"
#ifdef THRONG_MORPHS
#include "throng/shaders/sampling/morphs.glsl"
#endif
