// SPDX-License-Identifier: Apache-2.0
#pragma once
// What time needs of a clip.

#include "throng/character/character.h"

namespace throng::detail::playback {

inline ClipRecord time_record(const BakedClip& clip) {
  ClipRecord record{};
  record.loops = clip.loops ? 1u : 0u;
  record.first_frame = clip.first_frame;
  record.frame_count = clip.frame_count;
  record.layer = clip.layer;
  return record;
}

}  // namespace throng::detail::playback
