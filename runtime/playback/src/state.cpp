// SPDX-License-Identifier: Apache-2.0
#include "state.h"

namespace throng::detail::playback {
namespace {

TrackState state_of(const ClipTiming& clip, const TrackRecord& track, float weight, Ticks now) {
  const std::uint64_t phase = clip_phase_at(track, now);
  TrackState state;
  state.clip = ClipId(track.clip);
  state.cursor = cursor_of(clip.record, track, now);
  // The end is one step of 2^-64 away, which a double cannot tell from being there.
  state.phase = static_cast<double>(phase) / kCycleAsDouble;
  state.seconds = state.phase * clip.length;
  state.weight = weight;
  state.finished = finished(track, now);
  return state;
}

}  // namespace

PlayState state_of(std::span<const ClipTiming> clips, const PlayRecord& play, const Plans* plans, Ticks now) {
  const float weight = gpu::fade_weight(play, split(now));
  PlayState state;
  state.track = state_of(clips[play.track.clip], play.track, weight, now);
  if (play.fade_ticks != 0 && weight < 1.0f) {
    state.previous = state_of(clips[play.previous.clip], play.previous, 1.0f - weight, now);
  }
  state.paused = plans != nullptr && plans->paused;
  state.queued = plans != nullptr ? plans->queue.size() : 0;
  return state;
}

}  // namespace throng::detail::playback
