#include "mannequin_weights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mannequin_skeleton.h"

namespace throng::mannequin {
namespace {

using glm::dvec3;
using L = Landmarks;
using Weights = std::array<double, kBoneCount>;

double ramp(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * t * (t * (6.0 * t - 15.0) + 10.0);
}

// How far past a bone's head a point is: 0 well before, 1 well after, over `reach` metres to either side.
double past(const dvec3& p, const dvec3& head, const dvec3& axis, double reach) {
  return ramp(-reach, reach, glm::dot(p - head, glm::normalize(axis)));
}

double distance_to_line(const dvec3& p, const dvec3& origin, const dvec3& direction) {
  const dvec3 q = p - origin;
  return glm::length(q - direction * glm::dot(q, direction));
}

// Hands `share` of what `parent` has to `child`.
void hand_on(Weights& w, std::uint32_t parent, std::uint32_t child, double share) {
  w[child] += w[parent] * share;
  w[parent] *= 1.0 - share;
}

void weigh_trunk(Weights& w, const dvec3& p) {
  const auto& bones = rest_bones();
  w[kHips] = 1.0;
  hand_on(w, kHips, kSpine, past(p, bones[kSpine].head, {0.0, 1.0, 0.0}, 0.065));
  hand_on(w, kSpine, kChest, past(p, bones[kChest].head, {0.0, 1.0, 0.0}, 0.065));
  hand_on(w, kChest, kUpperChest, past(p, bones[kUpperChest].head, {0.0, 1.0, 0.0}, 0.070));
  const double lateral = 1.0 - ramp(0.06, 0.12, std::abs(p.x));  // the slope of the shoulders is not neck
  hand_on(w, kUpperChest, kNeck, lateral * past(p, {0.0, 1.510, -0.018}, {0.0, 1.0, 0.15}, 0.032));
  hand_on(w, kNeck, kHead, past(p, {0.0, 1.566, 0.0}, {0.0, 1.0, 0.45}, 0.026));
}

// `p` mirrored to the left side.
void weigh_arm(Weights& w, const dvec3& p, Side side) {
  const auto bone = [side](std::uint32_t left) { return of_side(left, side); };
  const dvec3 along = L::arm_direction();
  const double yoke = ramp(0.05, 0.15, p.x) * ramp(1.33, 1.43, p.y);
  hand_on(w, kUpperChest, bone(kClavicle), 0.85 * yoke);
  const double near = 1.0 - ramp(0.060, 0.115, distance_to_line(p, L::shoulder, along));
  const double arm = near * past(p, L::shoulder + dvec3(0.004, -0.012, 0.0), {0.80, -0.60, 0.0}, 0.060);
  for (const std::uint32_t from : {bone(kClavicle), std::uint32_t{kUpperChest}, std::uint32_t{kChest},
                                   std::uint32_t{kSpine}, std::uint32_t{kHips}}) {
    // Far down the arm nothing of the trunk may be left, whatever height it hangs at.
    hand_on(w, from, bone(kUpperArm), arm);
  }
  hand_on(w, bone(kUpperArm), bone(kForearm), past(p, L::elbow(), along, 0.050));
  hand_on(w, bone(kForearm), bone(kHand), past(p, L::wrist(), along, 0.026));
  const dvec3 thumb_axis = glm::normalize(L::thumb_tip() - L::thumb_base());
  const double beside =
      ramp(0.030, 0.046, p.z - L::wrist().z) * (1.0 - ramp(0.082, 0.106, glm::dot(p - L::wrist(), along)));
  const double thumb = beside * past(p, L::thumb_base() + thumb_axis * 0.014, thumb_axis, 0.014);
  hand_on(w, bone(kHand), bone(kThumb), thumb);
  hand_on(w, bone(kHand), bone(kFingers), (1.0 - beside) * past(p, L::knuckles(), along, 0.014));
  hand_on(w, bone(kFingers), bone(kFingertips), past(p, L::mid_finger(), along, 0.012));
}

void weigh_leg(Weights& w, const dvec3& p, Side side) {
  const auto bone = [side](std::uint32_t left) { return of_side(left, side); };
  const double own_side = ramp(-0.022, 0.022, p.x);
  hand_on(w, kHips, bone(kThigh), own_side * past(p, L::hip + dvec3(0.0, -0.012, 0.0), {0.25, -0.97, 0.0}, 0.085));
  hand_on(w, bone(kThigh), bone(kShin), past(p, L::knee, {0.0, -1.0, -0.05}, 0.062));
  hand_on(w, bone(kShin), bone(kFoot), past(p, L::ankle, {0.0, -1.0, 0.35}, 0.034));
  hand_on(w, bone(kFoot), bone(kToes), past(p, {L::ball.x, 0.0, L::ball.z}, {0.0, 0.0, 1.0}, 0.022));
}

Influences strongest(const Weights& w) {
  std::array<std::uint16_t, kBoneCount> order{};
  for (std::uint16_t i = 0; i < kBoneCount; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&w](std::uint16_t a, std::uint16_t b) { return w[a] > w[b]; });
  double sum = 0.0;
  for (std::size_t i = 0; i < kInfluences; ++i) sum += w[order[i]];
  Influences result;
  for (std::size_t i = 0; i < kInfluences; ++i) {
    const double weight = w[order[i]] / sum;
    result.weights[i] = static_cast<float>(weight < 1e-3 ? 0.0 : weight);
    result.bindings[i] = weight < 1e-3 ? std::uint16_t{0} : order[i];
  }
  double kept = 0.0;
  for (const float weight : result.weights) kept += static_cast<double>(weight);
  for (float& weight : result.weights) weight = static_cast<float>(static_cast<double>(weight) / kept);
  return result;
}

}  // namespace

Influences skin_weights(const dvec3& p) {
  Weights w{};
  weigh_trunk(w, p);
  for (const Side side : kSides) {
    const dvec3 q(side == Side::left ? p.x : -p.x, p.y, p.z);
    // Only the own half hangs on an arm; legs share the crotch.
    if (q.x > 0.0) weigh_arm(w, q, side);
    if (q.x > -0.03) weigh_leg(w, q, side);
  }
  return strongest(w);
}

}  // namespace throng::mannequin
