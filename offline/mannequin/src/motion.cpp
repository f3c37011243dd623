// SPDX-License-Identifier: Apache-2.0
#include "motion.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace throng::detail::mannequin {
namespace {

using glm::dquat;
using glm::dvec3;
using L = Landmarks;

dquat turn(double degrees, const dvec3& axis) { return glm::angleAxis(glm::radians(degrees), axis); }
dquat about_x(double degrees) { return turn(degrees, {1.0, 0.0, 0.0}); }
dquat about_y(double degrees) { return turn(degrees, {0.0, 1.0, 0.0}); }
dquat about_z(double degrees) { return turn(degrees, {0.0, 0.0, 1.0}); }
dquat orientation(double pitch, double yaw, double roll) { return about_y(yaw) * about_x(pitch) * about_z(roll); }

dquat mirrored(const dquat& q, Side side) { return side == Side::left ? q : dquat(q.w, q.x, -q.y, -q.z); }
dvec3 mirrored(const dvec3& p, Side side) { return side == Side::left ? p : dvec3(-p.x, p.y, p.z); }

// Axes of a limb segment: `along` it, bending about `hinge`.
dquat segment(const dvec3& along, const dvec3& hinge) {
  const dvec3 y = glm::normalize(along);
  const dvec3 x = glm::normalize(hinge - y * glm::dot(hinge, y));
  return glm::quat_cast(glm::dmat3(x, y, glm::cross(x, y)));
}

// Turns controls into rotations away from rest, in model space, one bone after the other.
class Solver {
 public:
  explicit Solver(const Controls& controls) : c_(controls) {
    turned_.fill(dquat(1.0, 0.0, 0.0, 0.0));
    hips_ = rest_bones()[kHips].head + dvec3(c_[kHipsX], c_[kHipsY], c_[kHipsZ]);
    turned_[kHips] = orientation(c_[kHipsPitch], c_[kHipsYaw], c_[kHipsRoll]);
    place_spine();
    for (const Side side : kSides) {
      place_arm(side);
      place_leg(side);
    }
  }

  std::vector<Transform> bones() const {
    const auto& rest = rest_bones();
    std::vector<Transform> result;
    for (std::uint32_t b = 0; b < kBoneCount; ++b) {
      const dquat model_from_bone = turned_[b] * rest[b].rotation;
      if (b == kRoot) {
        result.push_back({rest[b].head, model_from_bone, dvec3(1.0)});
        continue;
      }
      const auto parent = static_cast<std::size_t>(rest[b].parent);
      const dquat parent_from_model = glm::conjugate(turned_[parent] * rest[parent].rotation);
      const dvec3 head = b == kHips ? hips_ : rest[b].head;
      const dvec3 offset = glm::conjugate(rest[parent].rotation) * (head - rest[parent].head);
      result.push_back({offset, glm::normalize(parent_from_model * model_from_bone), dvec3(1.0)});
    }
    return result;
  }

 private:
  void place_spine() {
    const dquat third = orientation(c_[kSpinePitch] / 3.0, c_[kSpineYaw] / 3.0, c_[kSpineRoll] / 3.0);
    turned_[kSpine] = turned_[kHips] * third;
    turned_[kChest] = turned_[kSpine] * third;
    turned_[kUpperChest] = turned_[kChest] * third;
    const auto head = [&](double part) {
      return orientation(part * c_[kHeadPitch], part * c_[kHeadYaw], part * c_[kHeadRoll]);
    };
    turned_[kNeck] = turned_[kUpperChest] * head(0.45);
    turned_[kHead] = turned_[kNeck] * head(0.55);
  }

