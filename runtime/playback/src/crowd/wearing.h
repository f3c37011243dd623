// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a character wears, as a record holds it.

#include <optional>

#include "throng/character/character.h"

namespace throng::detail::playback {

// Nothing: what is usual.
void write_parts(PlayRecord& record, const Character& character, const std::optional<PartMask>& parts);
PartMask read_parts(const PlayRecord& record);

}  // namespace throng::detail::playback
