// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where each part of a baked model is, in all of its clips.

#include "throng/base/executor.h"
#include "throng/character/character.h"

namespace throng::detail::bake {

// One box a part, of where the clips have it at their frames and between them, and a little more.
std::vector<Bounds> part_bounds(const CharacterDraft& draft, std::size_t parts, Executor& executor);

}  // namespace throng::detail::bake
