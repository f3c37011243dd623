// SPDX-License-Identifier: Apache-2.0
#pragma once
// The parts of a character that its instances may wear or not, and the groups of which they wear one.

#include "throng/bake/bake.h"

namespace throng::detail::bake {

// Those that the settings ask for, then those of the side file, then what is guessed; in the numbers of part_numbers().
// One that shares a part or its name with one before it gives way: what only it has is for the asking. `notes` are told
// where one of the side file does. Refused: a group that names no part, or one that another of its source names too.
Result<std::vector<PartGroup>> part_groups(const Model& model, const BakeSettings& settings,
                                           std::vector<std::string>& notes);

// Fills the draft's parts and groups, which its vertices name already, and says of its sockets which part they are on;
// where there is but one part, none. The draft's notes are told what the groups are. Refused: as part_groups().
Result<void> add_parts(const Model& model, const BakeSettings& settings, Executor& executor, CharacterDraft& draft);

}  // namespace throng::detail::bake
