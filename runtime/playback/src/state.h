// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a record plays at a moment.

#include <span>

#include "playing.h"

namespace throng::detail::playback {

PlayState state_of(std::span<const ClipTiming> clips, const PlayRecord& play, const Plans* plans, Ticks now);

// gpu::cursor_at(gpu::phase_at()) in 64-bit arithmetic, for callers with very many. Written as choices; masks in
// their place were measured to be slower, also where branches cannot be predicted.
inline Cursor cursor_of(const ClipRecord& clip, const TrackRecord& track, Ticks now) {
  const std::int64_t elapsed = ticks_between(join(track.start), now);
  const bool clamps = track.wrap == gpu::kWrapClamp;
  const std::int64_t counted = clamps && elapsed < 0 ? 0 : elapsed;
  const Position position = Position{join(track.phase)} + Position{signed_of(join(track.rate))} * counted;
  const auto cycles = static_cast<std::int64_t>(position >> 64);
  std::uint64_t phase = static_cast<std::uint64_t>(position);
  const std::uint64_t folded = (phase << 1) ^ (std::uint64_t{0} - (phase >> 63));
  const std::uint64_t clamped = cycles < 0 ? 0 : cycles > 0 ? kEndPhase : phase;
  phase = clamps ? clamped : track.wrap == gpu::kWrapPingPong ? folded : phase;

  const bool loops = clip.loops != 0;
  const bool at_end = !loops && phase == kEndPhase;
  const std::uint32_t intervals = loops ? clip.frame_count : clip.frame_count - 1;
  const std::uint64_t scaled = (phase >> 32) * intervals;
  const std::uint32_t frame = at_end ? intervals : static_cast<std::uint32_t>(scaled >> 32);
  const std::uint32_t next = frame + 1 < clip.frame_count ? frame + 1 : loops ? 0 : frame;
  // Below 2^24, so that a signed conversion, the quicker one, is the same.
  const auto fraction = static_cast<std::int32_t>(at_end ? 0u : static_cast<std::uint32_t>(scaled) >> 8);
  return {clip.first_frame + frame, clip.first_frame + next, static_cast<float>(fraction) * 5.9604644775390625e-8f};
}

}  // namespace throng::detail::playback
