// SPDX-License-Identifier: Apache-2.0
// The triangle of shoulder, elbow and hand, by the law of cosines.

#include <algorithm>
#include <array>

#include "ik/corrections.h"

namespace throng {

using namespace detail::animator;

namespace {

// Sines of the bend between which the plane goes over from the rest pose's to the pose's own: about 1 and 6 degrees.
constexpr float kStraight = 0.02f;
constexpr float kBent = 0.1f;
// A rest pose bent by less (3 degrees) is no witness: that much comes from careless modelling.
constexpr float kRestBent = 0.05f;
// A pole nearer than this to the line to the target (as a sine) fades into the plane there is without it.
constexpr float kPoleAside = 0.05f;
// Share of a chain's length: bones shorter than this have no direction.
constexpr float kShortestBone = 1e-6f;
constexpr float kShortestRotation = 1e-6f;  // the square of a quaternion's length, below which it is no rotation
constexpr float kReached = 1e-4f;           // of the chain's length

struct Limb {
  glm::vec3 root, elbow, end;
  float upper = 0.0f, lower = 0.0f;  // lengths
  glm::vec3 along_upper{}, along_lower{};
  glm::vec3 hinge{};  // square to along_upper: a positive rotation about it bends

  float length() const { return upper + lower; }
};

bool has_lengths(const Limb& limb) {
  return std::min(limb.upper, limb.lower) > kShortestBone * limb.length() && limb.length() > 0.0f;
}

Limb measure(std::span<const Affine> models, const TwoBoneIk& ik) {
  Limb limb{position_of(models[ik.upper]), position_of(models[ik.lower]), position_of(models[ik.end])};
  limb.upper = glm::distance(limb.root, limb.elbow);
  limb.lower = glm::distance(limb.elbow, limb.end);
  limb.along_upper = unit_or(limb.elbow - limb.root, {0.0f, -1.0f, 0.0f});
  limb.along_lower = unit_or(limb.end - limb.elbow, limb.along_upper);
  return limb;
}

// The axis a limb bends about, of the length of the bend's sine.
glm::vec3 bend_of(const Limb& limb) { return glm::cross(limb.along_upper, limb.along_lower); }

glm::vec3 square_unit(const glm::vec3& v, const glm::vec3& axis) {
  return unit_or(perpendicular_part(v, axis), perpendicular(axis));
}

// The rest pose's hinge, carried by the upper bone to where it is now; where the limb is as good as straight at rest,
// nothing.
std::optional<glm::vec3> rest_hinge(const PoseEdit& pose, const TwoBoneIk& ik) {
  const Limb rest = measure(pose.rig.rest_models(), ik);
  const glm::vec3 bend = bend_of(rest);
  if (!has_lengths(rest) || glm::length(bend) < kRestBent) return std::nullopt;
  const glm::quat now_from_rest =
      carrying_rotation(pose.models[ik.upper]) * glm::conjugate(carrying_rotation(pose.rig.rest_models()[ik.upper]));
  return now_from_rest * glm::normalize(bend);
}

glm::vec3 choose_hinge(const PoseEdit& pose, const TwoBoneIk& ik, const Limb& limb) {
  const glm::vec3 bend = bend_of(limb);
  const float sine = glm::length(bend);
  const auto rest = rest_hinge(pose, ik);
  if (!rest) {
    // Fixed in the upper bone, so that it rotates with it.
    const glm::quat upper = carrying_rotation(pose.models[ik.upper]);
    const glm::vec3 any = upper * perpendicular(glm::conjugate(upper) * limb.along_upper);
    return square_unit(unit_or(bend, any) * smooth_step(0.0f, kStraight, sine) + any * 1e-3f, limb.along_upper);
  }
  // A pose that folds the wrong way is straightened before it bends, not bent further.
  const glm::vec3 own = unit_or(bend, *rest) * (glm::dot(bend, *rest) < 0.0f ? -1.0f : 1.0f);
  return square_unit(glm::mix(*rest, own, smooth_step(kStraight, kBent, sine)), limb.along_upper);
}

// How far the end is to be from the root: never quite the whole length where the approach is soft.
float soft_distance(float distance, float length, float softness) {
  const float width = std::clamp(softness, 0.0f, 0.5f) * length;
  const float start = length - width;
  if (distance <= start) return distance;
  if (width <= 0.0f) return length;
  return start + width * (1.0f - std::exp(-(distance - start) / width));
}

// Axes of the plane of the triangle: towards the end, towards the elbow, and the hinge.
struct Plane {
  glm::vec3 along, aside, hinge;
  glm::mat3 matrix() const { return {along, aside, hinge}; }
};
Plane plane_of(const glm::vec3& along, const glm::vec3& hinge) { return {along, glm::cross(along, hinge), hinge}; }

struct Solution {
  glm::quat upper = kNoRotation, lower = kNoRotation;
  float stretch = 1.0f;
};

// The plane the limb is to lie in.
Plane wanted_plane(const TwoBoneIk& ik, const Limb& limb, const Plane& bent, const glm::vec3& along) {
  const glm::vec3 carried = shortest_arc(bent.along, along, bent.hinge) * bent.hinge;
  const glm::vec3 hinge = square_unit(carried, along);
  if (!ik.pole) return plane_of(along, hinge);
  const glm::vec3 to_pole = unit_or(*ik.pole - limb.root, along);
  const glm::vec3 aside = perpendicular_part(to_pole, along);
  const float sine = glm::length(aside);
  const glm::vec3 pole_hinge = glm::cross(unit_or(aside, glm::cross(along, hinge)), along);
  return plane_of(along, square_unit(glm::mix(hinge, pole_hinge, smooth_step(0.0f, kPoleAside, sine)), along));
}

// Where to for a target at the root: any way that leaves the elbow at the pole.
glm::vec3 any_way(const TwoBoneIk& ik, const Limb& limb, const glm::vec3& along) {
  if (!ik.pole) return along;
  const glm::vec3 to_pole = unit_or(*ik.pole - limb.root, limb.hinge);
  return square_unit(along, to_pole);
}

Solution solve(const TwoBoneIk& ik, const Limb& limb) {
  Solution s;
  const float wanted = glm::distance(ik.target, limb.root);
  const float soft = soft_distance(wanted, limb.length(), ik.softness);
  if (soft > 0.0f) s.stretch = std::clamp(wanted / soft, 1.0f, 1.0f + std::max(ik.stretch, 0.0f));
  const float a = limb.upper, b = limb.lower;
  const float distance = std::clamp(soft, std::abs(a - b), a + b);
  // The angle by which the lower bone bends away from going straight on: 0 when stretched out, π when folded.
  const float cosine = std::clamp((distance * distance - a * a - b * b) / (2.0f * a * b), -1.0f, 1.0f);
  const float sine = std::sqrt(1.0f - cosine * cosine);
  const glm::vec3 aside = glm::cross(limb.hinge, limb.along_upper);
  const glm::vec3 lower = cosine * limb.along_upper + sine * aside;
  s.lower = shortest_arc(limb.along_lower, lower, limb.hinge);
  // Folded onto the root the end has no direction; its limit has.
  const glm::vec3 reach = a * limb.along_upper + b * lower;
  const glm::vec3 along = glm::length(reach) > kReached * limb.length() ? glm::normalize(reach) : aside;
  const Plane bent = plane_of(along, limb.hinge);
  const Plane plane = wanted_plane(ik, limb, bent, unit_or(ik.target - limb.root, any_way(ik, limb, along)));
  s.upper = glm::normalize(glm::quat_cast(plane.matrix() * glm::transpose(bent.matrix())));
  return s;
}

// Every bone from below the upper one to the end, twist bones included.
void stretch_chain(const PoseEdit& pose, const TwoBoneIk& ik, float times) {
  for (std::uint32_t bone = ik.end; bone != ik.upper; bone = *pose.rig.parent(bone)) {
    BoneTransform local = local_of(pose.locals, bone);
    local.translation *= times;
    set_local(pose.locals, bone, local);
  }
}

IkFault fault_of(const PoseEdit& pose, const TwoBoneIk& ik) {
  if (!pose.fits()) return IkFault::spans;
  const std::array bones{ik.upper, ik.lower, ik.end};
  if (!is_chain(pose.rig, bones)) return IkFault::chain;
  bool finite = is_finite(ik.target) && is_finite(ik.weight) && is_finite(ik.rotation_weight);
  finite = finite && is_finite(ik.softness) && is_finite(ik.stretch);
  finite = finite && (!ik.pole || is_finite(*ik.pole)) && (!ik.rotation || is_finite(*ik.rotation));
  for (const std::uint32_t bone : bones) finite = finite && is_finite(position_of(pose.models[bone]));
  if (!finite) return IkFault::not_finite;
  if (ik.rotation && glm::dot(*ik.rotation, *ik.rotation) < kShortestRotation) return IkFault::no_length;
  return IkFault::none;
}

// A limb of one bone only: it points at the target.
void point_limb(const PoseEdit& pose, const TwoBoneIk& ik, const Limb& limb, float weight) {
  const glm::vec3 now = unit_or(limb.end - limb.root, {0.0f, -1.0f, 0.0f});
  const Correction correction{ik.upper, shortest_arc(now, unit_or(ik.target - limb.root, now))};
  apply_corrections(pose, {&correction, 1}, weight);
}

}  // namespace

IkReport solve_two_bone(const PoseEdit& pose, const TwoBoneIk& ik) {
  if (const IkFault fault = fault_of(pose, ik); fault != IkFault::none) return refused(fault);
  Limb limb = measure(pose.models, ik);
  if (!(limb.length() > 0.0f)) return refused(IkFault::no_length);
  IkReport report{.weight = std::clamp(ik.weight, 0.0f, 1.0f)};
  const float distance = glm::distance(ik.target, limb.root);
  if (has_lengths(limb)) {
    limb.hinge = choose_hinge(pose, ik, limb);
    const Solution s = solve(ik, limb);
    report.stretch = glm::mix(1.0f, s.stretch, report.weight);
    const float soft = std::max(soft_distance(distance, limb.length(), ik.softness), std::abs(limb.upper - limb.lower));
    report.reached = std::abs(soft * s.stretch - distance) <= kReached * limb.length();
    if (report.stretch != 1.0f) stretch_chain(pose, ik, report.stretch);
    const std::array corrections{Correction{ik.upper, s.upper}, Correction{ik.lower, s.lower}};
    apply_corrections(pose, corrections, report.weight);
  } else {
    report.reached = std::abs(glm::distance(limb.end, limb.root) - distance) <= kReached * limb.length();
    point_limb(pose, ik, limb, report.weight);
  }
  if (ik.rotation) {
    const float share = report.weight * std::clamp(ik.rotation_weight, 0.0f, 1.0f);
    report.missed_angle = rotate_to(pose, ik.end, *ik.rotation, share);
  }
  report.missed = glm::distance(position_of(pose.models[ik.end]), ik.target);
  return report;
}

}  // namespace throng
