// SPDX-License-Identifier: Apache-2.0
#include "animator_poser.h"

#include <algorithm>

#include "jobs/jobs_kernels.h"

namespace throng::detail::animator {
namespace {
// A clip of less weight moves nothing by as much as a float can tell.
constexpr float kNothing = 1e-6f;

// What BlendJob does with two poses; both weigh more than nothing.
void blend_two(const BlendInput& first, const BlendInput& second, float total, std::span<SoaTransform> locals) {
  const kernels::Pair pair{first.locals.data(), second.locals.data(), first.weight / total, second.weight / total};
  (kernels::has_wide() ? kernels::blend_pair_wide : kernels::blend_pair_narrow)(pair, locals.size(), locals.data());
}

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

  void make_room(std::size_t four_bones, std::size_t targets, std::size_t poses) {
    if (locals.size() < poses * four_bones) locals.resize(poses * four_bones);
    if (morphs.size() < poses * targets) morphs.resize(poses * targets);
    inputs.clear();
    used = 0;
  }
  void make_layer(std::size_t four_bones, std::size_t targets) {
    layer_locals.resize(four_bones);
    layer_morphs.resize(targets);
  }

  static Scratch& of_this_thread() {
    thread_local Scratch kept;
    return kept;
  }
};

AnimatorPoser::AnimatorPoser(AnimatorState& of)
    : logic(of),
      animator(of),
      graph(logic.graph),
      rig(*of.graph->rig()),
      groups(rig.group_count()),
      morph_count(rig.morph_count()),
      room(Scratch::of_this_thread()) {}

void AnimatorPoser::sample_leaf(std::uint32_t layer, const PlayedState& playing, const Leaf& leaf,
                                std::span<SoaTransform> locals, std::span<float> morphs) {
  const GraphLayer& of = graph.layers[layer];
  const GroupClock& clock = logic.clocks(layer, playing)[leaf.group];
  const LoopTime at = leaf_time(leaf, logic.state_of(layer, playing).cycle_offset, {clock.loops, clock.phase});
  const double seconds = at.phase * leaf.length;
  const std::size_t first = of.cursors_base + playing.slot * of.cursors_size + leaf.cursors;
  SampleJob{.rig = rig,
            .clip = leaf.clip,
            .time = static_cast<float>(seconds),
            .cursors = std::span(animator.cursors).subspan(first, leaf.cursor_count),
            .locals = locals,
            .morphs = morphs}
      .run();
  const bool in_place = animator.settings.root_motion == RootMotionMode::extracted;
  if (in_place) take_out_root_motion(graph.root_chain, graph.root_tracks[leaf.clip.value], seconds, locals);
  if (of.kind != LayerKind::additive) return;
  const ReferencePose& reference = of.references[leaf.reference];
  DifferenceJob{.rig = rig,
                .reference = in_place ? reference.in_place : reference.locals,
                .pose = locals,
                .reference_morphs = reference.morphs,
                .pose_morphs = morphs,
                .locals = locals,
                .morphs = morphs}
      .run();
}

void AnimatorPoser::add_playing(std::uint32_t layer, const PlayedState& playing, float share,
                                std::span<SoaTransform> locals, std::span<float> morphs) {
  if (share <= kNothing) return;
  if (playing.frozen) {
    const FrozenPose& frozen = animator.layers[layer].frozen;
    if (frozen.presence > 0.0f) room.inputs.push_back({frozen.locals, frozen.morphs, share * frozen.presence, {}});
    return;
  }
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
    const auto to = room.inputs.empty() ? locals : std::span(room.locals).subspan(at * groups, groups);
    const auto to_morphs = room.inputs.empty() ? morphs : std::span(room.morphs).subspan(at * morph_count, morph_count);
    sample_leaf(layer, playing, motion->leaves[i], to, to_morphs);
    room.inputs.push_back({to, to_morphs, weight, {}});
  }
}

float AnimatorPoser::evaluate(std::uint32_t layer, std::span<SoaTransform> locals, std::span<float> morphs) {
  const PlayedLayer& at = animator.layers[layer];
  room.make_room(groups, morph_count, 2 * graph.layers[layer].weights_size);
  if (animator.cursors.size() != graph.cursors) animator.cursors.resize(graph.cursors);
  const auto next = static_cast<float>(logic.share_of_next(layer));
  add_playing(layer, at.current, 1.0f - next, locals, morphs);
  if (at.fading) add_playing(layer, at.next, next, locals, morphs);
  float presence = 0.0f;
  for (const BlendInput& input : room.inputs) presence += input.weight;
  if (room.inputs.empty()) return 0.0f;
  if (room.inputs.size() == 2 && morph_count == 0) {
    blend_two(room.inputs[0], room.inputs[1], presence, locals);
  } else if (room.inputs.size() > 1) {
    BlendJob{.rig = rig, .inputs = room.inputs, .locals = locals, .morphs = morphs}.run();
  } else if (room.inputs[0].locals.data() != locals.data()) {
    std::copy(room.inputs[0].locals.begin(), room.inputs[0].locals.end(), locals.begin());
    std::copy(room.inputs[0].morphs.begin(), room.inputs[0].morphs.end(), morphs.begin());
  }
  return std::min(1.0f, presence);
}

void AnimatorPoser::freeze(std::uint32_t layer) {
  room.make_layer(groups, morph_count);
  FrozenPose& frozen = animator.layers[layer].frozen;
  frozen.presence = evaluate(layer, room.layer_locals, room.layer_morphs);
  frozen.locals.assign(room.layer_locals.begin(), room.layer_locals.end());
  frozen.morphs.assign(room.layer_morphs.begin(), room.layer_morphs.end());
}

void AnimatorPoser::go_over(std::uint32_t layer) {
  room.make_layer(groups, morph_count);
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
  if (animator.locals.size() != groups) animator.locals.resize(groups);
  if (animator.morphs.size() != morph_count) animator.morphs.resize(morph_count);
  if (const std::size_t bones = rig.bone_count(); animator.models.size() != bones) animator.models.resize(bones);
  evaluate(0, animator.locals, animator.morphs);
  for (std::uint32_t layer = 1; layer < graph.layers.size(); ++layer) go_over(layer);
  LocalToModelJob{.rig = rig, .locals = animator.locals, .models = animator.models, .model_from_root = {}}.run();
}

}  // namespace throng::detail::animator
