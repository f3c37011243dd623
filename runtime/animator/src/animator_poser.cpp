// SPDX-License-Identifier: Apache-2.0
#include "animator_poser.h"

#include <algorithm>

#include "animator_logic.h"

namespace throng::detail::animator {
namespace {
// A clip of less weight moves nothing by as much as a float can tell.
constexpr float kNothing = 1e-6f;
}  // namespace

// Room for the poses that are blended, kept by each thread for the next animator: thousands of characters share one
// warm buffer instead of each having one that is cold.
struct AnimatorPoser::Scratch {
  std::vector<SoaTransform> locals;
  std::vector<float> morphs;
  std::vector<SoaTransform> layer_locals;
  std::vector<float> layer_morphs;
  std::vector<BlendInput> inputs;
  std::size_t used = 0;

  void make_room(const Rig& of, std::size_t poses) {
    if (locals.size() < poses * of.group_count()) locals.resize(poses * of.group_count());
    if (morphs.size() < poses * of.morph_count()) morphs.resize(poses * of.morph_count());
    inputs.clear();
    used = 0;
  }
  void make_layer(const Rig& of) {
    layer_locals.resize(of.group_count());
    layer_morphs.resize(of.morph_count());
  }
};

AnimatorPoser::Scratch& AnimatorPoser::scratch() {
  thread_local Scratch kept;
  return kept;
}

void AnimatorPoser::sample_leaf(std::uint32_t layer, const PlayedState& playing, const Leaf& leaf,
                                std::span<SoaTransform> locals, std::span<float> morphs) {
  const GraphLayer& of = graph.layers[layer];
  const AnimatorLogic logic(animator);
  const GroupClock& clock = logic.clocks(layer, playing)[leaf.group];
  const LoopTime at = leaf_time(leaf, logic.state_of(layer, playing).cycle_offset, {clock.loops, clock.phase});
  const double seconds = at.phase * leaf.length;
  const std::size_t first = of.cursors_base + playing.slot * of.cursors_size + leaf.cursors;
  SampleJob{.rig = rig,
            .clip = leaf.clip,
            .time = static_cast<float>(seconds),
            .cursors = std::span(animator.cursors).subspan(first, rig.clips()[leaf.clip.value].cursor_count),
            .locals = locals,
            .morphs = morphs}
      .run();
  if (animator.settings.root_motion == RootMotionMode::extracted) {
    take_out_root_motion(graph.root_frame, graph.root_tracks[leaf.clip.value], seconds, locals);
  }
  if (of.kind != LayerKind::additive) return;
  const ReferencePose& reference = of.references[leaf.reference];
  DifferenceJob{.rig = rig,
                .reference = reference.locals,
                .pose = locals,
                .reference_morphs = reference.morphs,
                .pose_morphs = morphs,
                .locals = locals,
                .morphs = morphs}
      .run();
}

void AnimatorPoser::add_playing(std::uint32_t layer, const PlayedState& playing, float share,
                                std::span<SoaTransform> locals, std::span<float> morphs) {
  Scratch& room = scratch();
  if (share <= kNothing) return;
  if (playing.frozen) {
    const FrozenPose& frozen = animator.layers[layer].frozen;
    if (frozen.presence > 0.0f) room.inputs.push_back({frozen.locals, frozen.morphs, share * frozen.presence, {}});
    return;
  }
  const AnimatorLogic logic(animator);
  const StateMotion* motion = logic.motion_of(layer, playing);
  if (motion == nullptr) {
    if (layer == 0) room.inputs.push_back({rig.rest(), rig.rest_morphs(), share, {}});
    return;
  }
  const std::span<const float> weights = logic.weights(layer, playing);
  for (std::size_t i = 0; i < motion->leaves.size(); ++i) {
    const float weight = share * weights[i];
    if (weight <= kNothing) continue;
    // The first goes where the result goes: alone, it is the result.
    const std::size_t at = room.used++;
    const auto to =
        room.inputs.empty() ? locals : std::span(room.locals).subspan(at * rig.group_count(), rig.group_count());
    const auto to_morphs =
        room.inputs.empty() ? morphs : std::span(room.morphs).subspan(at * rig.morph_count(), rig.morph_count());
    sample_leaf(layer, playing, motion->leaves[i], to, to_morphs);
    room.inputs.push_back({to, to_morphs, weight, {}});
  }
}

float AnimatorPoser::evaluate(std::uint32_t layer, std::span<SoaTransform> locals, std::span<float> morphs) {
  const PlayedLayer& at = animator.layers[layer];
  Scratch& room = scratch();
  room.make_room(rig, 2 * graph.layers[layer].weights_size);
  if (animator.cursors.size() != graph.cursors) animator.cursors.resize(graph.cursors);
  const auto next = static_cast<float>(AnimatorLogic(animator).share_of_next(layer));
  add_playing(layer, at.current, 1.0f - next, locals, morphs);
  if (at.fading) add_playing(layer, at.next, next, locals, morphs);
  float presence = 0.0f;
  for (const BlendInput& input : room.inputs) presence += input.weight;
  if (room.inputs.empty()) return 0.0f;
  if (room.inputs.size() > 1) {
    BlendJob{.rig = rig, .inputs = room.inputs, .locals = locals, .morphs = morphs}.run();
  } else if (room.inputs[0].locals.data() != locals.data()) {
    std::copy(room.inputs[0].locals.begin(), room.inputs[0].locals.end(), locals.begin());
    std::copy(room.inputs[0].morphs.begin(), room.inputs[0].morphs.end(), morphs.begin());
  }
  return std::min(1.0f, presence);
}

void AnimatorPoser::freeze(std::uint32_t layer) {
  Scratch& room = scratch();
  room.make_layer(rig);
  FrozenPose& frozen = animator.layers[layer].frozen;
  frozen.presence = evaluate(layer, room.layer_locals, room.layer_morphs);
  frozen.locals.assign(room.layer_locals.begin(), room.layer_locals.end());
  frozen.morphs.assign(room.layer_morphs.begin(), room.layer_morphs.end());
}

void AnimatorPoser::go_over(std::uint32_t layer) {
  Scratch& room = scratch();
  room.make_layer(rig);
  const float weight = animator.layers[layer].weight;
  if (weight <= 0.0f) return;
  const float presence = evaluate(layer, room.layer_locals, room.layer_morphs);
  if (presence <= 0.0f) return;
  const BoneMask mask = graph.layers[layer].mask;
  if (graph.layers[layer].kind == LayerKind::additive) {
    AddJob{.rig = rig,
           .under = animator.locals,
           .difference = room.layer_locals,
           .under_morphs = animator.morphs,
           .difference_morphs = room.layer_morphs,
           .weight = weight * presence,
           .mask = mask,
           .locals = animator.locals,
           .morphs = animator.morphs}
        .run();
    return;
  }
  OverrideJob{.rig = rig,
              .under = animator.locals,
              .over = room.layer_locals,
              .under_morphs = animator.morphs,
              .over_morphs = room.layer_morphs,
              .weight = weight * presence,
              .mask = mask,
              .locals = animator.locals,
              .morphs = animator.morphs}
      .run();
}

void AnimatorPoser::pose() {
  animator.locals.resize(rig.group_count());
  animator.morphs.resize(rig.morph_count());
  animator.models.resize(rig.bone_count());
  evaluate(0, animator.locals, animator.morphs);
  for (std::uint32_t layer = 1; layer < graph.layers.size(); ++layer) go_over(layer);
  LocalToModelJob{.rig = rig, .locals = animator.locals, .models = animator.models, .model_from_root = {}}.run();
}

}  // namespace throng::detail::animator
