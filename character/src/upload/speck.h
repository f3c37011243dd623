// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a model looks like when it is a few pixels tall.

#include "throng/character/character.h"
#include "throng/shaders/shared/speck.h"

namespace throng::detail::character {

struct Speck {
  gpu::SpeckRecord whole{};
  std::vector<gpu::SpeckSums> parts;  // what each adds to it; none where there are no parts
};

Speck speck_of_model(const CharacterDraft& model);

// Checks that stored numbers are finite and not negative, and that every part has them or none.
Result<void> check_speck(const Speck& speck, std::size_t parts);

}  // namespace throng::detail::character
