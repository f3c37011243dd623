// SPDX-License-Identifier: Apache-2.0
#include "graph/root_track.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "throng/math/ground_since.h"
#include "throng/math/rotations.h"
#include "throng/math/singular_values.h"

namespace throng::detail::animator {
namespace {

glm::dmat4 model_from_last(std::span<const std::uint32_t> chain, std::span<const SoaTransform> locals) {
  glm::dmat4 model_from_bone(1.0);
  for (const std::uint32_t bone : chain) {
    const BoneTransform local = local_of(locals, bone);
    model_from_bone *=
        to_matrix(Transform{glm::dvec3(local.translation), glm::dquat(local.rotation), glm::dvec3(local.scale)});
  }
  return model_from_bone;
}

double size_at_rest(const Rig& rig) {
  glm::vec3 low(0.0f), high(0.0f);
  for (const Affine& bone : rig.rest_models()) {
    low = glm::min(low, position_of(bone));
    high = glm::max(high, position_of(bone));
  }
  return std::max(1e-9, static_cast<double>(glm::length(high - low)));
}

}  // namespace

GroundMotion RootTrack::at(double seconds) const {
  return length > 0.0 ? place_along(places, seconds / length) : GroundMotion{};
}

GroundMotion motion_between(const RootTrack& track, double from_phase, double to_phase, double loops) {
  // Beyond this many, a double no longer tells one loop from the next.
  constexpr double kMostLoops = 9007199254740992.0;
  const GroundMotion from = track.at(from_phase * track.length), to = track.at(to_phase * track.length);
  if (loops == 0.0) return between(from, to);
  const GroundMotion start = track.at(0.0), end = track.at(track.length);
  const GroundMotion& near = loops > 0.0 ? start : end;
  const GroundMotion& far = loops > 0.0 ? end : start;
  const auto whole = static_cast<std::int64_t>(std::min(std::abs(loops) - 1.0, kMostLoops));
  return compose(compose(between(from, far), repeat(between(near, far), whole)), between(near, to));
}

RootChain make_root_chain(const Rig& rig) {
  RootChain chain;
  for (auto bone = rig.root_bone(); bone; bone = rig.parent(*bone)) chain.bones.push_back(*bone);
  std::reverse(chain.bones.begin(), chain.bones.end());
  if (chain.bones.empty()) return chain;
  const std::span above = std::span(chain.bones).first(chain.bones.size() - 1);
  for (std::uint32_t bone = 0; bone < rig.bone_count(); ++bone) {
    if (std::ranges::find(above, bone) != above.end()) continue;
    const auto parent = rig.parent(bone);
    const auto hung = parent ? std::ranges::find(above, *parent) : above.end();
    if (!parent) chain.bodies.push_back({bone, 0});
    if (hung != above.end()) chain.bodies.push_back({bone, 1 + static_cast<std::size_t>(hung - above.begin())});
  }
  std::ranges::stable_sort(chain.bodies, {}, &RootChain::Body::above);
  return chain;
}

RootTrack make_root_track(const Rig& rig, const RootChain& chain, ClipId clip) {
  const RigClip& source = rig.clips()[clip.value];
  RootTrack track{.length = static_cast<double>(source.length), .places = {}};
  if (source.length <= 0.0f || chain.bones.empty()) return track;
  if (const auto& decided = rig.motion().keys(clip.value).root_path) {
    track.places = *decided;
    return track;
  }
  const std::size_t count = path_samples(track.length);
  std::vector<SoaTransform> locals(rig.group_count());
  std::vector<std::uint32_t> cursors(source.cursor_count);
  GroundStart start;
  for (std::size_t i = 0; i < count; ++i) {
    const double seconds = track.length * static_cast<double>(i) / static_cast<double>(count - 1);
    SampleJob{.rig = rig,
              .clip = clip,
              .time = static_cast<float>(seconds),
              .cursors = cursors,
              .locals = locals,
              .morphs = {}}
        .run();
    const glm::dmat4 model_from_root = model_from_last(chain.bones, locals);
    if (i == 0) start = ground_start(model_from_root);
    GroundMotion ground = ground_since(start, model_from_root);
    ground.yaw = nearest_angle(ground.yaw, i == 0 ? 0.0 : track.places.back().yaw);
    track.places.push_back(ground);
  }
  if (stays(track.places, start.place, size_at_rest(rig))) track.places.clear();
  return track;
}

void take_out_root_motion(const RootChain& chain, const RootTrack& track, double seconds,
                          std::span<SoaTransform> locals) {
  if (track.empty()) return;
  const glm::dmat4 back = to_matrix(inverse(track.at(seconds)));
  const std::span<const RootChain::Body> bodies(chain.bodies);
  for (std::size_t first = 0, end = 0; first < bodies.size(); first = end) {
    while (end < bodies.size() && bodies[end].above == bodies[first].above) ++end;
    const glm::dmat4 model_from_parent = model_from_last(std::span(chain.bones).first(bodies[first].above), locals);
    if (!well_conditioned(glm::dmat3(model_from_parent))) continue;
    const glm::dmat4 change = glm::inverse(model_from_parent) * back * model_from_parent;
    const glm::dquat rotation = rotation_of(glm::dmat3(change));
    for (const RootChain::Body& body : bodies.subspan(first, end - first)) {
      BoneTransform local = local_of(locals, body.bone);
      local.translation = glm::vec3(change * glm::dvec4(glm::dvec3(local.translation), 1.0));
      local.rotation = glm::quat(glm::normalize(rotation * glm::dquat(local.rotation)));
      set_local(locals, body.bone, local);
    }
  }
}

}  // namespace throng::detail::animator
