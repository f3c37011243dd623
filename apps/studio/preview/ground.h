// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the ground under a character has gone since the clip's first frame.

#include "throng/character/character.h"

namespace throng::studio {

GroundMotion ground_at(const BakedClip& clip, double seconds);

}  // namespace throng::studio
