#pragma once
// Turns what an animator plays into poses.

#include <span>

#include "graph_data.h"
#include "throng/animator/animator.h"

namespace throng {

struct AnimatorPoser {
  explicit AnimatorPoser(Animator& of) : animator(of), graph(of.graph_->data()), rig(*of.graph_->rig()) {}

  void pose();
  // Keeps the layer's pose of this moment, to fade from.
  void freeze(std::uint32_t layer);

 private:
  struct Scratch;
  static Scratch& scratch();

  // The layer's pose, or difference; returns how much of it there is: states without motion leave the rest to the
  // layers below.
  float evaluate(std::uint32_t layer, std::span<SoaTransform> locals, std::span<float> morphs);
  void add_playing(std::uint32_t layer, const Animator::Playing& playing, float share, std::span<SoaTransform> locals,
                   std::span<float> morphs);
  void sample_leaf(std::uint32_t layer, const Animator::Playing& playing, const Leaf& leaf,
                   std::span<SoaTransform> locals, std::span<float> morphs);
  void go_over(std::uint32_t layer);

  Animator& animator;
  const GraphData& graph;
  const Rig& rig;
};

}  // namespace throng
