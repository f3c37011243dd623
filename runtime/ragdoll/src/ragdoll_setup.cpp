// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "clouds.h"
#include "fit.h"
#include "joints.h"
#include "rigid.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::ragdoll;

namespace {

// Share of the model's size: no body is thinner.
constexpr float kThinnest = 0.008f;
// Share of the whole mass: no body is lighter, or the joints of heavy ones on it would not hold.
constexpr float kLightest = 0.015f;

bool is_amount_if_any(const std::optional<float>& v) { return !v || is_amount(*v); }

Result<void> check(const RagdollSettings& s) {
  if (!(is_amount(s.mass) && s.mass > 0.0f)) return fail("ragdoll: a mass of {} kg; give more than 0", s.mass);
  if (!is_amount(s.least_size) || !is_amount(s.friction))
    return fail("ragdoll: least size or friction is negative or not finite");
  if (!is_amount(s.joint_damping) || !is_amount(s.tone))
    return fail("ragdoll: joint damping or tone is negative or not finite");
  const auto is_part = [](float v) { return v >= 0.0f && v <= 1.0f; };
  if (!is_part(s.linear_damping) || !is_part(s.angular_damping)) return fail("ragdoll: a damping is not in 0 … 1");
  for (const RagdollBone& b : s.bones) {
    bool good = is_amount_if_any(b.mass) && is_amount_if_any(b.swing) && is_amount_if_any(b.twist) &&
                (!b.mass || *b.mass > 0.0f);
    if (b.hinge_range)
      good = good && std::isfinite(b.hinge_range->x) && std::isfinite(b.hinge_range->y) &&
             b.hinge_range->x <= b.hinge_range->y;
    if (b.hinge_axis) good = good && is_finite(*b.hinge_axis);
    if (!good)
      return fail("ragdoll: bone '{}': a number is negative, not finite, or a range the wrong way round", b.bone);
  }
  return {};
}

// What is said of each bone, or nothing.
Result<std::vector<const RagdollBone*>> overrides_of(const Rig& rig, const RagdollSettings& settings) {
  std::vector<const RagdollBone*> overrides(rig.bone_count(), nullptr);
  for (const RagdollBone& b : settings.bones) {
    auto bone = rig.find_bone(b.bone);
    if (!bone) return fail(with_context("ragdoll", std::move(bone).error()));
    overrides[*bone] = &b;
  }
  return overrides;
}

RagdollBody fit_body(const Rig& rig, std::uint32_t bone, const Clouds& clouds, BodyShape wanted, float& volume) {
  const Rigid bone_from_model = inverse(rigid_of(rig.rest_models()[bone]));
  std::vector<glm::vec3> points;
  points.reserve(clouds.points[bone].size());
  for (const glm::vec3& p : clouds.points[bone]) points.push_back(bone_from_model.at + bone_from_model.rotation * p);
  const FittedShape fitted = fit_shape(points, wanted, kThinnest * clouds.size);
  volume = volume_of(fitted);
  return {
      .bone = bone, .shape = fitted.shape, .centre = fitted.centre, .rotation = fitted.rotation, .half = fitted.half};
}

// Where a bone leads to: the mean of the bodies that hang on it, or the middle of its own.
glm::vec3 tip_of(const Rig& rig, std::span<const RagdollBody> bodies, std::size_t body) {
  glm::vec3 sum(0.0f);
  float count = 0.0f;
  for (const RagdollBody& b : bodies) {
    if (b.parent != static_cast<std::int32_t>(body)) continue;
    sum += position_of(rig.rest_models()[b.bone]);
    count += 1.0f;
  }
  const Rigid rest = rigid_of(rig.rest_models()[bodies[body].bone]);
  const glm::vec3 middle = rest.at + rest.rotation * bodies[body].centre;
  if (count == 0.0f) return middle;
  const glm::vec3 tip = sum / count;
  return glm::distance(tip, rest.at) > 1e-3f * glm::length(bodies[body].half) ? tip : middle;
}

void share_mass(const RagdollSettings& s, std::span<const float> volumes, std::span<const RagdollBone* const> overrides,
                std::span<RagdollBody> bodies) {
  float all = 0.0f;
  for (const float v : volumes) all += v;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const RagdollBone* wanted = overrides[bodies[i].bone];
    const float share = std::max(all > 0.0f ? volumes[i] / all : 1.0f, kLightest);
    bodies[i].mass = wanted && wanted->mass ? *wanted->mass : share * s.mass;
  }
}

}  // namespace

std::optional<std::uint32_t> RagdollSetup::body_of(std::uint32_t bone) const {
  if (bone >= carriers_.size() || carriers_[bone] < 0) return std::nullopt;
  return static_cast<std::uint32_t>(carriers_[bone]);
}

Result<std::shared_ptr<const RagdollSetup>> build_ragdoll(const Character& character, std::shared_ptr<const Rig> rig,
                                                          RagdollSettings settings) {
  THRONG_TRY(const Motion motion, character.motion());
  THRONG_TRY(const NearMesh mesh, character.near_mesh());
  if (!is_same_character(motion, rig->motion()))
    return fail("ragdoll: the rig is of another character than '{}'; build it from this one", character.name());
  return build_ragdoll(std::move(rig), &mesh, std::move(settings));
}

Result<std::shared_ptr<const RagdollSetup>> build_ragdoll(std::shared_ptr<const Rig> rig, const NearMesh* mesh,
                                                          RagdollSettings settings) {
  THRONG_CHECK(check(settings));
  if (mesh != nullptr && mesh->binding_count() != rig->bound_bones().size())
    return fail("ragdoll: the meshes follow {} bindings, the rig has {}; take both from one character",
                mesh->binding_count(), rig->bound_bones().size());
  auto setup = std::shared_ptr<RagdollSetup>(new RagdollSetup(std::move(rig), std::move(settings)));
  const Rig& bones = *setup->rig_;
  THRONG_TRY(const auto overrides, overrides_of(bones, setup->settings_));
  std::vector<BodyShape> shapes;
  for (const RagdollBone* wanted : overrides) shapes.push_back(wanted ? wanted->shape : BodyShape::automatic);
  const Clouds clouds = gather_clouds(mesh, bones, setup->settings_.least_size, shapes);
  setup->size_ = clouds.size;

  std::vector<float> volumes;
  for (std::uint32_t bone = 0; bone < bones.bone_count(); ++bone) {
    const auto parent = bones.parent(bone);
    std::int32_t carrier = parent && !clouds.apart[bone] ? setup->carriers_[*parent] : -1;
    if (clouds.has_body[bone]) {
      setup->bodies_.push_back(fit_body(bones, bone, clouds, shapes[bone], volumes.emplace_back()));
      setup->bodies_.back().parent = carrier;
      carrier = static_cast<std::int32_t>(setup->bodies_.size() - 1);
    }
    setup->carriers_.push_back(carrier);
  }
  share_mass(setup->settings_, volumes, overrides, setup->bodies_);
  const glm::vec3 forward = guess_forward(bones);
  for (std::size_t i = 0; i < setup->bodies_.size(); ++i) {
    guess_joint(bones, tip_of(bones, setup->bodies_, i), forward, overrides[setup->bodies_[i].bone], setup->bodies_[i]);
  }
  return std::shared_ptr<const RagdollSetup>(std::move(setup));
}

}  // namespace throng
