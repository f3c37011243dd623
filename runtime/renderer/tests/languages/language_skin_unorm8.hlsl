// SPDX-License-Identifier: Apache-2.0
// language_skin.glsl as HLSL, of an atlas bound as RGBA8.
#define THRONG_ATLAS_UNORM8
#include "language_skin.hlsl"
