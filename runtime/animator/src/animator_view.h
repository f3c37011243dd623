// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an animator is playing, read only.

#include <cmath>
#include <span>

#include "animator_state.h"
#include "graph/leaf_time.h"

namespace throng::detail::animator {

struct AnimatorView {
  explicit AnimatorView(const AnimatorState& of) : animator(of), graph(data_of(*of.graph)) {}

  const PlayedLayer& run(std::uint32_t layer) const { return animator.layers[layer]; }
  const GroupClock& clock(std::uint32_t layer, const PlayedState& playing, std::uint32_t group) const {
    const GraphLayer& of = graph.layers[layer];
    return animator.clocks[of.clocks_base + playing.slot * of.clocks_size + group];
  }
  double share_of_next(std::uint32_t layer) const {
    const PlayedLayer& at = run(layer);
    return at.fading && at.fade_length > 0.0 ? std::min(1.0, at.faded / at.fade_length) : 0.0;
  }

  // Calls visit(clip) for every clip of the layer that has a weight.
  template <class Visit>
  void each_clip(std::uint32_t layer, const Visit& visit) const {
    const double next = share_of_next(layer);
    each_clip_of(layer, run(layer).current, 1.0 - next, visit);
    if (run(layer).fading) each_clip_of(layer, run(layer).next, next, visit);
  }

  const AnimatorState& animator;
  const GraphData& graph;

 private:
  template <class Visit>
  void each_clip_of(std::uint32_t layer, const PlayedState& playing, double share, const Visit& visit) const {
    const GraphLayer& of = graph.layers[layer];
    const std::uint32_t index = of.motions[playing.state];
    if (index == kNone || playing.frozen) return;
    const StateMotion& motion = graph.motions[index];
    const bool led = of.master != layer && !of.own_timing;
    for (std::size_t i = 0; i < motion.leaves.size(); ++i) {
      const Leaf& leaf = motion.leaves[i];
      const double weight =
          share * static_cast<double>(animator.weights[of.weights_base + playing.slot * of.weights_size + i]);
      if (weight <= 0.0) continue;
      const GroupClock& at = clock(layer, playing, leaf.group);
      const double loop = led && leaf.group == 0 ? clock(of.master, playing, 0).length : at.length;
      const double offset = graph.layers[of.master].states[playing.state].cycle_offset;
      visit(PlayingClip{.clip = leaf.clip,
                        .state = playing.state,
                        .seconds = leaf_time(leaf, offset, {at.loops, at.phase}).phase * leaf.length,
                        .speed = (leaf.reversed ? -playing.speed : playing.speed) * leaf.length / loop,
                        .weight = weight,
                        .loops = leaf.loops});
    }
  }
};

}  // namespace throng::detail::animator
