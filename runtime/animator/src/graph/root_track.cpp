// SPDX-License-Identifier: Apache-2.0
#include "graph/root_track.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng::detail::animator {
namespace {

constexpr double kSamplesPerSecond = 60.0;
constexpr std::size_t kMostSamples = 1u << 16;
// Less than this, in sizes and radians, is the noise of the curves' compression: such a clip stays where it is.
constexpr double kStill = 1e-5;

// The part of a rotation that is about +Y.
double heading(const glm::quat& q) { return 2.0 * std::atan2(static_cast<double>(q.y), static_cast<double>(q.w)); }

bool moves(const RootTrack& track, double size) {
  const GroundMotion& first = track.places.front();
  return std::any_of(track.places.begin(), track.places.end(), [&](const GroundMotion& place) {
    return glm::length(place.translation - first.translation) > kStill * size ||
           std::abs(place.yaw - first.yaw) > kStill;
  });
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
  if (places.size() < 2 || length <= 0.0) return places.empty() ? GroundMotion{} : places.front();
  const double last = static_cast<double>(places.size() - 1);
  const double at = std::clamp(seconds / length, 0.0, 1.0) * last;
  const double floor = std::min(std::floor(at), last - 1.0);
  const GroundMotion& a = places[static_cast<std::size_t>(floor)];
  const GroundMotion& b = places[static_cast<std::size_t>(floor) + 1];
  return interpolate(a, b, at - floor);
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

RootFrame make_root_frame(const Rig& rig) {
  RootFrame frame{.bone = rig.root_bone()};
  if (const auto parent = rig.parent(frame.bone)) {
    const Affine& affine = rig.rest_models()[*parent];
    frame.model_from_parent = to_matrix(affine);
    frame.parent_from_model = glm::inverse(frame.model_from_parent);
    frame.model_from_parent_rotation = rotation_of(affine);
  }
  return frame;
}

RootTrack make_root_track(const Rig& rig, ClipId clip) {
  const RigClip& source = rig.clips()[clip.value];
  RootTrack track{.length = static_cast<double>(source.length), .places = {}};
  if (source.length <= 0.0f) return track;
  const auto count = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(track.length * kSamplesPerSecond)) + 1,
                                             2, kMostSamples);
  const RootFrame frame = make_root_frame(rig);
  const glm::quat rest_rotation = rotation_of(rig.rest_models()[frame.bone]);
  std::vector<SoaTransform> locals(rig.group_count());
  std::vector<std::uint32_t> cursors(source.cursor_count);
  for (std::size_t i = 0; i < count; ++i) {
    const double seconds = track.length * static_cast<double>(i) / static_cast<double>(count - 1);
    SampleJob{.rig = rig,
              .clip = clip,
              .time = static_cast<float>(seconds),
              .cursors = cursors,
              .locals = locals,
              .morphs = {}}
        .run();
    const BoneTransform local = local_of(locals, frame.bone);
    const glm::vec3 place = glm::vec3(frame.model_from_parent * glm::vec4(local.translation, 1.0f));
    const double yaw = heading(frame.model_from_parent_rotation * local.rotation * glm::inverse(rest_rotation));
    track.places.push_back({{place.x, 0.0, place.z}, nearest_angle(yaw, i == 0 ? 0.0 : track.places.back().yaw)});
  }
  if (!moves(track, size_at_rest(rig))) track.places.clear();
  return track;
}

void take_out_root_motion(const RootFrame& frame, const RootTrack& track, double seconds,
                          std::span<SoaTransform> locals) {
  if (track.empty()) return;
  const GroundMotion back = compose(track.at(0.0), inverse(track.at(seconds)));
  BoneTransform local = local_of(locals, frame.bone);
  const glm::vec3 place = glm::vec3(frame.model_from_parent * glm::vec4(local.translation, 1.0f));
  const glm::vec4 moved(glm::vec3(transform_point(back, glm::dvec3(place))), 1.0f);
  local.translation = glm::vec3(frame.parent_from_model * moved);
  const glm::quat rotation(rotation_of(back));
  const glm::quat& parent = frame.model_from_parent_rotation;
  local.rotation = glm::normalize(glm::inverse(parent) * rotation * parent * local.rotation);
  set_local(locals, frame.bone, local);
}

}  // namespace throng::detail::animator