  void place_arm(Side side) {
    const auto value = [&](Channel left) { return c_[of_side(left, side)]; };
    const auto put = [&](std::uint32_t left_bone, std::uint32_t parent, const dquat& relative) {
      turned_[of_side(left_bone, side)] = turned_[parent] * mirrored(relative, side);
    };
    // Angles are told from an arm that hangs straight down; the rest pose holds it away from the body.
    const dquat hang = about_z(-glm::degrees(L::kArmAngle)), unhang = glm::conjugate(hang);
    put(kClavicle, kUpperChest, about_z(value(kShoulderRaise)) * about_y(-value(kShoulderForward)));
    put(kUpperArm, kUpperChest,
        about_x(-value(kArmForward)) * about_z(value(kArmOut)) * about_y(value(kArmTwist)) * hang);
    const dquat& clavicle = turned_[of_side(kClavicle, side)];
    const dquat whole = glm::conjugate(clavicle) * turned_[of_side(kUpperArm, side)];
    turned_[of_side(kShoulder, side)] = clavicle * glm::slerp(dquat(1.0, 0.0, 0.0, 0.0), whole, 0.5);
    put(kForearm, of_side(kUpperArm, side), unhang * about_x(-value(kElbow)) * about_y(value(kForearmTwist)) * hang);
    put(kHand, of_side(kForearm, side), unhang * about_x(-value(kWristSide)) * about_z(-value(kWrist)) * hang);
    put(kFingers, of_side(kHand, side), unhang * about_z(-value(kCurl)) * hang);
    put(kFingertips, of_side(kFingers, side), unhang * about_z(-1.0 * value(kCurl)) * hang);
    put(kThumb, of_side(kHand, side), unhang * about_z(-1.0 * value(kThumbIn)) * about_x(0.1 * value(kThumbIn)) * hang);
  }

  // Ankle and turn of the left foot: it rolls over its heel or its ball, whichever the pitch asks for.
  void place_foot(Side side, dvec3& ankle, dquat& foot) const {
    const auto value = [&](Channel left) { return c_[of_side(left, side)]; };
    const double pitch = value(kFootPitch);
    const dvec3 under(L::ankle.x, 0.0, L::ankle.z);
    const dvec3 pivot = pitch > 0.0 ? L::heel : dvec3(L::ball.x, 0.0, L::ball.z);
    const dquat roll = about_x(-pitch) * about_y(value(kFootSplay)) * about_z(value(kFootRoll));
    const dquat yaw = about_y(value(kFootYaw));
    const dvec3 offset(value(kFootOut), value(kFootUp), value(kFootAhead));
    ankle = mirrored(under + offset + yaw * (pivot + roll * (L::ankle - pivot) - under), side);
    foot = mirrored(yaw * roll, side);
  }

  void place_leg(Side side) {
    dvec3 ankle;
    dquat foot;
    place_foot(side, ankle, foot);
    const dvec3 rest_hip = mirrored(L::hip, side), rest_knee = mirrored(L::knee, side),
                rest_ankle = mirrored(L::ankle, side);
    const dvec3 hip = hips_ + turned_[kHips] * (rest_hip - rest_bones()[kHips].head);
    const double thigh = glm::distance(L::hip, L::knee), shin = glm::distance(L::knee, L::ankle);
    const dvec3 reach = ankle - hip;
    // A leg never locks quite straight: that is where knees pop.
    const double distance = std::min(glm::length(reach), (thigh + shin) * 0.9985);
    const dvec3 along = glm::normalize(reach);
    const dvec3 forward{0.0, 0.0, 1.0};
    const dquat toes = mirrored(about_y(c_[of_side(kFootYaw, side)]), side);
    dvec3 pole = glm::normalize(turned_[kHips] * forward + 0.6 * (toes * forward));
    pole = glm::angleAxis(glm::radians(side == Side::left ? -1.0 : 1.0) * c_[of_side(kKneeOut, side)], along) * pole;
    const dvec3 hinge = glm::normalize(glm::cross(along, pole));
    const double cosine = (thigh * thigh + distance * distance - shin * shin) / (2.0 * thigh * distance);
    const dvec3 thigh_along = glm::angleAxis(std::acos(std::clamp(cosine, -1.0, 1.0)), hinge) * along;
    const dvec3 shin_along = hip + along * distance - (hip + thigh_along * thigh);
    const dvec3 rest_hinge = glm::normalize(glm::cross(rest_ankle - rest_hip, forward));
    turned_[of_side(kThigh, side)] =
        segment(thigh_along, hinge) * glm::conjugate(segment(rest_knee - rest_hip, rest_hinge));
    turned_[of_side(kShin, side)] =
        segment(shin_along, hinge) * glm::conjugate(segment(rest_ankle - rest_knee, rest_hinge));
    turned_[of_side(kFoot, side)] = foot;
    turned_[of_side(kToes, side)] = foot * about_x(-c_[of_side(kToeBend, side)]);
  }

  const Controls& c_;
  dvec3 hips_;
  std::array<dquat, kBoneCount> turned_;
};

}  // namespace

