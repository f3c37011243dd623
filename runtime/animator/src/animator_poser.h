// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns what an animator plays into poses.

#include <span>

#include "animator_logic.h"

namespace throng::detail::animator {

struct AnimatorPoser {
  explicit AnimatorPoser(AnimatorState& of);

  void pose();
  // Keeps the layer's pose of this moment, to fade from.
  void freeze(std::uint32_t layer);

 private:
  struct Scratch;

  // The layer's pose, or difference; returns how much of it there is: states without motion leave the rest to the
  // layers below.
  float evaluate(std::uint32_t layer, std::span<SoaTransform> locals, std::span<float> morphs);
  void add_playing(std::uint32_t layer, const PlayedState& playing, float share, std::span<SoaTransform> locals,
                   std::span<float> morphs);
  void sample_leaf(std::uint32_t layer, const PlayedState& playing, const Leaf& leaf, std::span<SoaTransform> locals,
                   std::span<float> morphs);
  void go_over(std::uint32_t layer);

  AnimatorLogic logic;
  AnimatorState& animator;
  const GraphData& graph;
  const Rig& rig;
  std::size_t groups;  // of four bones
  std::size_t morph_count;
  Scratch& room;
};

}  // namespace throng::detail::animator
