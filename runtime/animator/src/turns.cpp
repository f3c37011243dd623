#include "turns.h"

#include <algorithm>

namespace throng {

glm::vec3 square_to(const glm::vec3& v) {
  const glm::vec3 a = glm::abs(v);
  glm::vec3 axis(0.0f, 0.0f, 1.0f);
  if (a.x <= a.y && a.x <= a.z) {
    axis = {1.0f, 0.0f, 0.0f};
  } else if (a.y <= a.z) {
    axis = {0.0f, 1.0f, 0.0f};
  }
  return unit_or(glm::cross(v, axis), {1.0f, 0.0f, 0.0f});
}

glm::vec3 unit_or(const glm::vec3& v, const glm::vec3& otherwise) {
  // By the largest component first: squares of tiny and of huge numbers leave the range of floats.
  const float largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(largest > 1e-30f) || !is_finite(v)) return otherwise;
  return glm::normalize(v / largest);
}

glm::quat arc(const glm::vec3& from, const glm::vec3& to, const glm::vec3& about) {
  const float cosine = glm::dot(from, to);
  // Half a turn but for what a float cannot tell from one.
  if (cosine < -0.9999999f) return glm::quat(0.0f, about.x, about.y, about.z);
  const glm::vec3 axis = glm::cross(from, to);
  return glm::normalize(glm::quat(1.0f + cosine, axis.x, axis.y, axis.z));
}

float angle_between(const glm::vec3& unit_a, const glm::vec3& unit_b) {
  return std::atan2(glm::length(glm::cross(unit_a, unit_b)), glm::dot(unit_a, unit_b));
}

float angle_of(const glm::quat& turn) {
  return 2.0f * std::atan2(std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), std::abs(turn.w));
}

glm::quat part_of(const glm::quat& turn, float share) {
  if (share <= 0.0f) return kNoTurn;
  const glm::quat near = turn.w < 0.0f ? -turn : turn;
  return share >= 1.0f ? near : glm::normalize(glm::slerp(kNoTurn, near, share));
}

glm::quat limited(const glm::quat& turn, float most) {
  const float angle = angle_of(turn);
  return angle <= most ? turn : part_of(turn, std::max(most, 0.0f) / angle);
}

glm::vec3 within_cone(const glm::vec3& direction, const glm::vec3& axis, float most) {
  const float angle = angle_between(axis, direction);
  if (angle <= most) return direction;
  return unit_or(part_of(arc(axis, direction), std::max(most, 0.0f) / angle) * axis, axis);
}

glm::quat turn_of(const Affine& affine) {
  const auto& r = affine.rows;
  const glm::vec3 first(r[0].x, r[1].x, r[2].x), second(r[0].y, r[1].y, r[2].y), third(r[0].z, r[1].z, r[2].z);
  glm::vec3 x = unit_or(first, {1.0f, 0.0f, 0.0f});
  const glm::vec3 y = unit_or(without(unit_or(second, square_to(x)), x), square_to(x));
  glm::vec3 z = glm::cross(x, y);
  if (glm::dot(z, third) >= 0.0f) return glm::normalize(glm::quat_cast(glm::mat3(x, y, z)));
  return glm::normalize(glm::quat_cast(glm::mat3(-x, -y, z)));
}

glm::vec3 direction_of(const Affine& affine, const glm::vec3& v) {
  const auto& r = affine.rows;
  return {glm::dot(glm::vec3(r[0]), v), glm::dot(glm::vec3(r[1]), v), glm::dot(glm::vec3(r[2]), v)};
}

namespace {

// The frame a bone's local rotation is told in.
glm::quat parent_turn(const PoseEdit& pose, std::uint32_t bone) {
  const auto parent = pose.rig.parent(bone);
  return turn_of(parent ? pose.models[*parent] : pose.model_from_root);
}

void turn_local(const PoseEdit& pose, const Turn& turn, float weight) {
  const glm::quat parent = parent_turn(pose, turn.bone);
  const glm::quat by = glm::conjugate(parent) * part_of(turn.by, weight) * parent;
  BoneTransform local = local_of(pose.locals, turn.bone);
  local.rotation = glm::normalize(by * local.rotation);
  set_local(pose.locals, turn.bone, local);
}

}  // namespace

void update_models(const PoseEdit& pose, std::uint32_t from) {
  LocalToModelJob{.rig = pose.rig,
                  .locals = pose.locals,
                  .models = pose.models,
                  .model_from_root = pose.model_from_root,
                  .from = from}
      .run();
}

void apply_turns(const PoseEdit& pose, std::span<const Turn> turns, float weight) {
  if (turns.empty() || !(weight > 0.0f)) return;
  // Parents' turns carry their children along, so each is told in the frame its parent had before any of them.
  for (const Turn& turn : turns) turn_local(pose, turn, weight);
  update_models(pose, turns.front().bone);
}

float turn_to(const PoseEdit& pose, std::uint32_t bone, const glm::quat& model_from_bone, float weight) {
  const glm::quat wanted = glm::normalize(model_from_bone);
  const Turn turn{bone, wanted * glm::conjugate(turn_of(pose.models[bone]))};
  apply_turns(pose, {&turn, 1}, weight);
  return angle_of(wanted * glm::conjugate(turn_of(pose.models[bone])));
}

bool is_chain(const Rig& rig, std::span<const std::uint32_t> bones) {
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (bones[i] >= rig.bone_count()) return false;
    if (i > 0 && (bones[i] == bones[i - 1] || !rig.is_below(bones[i], bones[i - 1]))) return false;
  }
  return !bones.empty();
}

bool PoseEdit::fits() const { return locals.size() >= rig.group_count() && models.size() >= rig.bone_count(); }

const char* to_text(IkFault fault) {
  switch (fault) {
    case IkFault::none:
      return "solved";
    case IkFault::spans:
      return "locals or models are not as long as the rig's";
    case IkFault::chain:
      return "the bones are no chain: each must exist and be below the one before";
    case IkFault::not_finite:
      return "a target, limit or weight, or the pose, is not a number";
    case IkFault::no_length:
      return "the chain or its axis has no length";
  }
  return "unknown";
}

}  // namespace throng
