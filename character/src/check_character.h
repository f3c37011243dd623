#pragma once
// Every promise a Character makes to those who draw it. Writing checks them so that nothing unreadable is written;
// reading checks them because a hash proves that a file is whole, not that its writer was honest. Every check takes
// time in proportion to the file, whatever its numbers say.

#include "throng/character/character.h"

namespace throng {

Result<void> check_baked_model(const Character& model);

// Its parts, in the order they lean on one another: sizes and the skeleton, the clips, what the words of their frames
// say.
Result<void> check_atlas(const Character& model);
Result<void> check_clips(const Character& model);
Result<void> check_frames(const Character& model);

}  // namespace throng
