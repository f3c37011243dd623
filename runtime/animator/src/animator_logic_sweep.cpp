// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "animator_logic.h"

namespace throng::detail::animator {
namespace {

bool is_met_forwards(double k, double u, const LoopTime& from, const LoopTime& to, bool fresh) {
  const bool after = k > from.loops || u > from.phase || (fresh && u == from.phase);
  return after && (k < to.loops || u <= to.phase);
}

// An event at a loop's end is where the next loop begins: the loop that is left by it, backwards, is the one it belongs
// to.
bool is_met_backwards(double k, double u, const LoopTime& from, const LoopTime& to, bool fresh) {
  const bool at_or_after_to =
      k > to.loops || (k == to.loops && u >= to.phase) || (k == to.loops - 1.0 && u == 1.0 && to.phase == 0.0);
  if (!at_or_after_to) return false;
  if (k == from.loops) return u < from.phase || (fresh && u == from.phase && from.phase > 0.0);
  return k < from.loops - 1.0 || u < 1.0 || from.phase > 0.0 || fresh;
}

}  // namespace

// One state's share of an interval of an update.
struct AnimatorLogic::Sweep {
  std::uint32_t layer = 0;
  std::uint32_t state = 0;
  double seconds = 0.0;
  double from_share = 1.0;
  double to_share = 1.0;
  double speed = 0.0;
  bool fresh = false;
  bool wants_root_motion = false;
  bool wants_events = false;
  double cycle_offset = 0.0;
};

// `start`: where it began, not clamped; `rate`: loops a second.
void AnimatorLogic::tell_events(const Sweep& sweep, const Leaf& leaf, float weight, const LoopTime& from,
                                const LoopTime& to, double start, double rate) {
  const std::vector<ClipEvent>& events = animator.graph->rig()->clips()[leaf.clip.value].events;
  const bool forwards = to.loops > from.loops || (to.loops == from.loops && to.phase >= from.phase);
  const bool backwards = !forwards || (rate < 0.0 && to.loops == from.loops && to.phase == from.phase);
  const double most = std::max(1.0, std::floor(Animator::kMaxStepEvents / static_cast<double>(events.size())));
  const double first = backwards ? (leaf.loops ? to.loops - 1.0 : 0.0) : std::max(from.loops, to.loops - most);
  const double last = backwards ? from.loops : to.loops;
  // Counted in whole numbers: beyond 2^53 loops, k + 1 is k.
  const auto count = static_cast<std::int64_t>(std::min(last - first, most)) + 1;
  const double layer_weight = static_cast<double>(run(sweep.layer).weight);
  for (std::int64_t loop = 0; loop < count; ++loop) {
    const double k = first + static_cast<double>(backwards ? count - 1 - loop : loop);
    for (std::uint32_t n = 0; n < events.size(); ++n) {
      const std::uint32_t i = backwards ? static_cast<std::uint32_t>(events.size()) - 1 - n : n;
      const double u = leaf.length > 0.0 ? std::clamp(events[i].time / leaf.length, 0.0, 1.0) : 0.0;
      if (!(backwards ? is_met_backwards(k, u, from, to, sweep.fresh) : is_met_forwards(k, u, from, to, sweep.fresh)))
        continue;
      const double after = rate == 0.0 ? 0.0 : std::clamp((k + u - start) / rate, 0.0, sweep.seconds);
      const double share =
          sweep.seconds > 0.0 ? glm::mix(sweep.from_share, sweep.to_share, after / sweep.seconds) : sweep.to_share;
      const auto told = static_cast<float>(share * static_cast<double>(weight) * layer_weight);
      if (told < animator.settings.minimum_event_weight) continue;
      animator.signals.push_back({SignalKind::event, sweep.layer, sweep.state, leaf.clip, i, told, now + after});
    }
  }
}

// Tells the events of one clip between two times and returns its root motion, unweighted.
GroundMotion AnimatorLogic::sweep_leaf(const Sweep& sweep, const Leaf& leaf, float weight, const GroupClock& from,
                                       const GroupClock& to) {
  const LoopTime before = leaf_time(leaf, sweep.cycle_offset, {from.loops, from.phase});
  const LoopTime after = leaf_time(leaf, sweep.cycle_offset, {to.loops, to.phase});
  if (sweep.wants_events && !animator.graph->rig()->clips()[leaf.clip.value].events.empty()) {
    const double mirrored_start = leaf.reversed ? 1.0 - (from.loops + from.phase) : from.loops + from.phase;
    const double start = leaf.loops ? before.total() : mirrored_start;
    tell_events(sweep, leaf, weight, before, after, start, (leaf.reversed ? -sweep.speed : sweep.speed) / from.length);
  }
  const RootTrack& track = graph.root_tracks[leaf.clip.value];
  if (!sweep.wants_root_motion || track.empty()) return {};
  return motion_between(track, before.phase, after.phase, after.loops - before.loops);
}

LoopTime AnimatorLogic::clock_after(const Sweep& sweep, const PlayedState& playing, std::uint32_t group,
                                    const double* moved_to) const {
  const GraphLayer& of = graph.layers[sweep.layer];
  if (group == 0 && of.master != sweep.layer && !of.own_timing) {
    const GroupClock& master = clocks(of.master, playing)[0];
    return {master.loops, master.phase};
  }
  if (moved_to != nullptr) return carried(0.0, *moved_to);
  const GroupClock& from = clocks(sweep.layer, playing)[group];
  return carried(from.loops, from.phase + playing.speed * sweep.seconds / from.length);
}

// Returns its share of the root motion.
GroundMotion AnimatorLogic::sweep_playing(const Sweep& interval, PlayedState& playing, const double* moved_to) {
  const StateMotion* motion = motion_of(interval.layer, playing);
  const std::span<GroupClock> own = clocks(interval.layer, playing);
  const std::uint32_t groups = motion == nullptr ? 1 : motion->groups;
  const bool tells = motion != nullptr && interval.wants_events && motion->has_events;
  if (motion == nullptr || (!tells && !interval.wants_root_motion)) {
    for (std::uint32_t group = 0; group < groups; ++group) {
      const LoopTime to = clock_after(interval, playing, group, moved_to);
      own[group].loops = to.loops;
      own[group].phase = to.phase;
    }
    playing.fresh = false;
    return {};
  }
  Sweep sweep = interval;
  sweep.state = playing.state;
  sweep.speed = playing.speed;
  sweep.fresh = playing.fresh;
  sweep.cycle_offset = state_of(sweep.layer, playing).cycle_offset;
  playing.fresh = false;
  const GraphLayer& of = graph.layers[sweep.layer];
  const std::span<const float> shares = weights(sweep.layer, playing);
  GroundMotion motion_sum;
  for (std::uint32_t group = 0; group < groups; ++group) {
    GroupClock from = own[group];
    // A layer that follows another goes at that one's pace.
    if (group == 0 && of.master != sweep.layer && !of.own_timing) from.length = clocks(of.master, playing)[0].length;
    const LoopTime to = clock_after(sweep, playing, group, moved_to);
    own[group].loops = to.loops;
    own[group].phase = to.phase;
    for (std::size_t i = 0; i < motion->leaves.size(); ++i) {
      const Leaf& leaf = motion->leaves[i];
      if (leaf.group != group || shares[i] <= 0.0f) continue;
      const GroundMotion step = sweep_leaf(sweep, leaf, shares[i], from, own[group]);
      motion_sum.translation += static_cast<double>(shares[i]) * step.translation;
      motion_sum.yaw += static_cast<double>(shares[i]) * step.yaw;
    }
  }
  const double share = 0.5 * (sweep.from_share + sweep.to_share);
  return {share * motion_sum.translation, share * motion_sum.yaw};
}

void AnimatorLogic::add_root_motion(std::uint32_t layer, const GroundMotion& motion) const {
  PlayedLayer& at = run(layer);
  at.root_motion = compose(at.root_motion, motion);
}

void AnimatorLogic::sweep(std::uint32_t layer, double seconds) {
  each_follower(layer, [&](std::uint32_t each) {
    PlayedLayer& at = run(each);
    const GraphLayer& of = graph.layers[each];
    const bool wants_root_motion =
        animator.settings.root_motion == RootMotionMode::extracted && of.kind == LayerKind::override;
    const double before = share_of_next(each);
    if (at.fading) at.faded += seconds;
    const double after = share_of_next(each);
    if (wants_root_motion) {
      at.passed += seconds;
      at.present += seconds * presence(each, 0.5 * (before + after));
    }
    Sweep interval{.layer = each,
                   .seconds = seconds,
                   .from_share = 1.0 - before,
                   .to_share = 1.0 - after,
                   .wants_root_motion = wants_root_motion,
                   .wants_events = at.weight > 0.0f};
    GroundMotion motion;
    if (!at.current.frozen) {
      motion = sweep_playing(interval, at.current, nullptr);
    } else if (wants_root_motion) {
      const double passed = seconds * (1.0 - 0.5 * (before + after));
      motion = {passed * at.frozen.velocity.translation, passed * at.frozen.velocity.yaw};
    }
    interval.from_share = before;
    interval.to_share = after;
    if (at.fading) {
      const GroundMotion other = sweep_playing(interval, at.next, nullptr);
      motion = {motion.translation + other.translation, motion.yaw + other.yaw};
    }
    if (wants_root_motion) add_root_motion(each, motion);
  });
  now += seconds;
}

// A time that is a parameter is moved at the update's start, and what lies between is met then.
void AnimatorLogic::follow_time_parameter(std::uint32_t layer) {
  each_follower(layer, [&](std::uint32_t each) {
    PlayedLayer& at = run(each);
    const double share = share_of_next(each);
    const auto move = [&](PlayedState& playing, double weight) {
      const std::uint32_t parameter = state_of(each, playing).time_parameter;
      if (parameter == kNone || playing.frozen) return;
      const double time = animator.parameters[parameter];
      const GroupClock& clock = clocks(each, playing)[0];
      if (!playing.fresh && carried(0.0, time).total() == clock.loops + clock.phase) return;
      const bool wants_root_motion =
          animator.settings.root_motion == RootMotionMode::extracted && graph.layers[each].kind == LayerKind::override;
      const GroundMotion motion = sweep_playing({.layer = each,
                                                 .from_share = weight,
                                                 .to_share = weight,
                                                 .wants_root_motion = wants_root_motion,
                                                 .wants_events = at.weight > 0.0f},
                                                playing, &time);
      add_root_motion(each, motion);
    };
    move(at.current, 1.0 - share);
    if (at.fading) move(at.next, share);
  });
}

// How fast root motion is at this moment: over the next image's time, as if the layer went on.
void AnimatorLogic::measure_velocity(std::uint32_t layer) {
  constexpr double kImage = 1.0 / 60.0;
  PlayedLayer& at = run(layer);
  const double next = share_of_next(layer);
  GroundMotion sum;
  if (at.current.frozen) sum = {(1.0 - next) * at.frozen.velocity.translation, (1.0 - next) * at.frozen.velocity.yaw};
  const auto add = [&](const PlayedState& playing, double share) {
    const StateMotion* motion = motion_of(layer, playing);
    if (motion == nullptr || playing.frozen) return;
    for (std::size_t i = 0; i < motion->leaves.size(); ++i) {
      const Leaf& leaf = motion->leaves[i];
      const RootTrack& track = graph.root_tracks[leaf.clip.value];
      if (track.empty()) continue;
      const GroupClock& clock = clocks(layer, playing)[leaf.group];
      const double offset = state_of(layer, playing).cycle_offset;
      const LoopTime from = leaf_time(leaf, offset, {clock.loops, clock.phase});
      const LoopTime to =
          leaf_time(leaf, offset, carried(clock.loops, clock.phase + playing.speed * kImage / clock.length));
      const GroundMotion step = motion_between(track, from.phase, to.phase, to.loops - from.loops);
      const double weight = share * static_cast<double>(weights(layer, playing)[i]) / kImage;
      sum = {sum.translation + weight * step.translation, sum.yaw + weight * step.yaw};
    }
  };
  add(at.current, 1.0 - next);
  if (at.fading) add(at.next, next);
  at.frozen.velocity = sum;
}

}  // namespace throng::detail::animator
