// SPDX-License-Identifier: Apache-2.0
#pragma once
// One clip being played: the arithmetic of TrackRecord, in 64- and 128-bit integers. It finds what timing.h finds, bit
// for bit, and what shaders do not need: ends, and when they are reached.

#include <cmath>
#include <optional>

#include "phase.h"
#include "throng/playback/play.h"
#include "throng/playback/timing.h"

namespace throng::detail::playback {

std::uint32_t wrap_of(const ClipTiming& clip, PlayMode mode);

// Cycles a tick, in 2^-64, at `speed` times the clip's own. A cycle of a ping-pong leads there and back.
std::uint64_t rate_of(const ClipTiming& clip, std::uint32_t wrap, double speed);

// The phase `seconds` into the clip; beyond its ends it wraps, turns back or stops, as the clip is played.
std::uint64_t phase_of(const ClipTiming& clip, std::uint32_t wrap, double seconds);

TrackRecord make_track(const ClipTiming& clip, const Play& play, Ticks now);

// Where the track is, counted on from its phase at the start; past a clamp's ends it is at them.
inline Position position_at(const TrackRecord& track, Ticks now) {
  const std::int64_t elapsed = ticks_between(join(track.start), now);
  const Position phase = join(track.phase);
  const Position moved = phase + Position{signed_of(join(track.rate))} * elapsed;
  if (track.wrap != gpu::kWrapClamp) return moved;
  if (elapsed < 0) return phase;
  return moved < 0 ? Position{0} : moved > Position{kEndPhase} ? Position{kEndPhase} : moved;
}

// A phase of the track as the phase of its clip.
constexpr std::uint64_t clip_phase(std::uint32_t wrap, std::uint64_t phase) {
  if (wrap != gpu::kWrapPingPong) return phase;
  return (phase >> 63) != 0 ? ~(phase << 1) : phase << 1;
}

inline std::uint64_t clip_phase_at(const TrackRecord& track, Ticks now) {
  return clip_phase(track.wrap, static_cast<std::uint64_t>(position_at(track, now)));
}

// The first tick at which the track has reached `target`; nothing when it stands still, goes the other way, or takes
// longer than can be told.
std::optional<Ticks> tick_reaching(const TrackRecord& track, Position target);

// Where the cycle ends that the track is in at `now`: the next wrap, or the end that a clamp goes to.
std::optional<Position> end_of_cycle(const TrackRecord& track, Ticks now);

// Whether the track is at the end it was going to.
bool finished(const TrackRecord& track, Ticks now);

// The same movement told from `now` on, at another rate, without a jump. What happens at `now` has happened already:
// the new track starts a tick before, unless it has only just begun.
TrackRecord at_rate(const TrackRecord& track, std::uint64_t rate, Ticks now);

}  // namespace throng::detail::playback