Controls standing() {
  Controls c;
  c[kHipsY] = -0.006;
  c[kHipsPitch] = 1.0;
  c[kSpinePitch] = -1.0;
  for (const Side side : kSides) {
    const auto set = [&](Channel left, double value) { c[of_side(left, side)] = value; };
    set(kArmOut, 10.0), set(kArmForward, 2.0), set(kArmTwist, 8.0);
    set(kElbow, 14.0), set(kForearmTwist, 12.0), set(kWrist, 4.0);
    set(kCurl, 14.0), set(kThumbIn, 8.0);
    set(kFootOut, 0.012), set(kFootYaw, 9.0);
  }
  return c;
}

std::vector<Transform> solve(const Controls& controls) { return Solver(controls).bones(); }

KeyTrack::KeyTrack(std::vector<Key> keys, double period) : keys_(std::move(keys)), period_(period) {}

KeyTrack::Key KeyTrack::neighbour(std::size_t i, int step) const {
  const int count = std::max(1, static_cast<int>(keys_.size()));
  const int j = static_cast<int>(i) + step;
  if (j >= 0 && j < count) return keys_[static_cast<std::size_t>(j)];
  Key key = keys_[static_cast<std::size_t>((j + count) % count)];
  key.time += j < 0 ? -period_ : period_;
  return key;
}

// Flat where the channel turns back, otherwise the weighted harmonic mean of the slopes on either side
// (Fritsch–Carlson).
double KeyTrack::slope(std::size_t i) const {
  const bool end = i == 0 || i + 1 == keys_.size();
  if (end && period_ == 0.0) return 0.0;
  const Key before = neighbour(i, -1), here = keys_[i], after = neighbour(i, 1);
  const double h0 = here.time - before.time, h1 = after.time - here.time;
  const double d0 = (here.value - before.value) / h0, d1 = (after.value - here.value) / h1;
  if (d0 * d1 <= 0.0) return 0.0;
  const double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

double KeyTrack::at(double time) const {
  if (keys_.size() < 2) return keys_.empty() ? 0.0 : keys_[0].value;
  if (period_ > 0.0) {
    time -= std::floor((time - keys_[0].time) / period_) * period_;
  } else {
    time = std::clamp(time, keys_.front().time, keys_.back().time);
  }
  std::size_t i = 0;
  while (i + 1 < keys_.size() && keys_[i + 1].time <= time) ++i;
  if (i + 1 == keys_.size() && period_ == 0.0) return keys_[i].value;
  const Key a = keys_[i], b = neighbour(i, 1);
  const double span = b.time - a.time, u = (time - a.time) / span, u2 = u * u, u3 = u2 * u;
  const double next_slope = slope((i + 1) % keys_.size());
  return (2 * u3 - 3 * u2 + 1) * a.value + (u3 - 2 * u2 + u) * span * slope(i) + (3 * u2 - 2 * u3) * b.value +
         (u3 - u2) * span * next_slope;
}

Motion keyed_motion(const Controls& base, const std::vector<PoseKey>& keys, double period) {
  std::map<Channel, std::vector<KeyTrack::Key>> channels;
  for (const PoseKey& key : keys) {
    for (const auto& [channel, value] : key.changes) channels[channel].push_back({key.time, value});
  }
  std::vector<std::pair<Channel, KeyTrack>> tracks;
  tracks.reserve(channels.size());
  for (auto& [channel, list] : channels) tracks.emplace_back(channel, KeyTrack(std::move(list), period));
  return [base, tracks = std::move(tracks)](double time) {
    Controls controls = base;
    for (const auto& [channel, track] : tracks) controls[channel] = track.at(time);
    return controls;
  };
}

Changes with_both(Changes changes, const Changes& sides) {
  for (const auto& [channel, value] : sides) {
    changes.emplace_back(channel, value);
    changes.emplace_back(right(channel), value);
  }
  return changes;
}

Controls changed(Controls controls, const Changes& changes) {
  for (const auto& [channel, value] : changes) controls[channel] = value;
  return controls;
}

Motion keyed_from(const Controls& pose, const std::vector<PoseKey>& keys, double seconds, bool stays) {
  std::array<bool, kChannelCount> used{};
  for (const PoseKey& key : keys) {
    for (const auto& change : key.changes) used[change.first] = true;
  }
  Changes at_ends;
  for (std::size_t c = 0; c < kChannelCount; ++c) {
    if (used[c]) at_ends.emplace_back(static_cast<Channel>(c), pose.values[c]);
  }
  std::vector<PoseKey> all{{0.0, at_ends}};
  all.insert(all.end(), keys.begin(), keys.end());
  if (!stays) all.push_back({seconds, at_ends});
  return keyed_motion(pose, all, 0.0);
}

}  // namespace throng::detail::mannequin
