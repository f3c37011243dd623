// SPDX-License-Identifier: Apache-2.0
#pragma once
// What near characters play of the words that far ones play.

#include "throng/character/character.h"

namespace throng {

// How clips in localv move the bones of a motion: those that are links of the character's chains as the slots of their
// links say, and those that stand still in all of them (MotionBone::still) so. Nothing where no clip is in localv.
// Refused: a link that is no bone, or one that another link is. The words are the character's own.
Result<MotionChannels> motion_channels(const CharacterDraft& model, std::span<const MotionBone> bones);

// Where a clip of the character lies among its words; nothing: it is in another encoding.
std::optional<MotionFrames> motion_frames(const BakedClip& clip);

// Whether the two read the same words in the same way.
bool are_same(const MotionChannels& a, const MotionChannels& b);

}  // namespace throng
