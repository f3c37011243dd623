// SPDX-License-Identifier: Apache-2.0
#include "root_motion.h"

#include <algorithm>
#include <cmath>

namespace throng::detail::playback {
namespace {

GroundMotion motion_between(const BakedClip& clip, const TrackRecord& track, Ticks from, Ticks to) {
  return between(ground_at(clip, track, from), ground_at(clip, track, to));
}

// One step of a cross-fade, from its beginning at `begin` on: the weight is the one of its middle.
class FadeStep {
 public:
  FadeStep(std::span<const BakedClip> clips, const PlayRecord& play, std::int64_t number)
      : clips_(clips), play_(play), begin_(tick_of(number)), end_(tick_of(number + 1)) {
    weight_ = static_cast<double>(gpu::fade_weight(play, split(begin_ + (end_ - begin_) / 2)));
  }

  Ticks end() const { return end_; }

  GroundMotion motion(Ticks from, Ticks to) const { return between(motion_to(from), motion_to(to)); }

 private:
  Ticks tick_of(std::int64_t number) const {
    return join(play_.fade_start) + static_cast<Ticks>(number) * play_.fade_ticks / static_cast<Ticks>(kFadeSteps);
  }
  GroundMotion motion_to(Ticks now) const {
    return interpolate(motion_between(clips_[play_.previous.clip], play_.previous, begin_, now),
                       motion_between(clips_[play_.track.clip], play_.track, begin_, now), weight_);
  }

  std::span<const BakedClip> clips_;
  const PlayRecord& play_;
  Ticks begin_;
  Ticks end_;
  double weight_ = 1.0;
};

}  // namespace

GroundMotion ground_at(const BakedClip& clip, const TrackRecord& track, Ticks now) {
  if (clip.root_motion.size() < 2) return {};
  const Position position = position_at(track, now);
  const auto phase = static_cast<std::uint64_t>(position);
  const GroundMotion here =
      place_along(clip.root_motion, static_cast<double>(clip_phase(track.wrap, phase)) / kCycleAsDouble);
  if (track.wrap != gpu::kWrapLoop) return here;
  return compose(repeat(clip.root_motion.back(), static_cast<std::int64_t>(position >> 64)), here);
}

GroundMotion motion_between(std::span<const BakedClip> clips, const PlayRecord& play, Ticks from, Ticks to) {
  if (!before(from, to)) return {};
  GroundMotion motion;
  Ticks now = from;
  if (play.fade_ticks != 0 && before(now, fade_end(play))) {
    const std::int64_t gone = std::max<std::int64_t>(ticks_between(join(play.fade_start), now), 0);
    for (std::int64_t step = gone * kFadeSteps / play.fade_ticks; step < kFadeSteps && before(now, to); ++step) {
      const FadeStep part(clips, play, step);
      const Ticks until = before(part.end(), to) ? part.end() : to;
      if (!before(now, until)) continue;
      motion = compose(motion, part.motion(now, until));
      now = until;
    }
  }
  if (before(now, to)) motion = compose(motion, motion_between(clips[play.track.clip], play.track, now, to));
  return motion;
}

}  // namespace throng::detail::playback
