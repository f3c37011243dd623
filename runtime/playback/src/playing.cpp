// SPDX-License-Identifier: Apache-2.0
#include "playing.h"

#include <algorithm>
#include <cmath>
#include "throng/base/try.h"

namespace throng::detail::playback {
namespace {

constexpr double kLongestFade = 4095.0;  // seconds: what 32 bits of ticks hold

bool is_fading(const PlayRecord& record, Ticks now) { return record.fade_ticks != 0 && before(now, fade_end(record)); }

// Rates count in cycles, and a cycle of a ping-pong is two of the others.
std::uint64_t converted_rate(std::uint64_t rate, std::uint32_t from, std::uint32_t to) {
  const bool from_ping_pong = from == gpu::kWrapPingPong;
  const bool to_ping_pong = to == gpu::kWrapPingPong;
  if (from_ping_pong == to_ping_pong) return rate;
  return to_ping_pong ? static_cast<std::uint64_t>(signed_of(rate) / 2) : rate << 1;
}

std::uint64_t converted_phase(std::uint64_t phase, std::uint32_t from, std::uint32_t to) {
  if ((from == gpu::kWrapPingPong) == (to == gpu::kWrapPingPong)) return phase;
  return to == gpu::kWrapPingPong ? phase >> 1 : clip_phase(from, phase);
}

std::uint64_t added_phase(std::uint64_t phase, std::uint64_t offset, std::uint32_t wrap) {
  const std::uint64_t sum = phase + offset;
  return wrap == gpu::kWrapClamp && sum < phase ? kEndPhase : sum;
}

// The track begins where `other` is.
void put_in_step(TrackRecord& track, const TrackRecord& other, Ticks now) {
  const auto phase = static_cast<std::uint64_t>(position_at(other, now));
  track.phase = split(added_phase(converted_phase(phase, other.wrap, track.wrap), join(track.phase), track.wrap));
}

TrackRecord kept_in_step(const TrackRecord& track, const TrackRecord& leader, Ticks now) {
  return at_rate(track, converted_rate(join(leader.rate), leader.wrap, track.wrap), now);
}

// The track that fades out comes back from where it is.
TrackRecord returning_track(std::span<const ClipTiming> clips, const TrackRecord& track, const Play& play, Ticks now) {
  const std::uint32_t wrap = wrap_of(clips[play.clip.value], play.mode);
  const std::uint64_t rate = rate_of(clips[play.clip.value], wrap, play.speed);
  if (wrap == track.wrap) return at_rate(track, rate, now);
  const auto phase = static_cast<std::uint64_t>(position_at(track, now));
  return {track.clip, wrap, split(converted_phase(phase, track.wrap, wrap)), split(rate), split(now)};
}

void reverse_fade(std::span<const ClipTiming> clips, PlayRecord& record, const Play& play, Ticks now) {
  const TrackRecord returning = returning_track(clips, record.previous, play, now);
  record.previous = play.in_step ? kept_in_step(record.track, returning, now) : record.track;
  record.track = returning;
  // The new fade runs back from how far the old one had got.
  const double gone = static_cast<double>(std::max<std::int64_t>(ticks_between(join(record.fade_start), now), 0));
  const double share = 1.0 - gone / static_cast<double>(record.fade_ticks);
  record.fade_ticks = fade_ticks_of(play);
  record.fade_start = split(now - static_cast<Ticks>(std::llround(share * static_cast<double>(record.fade_ticks))));
}

void cross_fade(std::span<const ClipTiming> clips, PlayRecord& record, const Play& play, Ticks now) {
  if (is_fading(record, now) && gpu::fade_weight(record, split(now)) < 0.5f) record.track = record.previous;
  record.previous = record.track;
  record.track = make_track(clips[play.clip.value], play, now);
  if (play.in_step) {
    put_in_step(record.track, record.previous, now);
    record.previous = kept_in_step(record.previous, record.track, now);
  }
  record.fade_ticks = fade_ticks_of(play);
  record.fade_start = split(now);
}

}  // namespace

Result<void> check_speed(double speed) {
  if (std::isfinite(speed)) return {};
  return fail("the speed is {}; it must be a finite number", speed);
}

Result<void> check_seek(double seconds) {
  if (std::isfinite(seconds)) return {};
  return fail("the time to seek is {}; it must be a finite number", seconds);
}

Result<void> check_play(std::span<const ClipTiming> clips, const Play& play) {
  if (play.clip.value >= clips.size()) {
    return fail("clip {} does not exist; the model has {}, counted from 0", play.clip.value, clips.size());
  }
  if (play.clip.value >= gpu::kNoClip) {
    return fail("clip {} cannot be played: only the first {} can; bake fewer", play.clip.value, gpu::kNoClip);
  }
  THRONG_CHECK(check_speed(play.speed));
  if (!std::isfinite(play.offset)) return fail("the offset is {}; it must be a finite number", play.offset);
  if (play.fade >= 0.0 && play.fade <= kLongestFade) return {};
  return fail("the fade is {} s; it must be 0 to {} s", play.fade, kLongestFade);
}

std::uint32_t fade_ticks_of(const Play& play) {
  return play.fade > 0.0 ? std::max(1u, static_cast<std::uint32_t>(ticks_from_seconds(play.fade))) : 0;
}

void begin_play(std::span<const ClipTiming> clips, PlayRecord& record, const Play& play, Ticks now) {
  if (fade_ticks_of(play) == 0) {
    TrackRecord track = make_track(clips[play.clip.value], play, now);
    if (play.in_step) put_in_step(track, record.track, now);
    record.track = track;
    record.fade_ticks = 0;
  } else if (is_fading(record, now) && record.previous.clip == play.clip.value) {
    reverse_fade(clips, record, play, now);
  } else {
    cross_fade(clips, record, play, now);
  }
}

void change_speed(std::span<const ClipTiming> clips, PlayRecord& record, Plans& plans, double speed, Ticks now) {
  const std::uint64_t rate = rate_of(clips[record.track.clip], record.track.wrap, speed);
  const std::uint64_t old = plans.paused ? plans.rate : join(record.track.rate);
  const std::uint64_t old_previous = plans.paused ? plans.previous_rate : join(record.previous.rate);
  const bool in_step = record.fade_ticks != 0 && old != 0 &&
                       old_previous == converted_rate(old, record.track.wrap, record.previous.wrap);
  const std::uint64_t previous_rate =
      in_step ? converted_rate(rate, record.track.wrap, record.previous.wrap) : old_previous;
  if (plans.paused) {
    plans.rate = rate;
    plans.previous_rate = previous_rate;
    return;
  }
  record.track = at_rate(record.track, rate, now);
  if (in_step) record.previous = at_rate(record.previous, previous_rate, now);
}

void seek_to(std::span<const ClipTiming> clips, PlayRecord& record, double seconds, Ticks now) {
  record.track.phase = split(phase_of(clips[record.track.clip], record.track.wrap, seconds));
  record.track.start = split(now);
}

void pause_play(PlayRecord& record, Plans& plans, Ticks now) {
  if (plans.paused) return;
  plans.paused = true;
  plans.rate = join(record.track.rate);
  plans.previous_rate = join(record.previous.rate);
  record.track = at_rate(record.track, 0, now);
  if (record.fade_ticks != 0) record.previous = at_rate(record.previous, 0, now);
}

void resume_play(PlayRecord& record, Plans& plans, Ticks now) {
  if (!plans.paused) return;
  plans.paused = false;
  record.track = at_rate(record.track, plans.rate, now);
  if (record.fade_ticks != 0) record.previous = at_rate(record.previous, plans.previous_rate, now);
}

}  // namespace throng::detail::playback
