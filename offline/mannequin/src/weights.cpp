// SPDX-License-Identifier: Apache-2.0
#include "weights.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "skeleton.h"

namespace throng::detail::mannequin {
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
  // Everything outside the armhole is arm, except the flank below it, which the hanging arm only passes.
  const double beside = std::max(ramp(1.25, 1.34, p.y), ramp(0.18, 0.22, p.x));
  const double arm =
      beside * ramp(-0.038, 0.058, glm::dot(p - dvec3(0.162, 1.42, 0.0), glm::normalize(dvec3(1.0, 0.118, 0.0))));
  for (const std::uint32_t from : {bone(kClavicle), std::uint32_t{kUpperChest}, std::uint32_t{kChest},
                                   std::uint32_t{kSpine}, std::uint32_t{kHips}}) {
    hand_on(w, from, bone(kShoulder), arm);
  }
  hand_on(w, bone(kShoulder), bone(kUpperArm), past(p, L::shoulder + along * 0.080, along, 0.085));
  hand_on(w, bone(kUpperArm), bone(kForearm), past(p, L::elbow(), along, 0.050));
  hand_on(w, bone(kForearm), bone(kHand), past(p, L::wrist(), along, 0.026));
  const dvec3 thumb_axis = glm::normalize(L::thumb_tip() - L::thumb_base());
  // The seam between thumb and hand: wide and soft at the thumb's root, narrow where the thumb lies beside the palm and
  // the index finger, which it must not catch.
  const double reach = glm::dot(p - L::wrist(), along);
  const double apart = ramp(0.045, 0.066, reach), beyond = ramp(0.074, 0.090, reach);
  const double seam = glm::mix(0.038, 0.041, apart) + 0.0065 * beyond,
               softness = glm::mix(0.009, 0.0050, apart) - 0.0015 * beyond;
  const double thumbward = ramp(seam - softness, seam + softness, p.z - L::wrist().z);
  const double thumb = thumbward * past(p, L::thumb_base() + thumb_axis * 0.014, thumb_axis, 0.014);
  hand_on(w, bone(kHand), bone(kThumb), thumb);
  hand_on(w, bone(kHand), bone(kFingers), (1.0 - thumbward) * past(p, L::knuckles() - along * 0.002, along, 0.014));
  hand_on(w, bone(kFingers), bone(kFingertips), past(p, L::mid_finger(), along, 0.014));
}

// The thigh's part of what the hips have; left and right add up to no more than all of it.
double thigh_share(const dvec3& p) {
  const double own_side = ramp(-0.022, 0.022, p.x);
  return own_side * past(p, L::hip + dvec3(0.0, -0.012, 0.0), {0.25, -0.97, 0.0}, 0.085);
}

void weigh_leg(Weights& w, const dvec3& p, Side side, double hips) {
  const auto bone = [side](std::uint32_t left) { return of_side(left, side); };
  const double share = hips * thigh_share(p);
  w[bone(kThigh)] += share;
  w[kHips] -= share;
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
  const auto on_left = [&p](Side side) { return dvec3(side == Side::left ? p.x : -p.x, p.y, p.z); };
  for (const Side side : kSides) {
    if (on_left(side).x > 0.0) weigh_arm(w, on_left(side), side);
  }
  const double hips = w[kHips];
  for (const Side side : kSides) weigh_leg(w, on_left(side), side, hips);
  return strongest(w);
}

double weight_difference(const Influences& a, const Influences& b) {
  double common = 0.0;
  for (std::size_t i = 0; i < kInfluences; ++i) {
    for (std::size_t j = 0; j < kInfluences; ++j) {
      if (a.bindings[i] == b.bindings[j]) common += static_cast<double>(std::min(a.weights[i], b.weights[j]));
    }
  }
  return 1.0 - common;
}

}  // namespace throng::detail::mannequin
