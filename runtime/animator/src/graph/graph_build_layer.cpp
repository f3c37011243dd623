// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "graph/graph_build.h"

namespace throng::detail::animator {
namespace {

// How many bones `bone` is below `ancestor`; only for those that are.
std::uint32_t depth_below(const Rig& rig, std::uint32_t bone, std::uint32_t ancestor) {
  std::uint32_t depth = 0;
  for (; bone != ancestor; ++depth) bone = *rig.parent(bone);
  return depth;
}

ReferencePose sample_reference(const Rig& rig, ClipId clip, float seconds) {
  ReferencePose pose{.clip = clip, .seconds = seconds};
  pose.locals.resize(rig.group_count());
  pose.morphs.resize(rig.morph_count());
  std::vector<std::uint32_t> cursors(rig.clips()[clip.value].cursor_count);
  SampleJob{.rig = rig, .clip = clip, .time = seconds, .cursors = cursors, .locals = pose.locals, .morphs = pose.morphs}
      .run();
  return pose;
}

}  // namespace

Result<void> GraphBuilder::add_mask(const LayerDraft& source, const Place& place, GraphLayer& layer) const {
  if (source.mask.empty()) return {};
  layer.mask.assign(rig.group_count() * 4, 0.0f);
  for (std::size_t i = 0; i < source.mask.size(); ++i) {
    const MaskDraft& entry = source.mask[i];
    const Place at = place.at("mask", i);
    const auto bone = rig.find_bone(entry.bone);
    if (!bone) return fail_at(at.in("bone"), bone.error());
    if (!(entry.weight >= 0.0f && entry.weight <= 1.0f))
      return fail_at(at.in("weight"), "{} is not in 0 … 1", entry.weight);
    const auto last = entry.descendants ? static_cast<std::uint32_t>(rig.bone_count()) : *bone + 1;
    for (std::uint32_t below = *bone; below < last; ++below) {
      if (!rig.is_below(below, *bone)) continue;
      const float steps = static_cast<float>(entry.falloff) + 1.0f;
      const float step = static_cast<float>(depth_below(rig, below, *bone)) + 1.0f;
      layer.mask[below] = entry.weight * std::min(1.0f, step / steps);
    }
  }
  layer.root_share = layer.mask[rig.root_bone().value_or(0)];
  return {};
}

Result<void> GraphBuilder::add_references(const LayerDraft& source, const Place& place, GraphLayer& layer) {
  if (!std::isfinite(source.reference_time)) return fail_at(place.in("reference_time"), "it is not finite");
  if (layer.kind != LayerKind::additive) {
    if (source.reference_clip.empty()) return {};
    return fail_at(place.in("reference_clip"), "only additive layers have a reference");
  }
  if (!source.reference_clip.empty()) {
    const auto clip = rig.find_clip(source.reference_clip);
    if (!clip) return fail_at(place.in("reference_clip"), clip.error());
    layer.references.push_back(sample_reference(rig, *clip, source.reference_time));
    return {};
  }
  std::unordered_map<ClipId, std::uint32_t> by_clip;
  for (const std::uint32_t index : layer.motions) {
    if (index == kNone) continue;
    for (Leaf& leaf : data.motions[index].leaves) {
      const auto [found, added] = by_clip.emplace(leaf.clip, static_cast<std::uint32_t>(layer.references.size()));
      if (added) layer.references.push_back(sample_reference(rig, leaf.clip, 0.0f));
      leaf.reference = found->second;
    }
  }
  return {};
}

// Adds the root tracks of every clip, also those no state plays: characters far away may play them.
void GraphBuilder::add_root_tracks() {
  data.root_chain = make_root_chain(rig);
  for (std::uint32_t clip = 0; clip < rig.clips().size(); ++clip)
    data.root_tracks.push_back(make_root_track(rig, data.root_chain, ClipId(clip)));
  for (GraphLayer& layer : data.layers) {
    for (ReferencePose& reference : layer.references) {
      reference.in_place = reference.locals;
      take_out_root_motion(data.root_chain, data.root_tracks[reference.clip.value],
                           static_cast<double>(reference.seconds), reference.in_place);
    }
  }
}

}  // namespace throng::detail::animator
