// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of a character that its instances may wear or not, and the groups of which they wear one.

#include "throng/bake/bake.h"

namespace throng::detail::bake {

// Those that the settings ask for, and what is guessed of the parts that they leave; in the numbers of part_numbers().
// Refused: a group that names no part, or one that another names too.
Result<std::vector<PartGroup>> part_groups(const Model& model, const BakeSettings& settings);

// Fills the draft's parts and groups, which its vertices name already, and says of its sockets which part they are on;
// where there is but one part, none. `notes` are
// told what was guessed. Refused: a group of the settings that names no part, or one that another names too.
Result<void> add_parts(const Model& model, const BakeSettings& settings, Executor& executor, CharacterDraft& draft);

}  // namespace throng::detail::bake
