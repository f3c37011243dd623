#include "ground.h"

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

// A turn by `yaw` about +Y.
glm::dvec3 turned(const glm::dvec3& v, double yaw) {
  const double c = std::cos(yaw);
  const double s = std::sin(yaw);
  return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

RootSample mixed(const RootSample& from, const RootSample& to, double blend) {
  return {glm::mix(from.translation, to.translation, blend), from.yaw + blend * (to.yaw - from.yaw)};
}

RootSample sample_at(const std::vector<RootSample>& samples, std::uint64_t phase) {
  const std::size_t intervals = samples.size() - 1;
  const double x = static_cast<double>(phase) / kTurnAsDouble * static_cast<double>(intervals);
  const auto frame = std::min(static_cast<std::size_t>(x), intervals - 1);
  return mixed(samples[frame], samples[frame + 1], x - static_cast<double>(frame));
}

RootSample way_of(const BakedClip& clip, const TrackRecord& track, Ticks from, Ticks to) {
  return joined(way_back(ground_at(clip, track, from)), ground_at(clip, track, to));
}

// One step of a cross-fade, from its beginning at `begin` on: the weight is the one of its middle.
class FadeStep {
 public:
  FadeStep(std::span<const BakedClip> clips, const PlayRecord& play, std::int64_t number)
      : clips_(clips), play_(play), begin_(tick_of(number)), end_(tick_of(number + 1)) {
    weight_ = static_cast<double>(gpu::fade_weight(play, split(begin_ + (end_ - begin_) / 2)));
  }

  Ticks end() const { return end_; }

  RootSample way(Ticks from, Ticks to) const { return joined(way_back(way_to(from)), way_to(to)); }

 private:
  Ticks tick_of(std::int64_t number) const {
    return join(play_.fade_start) + static_cast<Ticks>(number) * play_.fade_ticks / static_cast<Ticks>(kFadeSteps);
  }
  RootSample way_to(Ticks now) const {
    return mixed(way_of(clips_[play_.previous.clip], play_.previous, begin_, now),
                 way_of(clips_[play_.track.clip], play_.track, begin_, now), weight_);
  }

  std::span<const BakedClip> clips_;
  const PlayRecord& play_;
  Ticks begin_;
  Ticks end_;
  double weight_ = 1.0;
};

}  // namespace

RootSample joined(const RootSample& first, const RootSample& then) {
  return {first.translation + turned(then.translation, first.yaw), first.yaw + then.yaw};
}

RootSample way_back(const RootSample& way) { return {-turned(way.translation, -way.yaw), -way.yaw}; }

RootSample repeated(const RootSample& way, std::int64_t times) {
  RootSample square = times < 0 ? way_back(way) : way;
  RootSample out;
  for (auto left = static_cast<std::uint64_t>(times < 0 ? -times : times); left != 0; left >>= 1) {
    if ((left & 1) != 0) out = joined(out, square);
    square = joined(square, square);
  }
  return out;
}

RootSample ground_at(const BakedClip& clip, const TrackRecord& track, Ticks now) {
  if (clip.root_motion.size() < 2) return {};
  const Position position = position_at(track, now);
  const auto phase = static_cast<std::uint64_t>(position);
  const RootSample here = sample_at(clip.root_motion, clip_phase(track.wrap, phase));
  if (track.wrap != gpu::kWrapLoop) return here;
  return joined(repeated(clip.root_motion.back(), static_cast<std::int64_t>(position >> 64)), here);
}

RootSample way_between(std::span<const BakedClip> clips, const PlayRecord& play, Ticks from, Ticks to) {
  if (!before(from, to)) return {};
  RootSample way;
  Ticks now = from;
  if (play.fade_ticks != 0 && before(now, fade_end(play))) {
    const std::int64_t gone = std::max<std::int64_t>(ticks_between(join(play.fade_start), now), 0);
    for (std::int64_t step = gone * kFadeSteps / play.fade_ticks; step < kFadeSteps && before(now, to); ++step) {
      const FadeStep part(clips, play, step);
      const Ticks until = before(part.end(), to) ? part.end() : to;
      if (!before(now, until)) continue;
      way = joined(way, part.way(now, until));
      now = until;
    }
  }
  if (before(now, to)) way = joined(way, way_of(clips[play.track.clip], play.track, now, to));
  return way;
}

}  // namespace throng
