// SPDX-License-Identifier: Apache-2.0
#include "retarget_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::detail::retarget {
namespace {

// Where linear keys cannot follow the source exactly, as many a second as a screen shows pictures.
constexpr double kDenseRate = 60.0;
// The tolerance for a unit quaternion's or scale's numbers, and for positions as a share of the skeleton's size.
constexpr double kSame = 1e-9;

// The keys that decide about one bone of `onto`.
class KeyTimes {
 public:
  explicit KeyTimes(const Clip& clip) : clip_(clip) {
    add(clip.start);
    add(clip.end);
  }

  template <class T>
  void add(const Curve<T>& curve) {
    for (std::size_t i = 0; i < curve.times.size(); ++i) {
      const double time = static_cast<double>(curve.times[i]);
      // Linear keys jump by having one right before another.
      if (curve.interpolation == Interpolation::step) {
        add(static_cast<double>(std::nextafter(curve.times[i], -std::numeric_limits<float>::infinity())));
      }
      if (curve.interpolation == Interpolation::cubic_spline && i + 1 < curve.times.size()) {
        fill(time, static_cast<double>(curve.times[i + 1]));
      }
      add(time);
    }
  }
  void add_dense() { fill(clip_.start, clip_.end); }

  std::vector<float> sorted() && {
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    return std::move(times_);
  }

 private:
  void add(double time) {
    if (time >= clip_.start && time <= clip_.end) times_.push_back(static_cast<float>(time));
  }
  void fill(double start, double end) {
    // Clips of days are no reason to fill memory: they get what they need to be followed by eye.
    const int steps = static_cast<int>(std::min(std::ceil((end - start) * kDenseRate), 65536.0));
    for (int i = 1; i < steps; ++i) add(start + (end - start) * i / steps);
  }

  const Clip& clip_;
  std::vector<float> times_;
};

using Tracks = std::vector<const BoneTrack*>;  // per bone of `from`; null: the clip does not move it

Tracks tracks_of(const Model& model, const Clip& clip) {
  Tracks tracks(model.bones().size(), nullptr);
  for (const BoneTrack& track : clip.bones) tracks[track.bone] = &track;
  return tracks;
}

bool moves(const BoneTrack* track) {
  return track && (!track->rotation.empty() || !track->translation.empty() || !track->scale.empty());
}

// A bone of `onto` follows what happens in `from` between its partner and the partner of the bone above it. With one
// bone there, keys of the one become keys of the other; more than one rotate together in a way that no line follows.
std::vector<float> times_for(const RetargetPlan& plan, const Clip& clip, const Tracks& tracks, std::uint32_t bone) {
  std::optional<std::uint32_t> stop;
  if (plan.above[bone]) stop = plan.from_of[*plan.above[bone]];
  KeyTimes times(clip);
  std::size_t moving = 0;
  std::optional<std::uint32_t> at = plan.from_of[bone];
  for (; at && at != stop; at = plan.from.bones()[*at].parent) {
    const BoneTrack* track = tracks[*at];
    if (!moves(track)) continue;
    ++moving;
    times.add(track->rotation);
    times.add(track->translation);
    times.add(track->scale);
  }
  const bool elsewhere = at != stop;  // the skeletons are built differently: anything may count
  if (elsewhere || moving > 1) times.add_dense();
  return std::move(times).sorted();
}

// How a bone of `from` has rotated away from its rest, in the model space of `onto`.
glm::dquat rotation_from_rest(const RetargetPlan& plan, const BoneFrames& now, std::uint32_t from_bone) {
  const glm::dquat away = now.rotations[from_bone] * glm::conjugate(plan.from_rest.rotations[from_bone]);
  return plan.rotation * away * glm::conjugate(plan.rotation);
}

// Where a bone that travels is: its way from the bone above it, as that one has rotated, or from its own rest.
glm::dvec3 travelled(const RetargetPlan& plan, const BoneFrames& now, const BoneFrames& made, std::uint32_t bone) {
  const std::uint32_t partner = *plan.from_of[bone];
  const glm::dvec3 here = plan.onto_rest.place(bone);
  if (!plan.above[bone])
    return here + plan.scale * (plan.rotation * (now.place(partner) - plan.from_rest.place(partner)));
  const std::uint32_t above = *plan.above[bone];
  const std::uint32_t above_there = *plan.from_of[above];
  const glm::dquat rotation = rotation_from_rest(plan, now, above_there);
  const glm::dvec3 moved =
      glm::conjugate(rotation) * plan.way(now, above_there, partner) - plan.way(plan.from_rest, above_there, partner);
  const glm::dvec3 offset = plan.alignment[above] * (here - plan.onto_rest.place(above));
  return made.place(above) + rotation * (offset + plan.scale * moved);
}

// A bone's axes may lie differently in the two skeletons; then only how much larger it gets can be told.
glm::dvec3 scaled(const RetargetPlan& plan, const Pose& pose, std::uint32_t bone) {
  const std::uint32_t partner = *plan.from_of[bone];
  const glm::dvec3 rest = plan.from.bones()[partner].rest.scale;
  const glm::dvec3 own = plan.onto.bones()[bone].rest.scale;
  if (rest.x == 0.0 || rest.y == 0.0 || rest.z == 0.0) return own;
  const glm::dvec3 factor = pose.bones[partner].scale / rest;
  constexpr double kSameAxes = 1e-3;
  const glm::dquat there = plan.rotation * plan.from_rest.rotations[partner];
  const bool same_axes = std::abs(glm::dot(there, plan.onto_rest.rotations[bone])) > 1.0 - kSameAxes * kSameAxes;
  return own * (same_axes ? factor : glm::dvec3(std::cbrt(factor.x * factor.y * factor.z)));
}

std::vector<Transform> made_pose(const RetargetPlan& plan, const Clip& clip, double time) {
  const Pose pose = sample(plan.from, clip, time);
  const BoneFrames now = frames_of(plan.from, pose);
  const auto& bones = plan.onto.bones();
  std::vector<Transform> out;
  BoneFrames made;
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    Transform local = bones[i].rest;
    const auto parent = bones[i].parent;
    const glm::dquat above = parent ? made.rotations[*parent] : glm::dquat(1, 0, 0, 0);
    const glm::dmat4 model_from_parent = parent ? made.models[*parent] : glm::dmat4(1.0);
    if (const auto partner = plan.from_of[i]) {
      const glm::dquat rotation =
          rotation_from_rest(plan, now, *partner) * plan.alignment[i] * plan.onto_rest.rotations[i];
      local.rotation = glm::normalize(glm::conjugate(above) * rotation);
      local.scale = scaled(plan, pose, i);
      if (plan.travels[i] && std::abs(glm::determinant(glm::dmat3(model_from_parent))) > 0.0) {
        const glm::dvec3 place = travelled(plan, now, made, i);
        local.translation = glm::dvec3(glm::inverse(model_from_parent) * glm::dvec4(place, 1.0));
      }
    }
    made.rotations.push_back(glm::normalize(above * local.rotation));
    made.models.push_back(model_from_parent * to_matrix(local));
    out.push_back(local);
  }
  return out;
}

