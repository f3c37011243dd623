// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a model looks like when it is a few pixels tall.

#include "throng/character/character.h"
#include "throng/shaders/shared/speck.h"

namespace throng::detail::character {

gpu::SpeckRecord speck_record(const CharacterDraft& model);

// That stored numbers are finite and not negative.
Result<void> check_speck(const gpu::SpeckRecord& speck);

}  // namespace throng::detail::character
