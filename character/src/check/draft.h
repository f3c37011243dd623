// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every promise a Character makes to those who draw it, asked once by build_character: for the bake so that nothing
// unreadable is written, for the file reader because a hash proves that a file is whole, not that its writer was
// honest. Every check takes time in proportion to the draft, whatever its numbers say.

#include "throng/character/character.h"

namespace throng::detail::character {

Result<void> check_draft(const CharacterDraft& model);

// Its parts, in the order they lean on one another: sizes and the skeleton, the clips, what the words of their frames
// say.
Result<void> check_encodings(const CharacterDraft& model);
Result<void> check_atlas(const CharacterDraft& model);
Result<void> check_clips(const CharacterDraft& model);
Result<void> check_frames(const CharacterDraft& model);
Result<void> check_parts(const CharacterDraft& model);
Result<void> check_morphs(const CharacterDraft& model);
// Checks that motion and near meshes, each checked when it was built, belong to this character.
Result<void> check_near(const CharacterDraft& model);
// Of events, slots and words of localv those that near characters, who were looked at before, do not have too.
Result<void> check_far_only(const CharacterDraft& model);

}  // namespace throng::detail::character