// Nothing where all values are the rest; one key where they are one value.
template <class T, class D, class Differ>
Curve<T> curve_of(const std::vector<float>& times, const std::vector<D>& values, const D& rest, Differ differ) {
  const bool constant = std::none_of(values.begin(), values.end(), [&](const D& v) { return differ(v, values[0]); });
  if (constant && !differ(values[0], rest)) return {};
  Curve<T> curve;
  for (std::size_t i = 0; i < (constant ? 1 : values.size()); ++i) {
    curve.times.push_back(times[i]);
    curve.values.push_back(T(values[i]));
  }
  return curve;
}

BoneTrack track_of(std::uint32_t bone, const Transform& rest, const std::vector<float>& times,
                   const std::vector<const Transform*>& keys, double size) {
  std::vector<glm::dvec3> places, scales;
  std::vector<glm::dquat> rotations;
  for (const Transform* key : keys) {
    places.push_back(key->translation);
    scales.push_back(key->scale);
    const bool flips = !rotations.empty() && glm::dot(rotations.back(), key->rotation) < 0.0;
    rotations.push_back(flips ? -key->rotation : key->rotation);
  }
  const auto apart = [](double tolerance) {
    return [tolerance](const glm::dvec3& a, const glm::dvec3& b) { return glm::distance(a, b) > tolerance; };
  };
  const auto angle_apart = [](const glm::dquat& a, const glm::dquat& b) {
    return std::min(glm::length(a - b), glm::length(a + b)) > kSame;
  };
  return {.bone = bone,
          .translation = curve_of<glm::vec3>(times, places, rest.translation, apart(kSame * size)),
          .rotation = curve_of<glm::quat>(times, rotations, glm::normalize(rest.rotation), angle_apart),
          .scale = curve_of<glm::vec3>(times, scales, rest.scale, apart(kSame))};
}

}  // namespace

Clip retarget_clip(const RetargetPlan& plan, const Clip& clip) {
  const Tracks tracks = tracks_of(plan.from, clip);
  std::vector<std::vector<float>> times(plan.onto.bones().size());
  std::vector<float> all;
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    if (!plan.from_of[i]) continue;
    times[i] = times_for(plan, clip, tracks, i);
    all.insert(all.end(), times[i].begin(), times[i].end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::vector<Transform>> poses;
  poses.reserve(all.size());
  for (const float time : all) poses.push_back(made_pose(plan, clip, static_cast<double>(time)));

  Bounds box;
  for (std::size_t i = 0; i < plan.onto.bones().size(); ++i) box.add(plan.onto_rest.place(i));
  Clip out = clip;
  out.bones.clear();
  out.morphs.clear();
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    if (times[i].empty()) continue;
    std::vector<const Transform*> keys;
    for (const float time : times[i]) {
      const auto at = std::lower_bound(all.begin(), all.end(), time) - all.begin();
      keys.push_back(&poses[static_cast<std::size_t>(at)][i]);
    }
    BoneTrack track = track_of(i, plan.onto.bones()[i].rest, times[i], keys, box.diagonal());
    if (moves(&track)) out.bones.push_back(std::move(track));
  }
  return out;
}

}  // namespace throng::detail::retarget
