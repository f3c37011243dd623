// SPDX-License-Identifier: Apache-2.0
// language_skin.hlsl for models with clips in localv.
#define THRONG_CHAINS
#include "language_skin.hlsl"
