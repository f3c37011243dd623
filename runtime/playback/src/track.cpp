// SPDX-License-Identifier: Apache-2.0
#include "track.h"

#include <algorithm>

namespace throng::detail::playback {
namespace {

bool backwards(const TrackRecord& track) { return signed_of(join(track.rate)) < 0; }

Position floor_to_cycle(Position position) { return (position >> 64) * kCycle; }

}  // namespace

std::uint32_t wrap_of(const ClipTiming& clip, PlayMode mode) {
  switch (mode) {
    case PlayMode::clamp:
      return gpu::kWrapClamp;
    case PlayMode::loop:
      return gpu::kWrapLoop;
    case PlayMode::ping_pong:
      return gpu::kWrapPingPong;
    case PlayMode::as_baked:
      break;
  }
  return clip.record.loops != 0 ? gpu::kWrapLoop : gpu::kWrapClamp;
}

std::uint64_t rate_of(const ClipTiming& clip, std::uint32_t wrap, double speed) {
  if (!(clip.length > 0.0)) return 0;
  const double cycle = clip.length * (wrap == gpu::kWrapPingPong ? 2.0 : 1.0);
  // Half a cycle a tick is far beyond anything that can be seen, and still fits a signed 64-bit number.
  const double cycles = std::clamp(speed / (cycle * static_cast<double>(kTicksPerSecond)), -0.49, 0.49);
  return static_cast<std::uint64_t>(std::llround(cycles * kCycleAsDouble));
}

std::uint64_t phase_of(const ClipTiming& clip, std::uint32_t wrap, double seconds) {
  if (!(clip.length > 0.0)) return 0;
  double fraction = seconds / (clip.length * (wrap == gpu::kWrapPingPong ? 2.0 : 1.0));
  if (wrap != gpu::kWrapClamp) fraction -= std::floor(fraction);
  const double scaled = fraction * kCycleAsDouble;
  if (scaled >= kCycleAsDouble) return wrap == gpu::kWrapClamp ? kEndPhase : 0;
  return scaled > 0.0 ? static_cast<std::uint64_t>(scaled) : 0;
}

TrackRecord make_track(const ClipTiming& clip, const Play& play, Ticks now) {
  const std::uint32_t wrap = wrap_of(clip, play.mode);
  return {play.clip.value, wrap, split(phase_of(clip, wrap, play.offset)), split(rate_of(clip, wrap, play.speed)),
          split(now)};
}

std::optional<Ticks> tick_reaching(const TrackRecord& track, Position target) {
  const Position rate = signed_of(join(track.rate));
  const Position way = target - Position{join(track.phase)};
  if (way == 0) return join(track.start);
  if (rate == 0 || (way > 0) != (rate > 0)) return std::nullopt;
  const Position length = way > 0 ? way : -way;
  const Position speed = rate > 0 ? rate : -rate;
  const Position ticks = (length + speed - 1) / speed;
  if (ticks > Position{std::numeric_limits<std::int64_t>::max() / 2}) return std::nullopt;
  return join(track.start) + static_cast<Ticks>(ticks);
}

std::optional<Position> end_of_cycle(const TrackRecord& track, Ticks now) {
  if (join(track.rate) == 0) return std::nullopt;
  if (track.wrap == gpu::kWrapClamp) return backwards(track) ? Position{0} : Position{kEndPhase};
  const Position position = position_at(track, now);
  return backwards(track) ? floor_to_cycle(position - 1) : floor_to_cycle(position) + kCycle;
}

bool finished(const TrackRecord& track, Ticks now) {
  if (track.wrap != gpu::kWrapClamp || join(track.rate) == 0) return false;
  return position_at(track, now) == (backwards(track) ? Position{0} : Position{kEndPhase});
}

TrackRecord at_rate(const TrackRecord& track, std::uint64_t rate, Ticks now) {
  TrackRecord out = track;
  out.rate = split(rate);
  if (!before(join(track.start), now)) return out;
  Position phase = position_at(track, now) - Position{signed_of(rate)};
  if (track.wrap == gpu::kWrapClamp) phase = std::clamp(phase, Position{0}, Position{kEndPhase});
  out.phase = split(static_cast<std::uint64_t>(phase));
  out.start = split(now - 1);
  return out;
}

}  // namespace throng::detail::playback
