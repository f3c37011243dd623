#include "motion/root_motion.h"

#include <algorithm>
#include <cmath>

#include "motion/drawn_bones.h"
#include "motion/patterns.h"
#include "motion/rigid.h"

namespace throng::detail::bake {
namespace {

constexpr int kLooks = 32;             // at a clip, to see whether a bone goes anywhere
constexpr double kGoes = 1e-3;         // of the model's height
constexpr double kTurns = 1e-3;        // radians
constexpr double kUpsideDown = 1e-12;  // below it the turn about +Y is rounding

std::vector<std::uint32_t> chain_to(const Model& model, std::uint32_t bone) {
  std::vector<std::uint32_t> chain{bone};
  while (const auto parent = model.bones()[chain.back()].parent) chain.push_back(*parent);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

glm::dmat4 model_from_last(const Pose& pose, const std::vector<std::uint32_t>& chain) {
  glm::dmat4 m(1.0);
  for (const std::uint32_t bone : chain) m *= to_matrix(pose.bones[bone]);
  return m;
}

glm::dquat turn(double yaw) { return glm::angleAxis(yaw, glm::dvec3(0.0, 1.0, 0.0)); }

// The turn about +Y that is nearest to the matrix in the sense of least squares.
double yaw_of(const glm::dmat3& m) {
  const double sine = m[2][0] - m[0][2];
  const double cosine = m[0][0] + m[2][2];
  const double size = glm::dot(m[0], m[0]) + glm::dot(m[1], m[1]) + glm::dot(m[2], m[2]);
  return sine * sine + cosine * cosine > kUpsideDown * size ? std::atan2(sine, cosine) : 0.0;
}

// The bones that everything drawn hangs on, root first.
std::vector<std::uint32_t> carriers(const Model& model) {
  const std::vector<bool> drawn = drawn_bones(model);
  std::optional<std::vector<std::uint32_t>> shared;
  for (std::uint32_t bone = 0; bone < drawn.size(); ++bone) {
    if (!drawn[bone]) continue;
    const std::vector<std::uint32_t> chain = chain_to(model, bone);
    if (!shared) {
      shared = chain;
      continue;
    }
    const auto end = std::mismatch(shared->begin(), shared->end(), chain.begin(), chain.end()).first;
    shared->erase(end, shared->end());
  }
  return shared.value_or(std::vector<std::uint32_t>{});
}

bool goes_anywhere(const Model& model, const Clip& whole, std::uint32_t bone, double height) {
  const Clip clip = only_chain(model, whole, bone);
  const RootPath path = root_path(model, clip, bone);
  for (int i = 1; i <= kLooks; ++i) {
    const Pose pose = sample(model, clip, clip.start + clip.length() * i / kLooks);
    const RootSample ground = ground_of(pose, path);
    const glm::dvec3 moved = glm::dvec3(model_from_last(pose, path.chain)[3]) - path.start;
    if (std::hypot(moved.x, moved.z) > kGoes * height || std::abs(ground.yaw) > kTurns) return true;
  }
  return false;
}

Result<std::uint32_t> named_bone(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const Bone& bone : model.bones()) names.push_back(bone.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  return fail("model '{}' has no bone '{}' to take the root motion of; there are {} bones, spelled most like it: {}",
              model.name(), name, names.size(), listed(nearest_names(name, names)));
}

}  // namespace

Clip only_chain(const Model& model, const Clip& clip, std::uint32_t bone) {
  const std::vector<std::uint32_t> chain = chain_to(model, bone);
  Clip out;
  out.start = clip.start;
  out.end = clip.end;
  for (const BoneTrack& track : clip.bones) {
    if (std::find(chain.begin(), chain.end(), track.bone) != chain.end()) out.bones.push_back(track);
  }
  return out;
}

RootPath root_path(const Model& model, const Clip& clip, std::uint32_t bone) {
  RootPath path;
  path.bone = bone;
  path.chain = chain_to(model, bone);
  const glm::dmat4 first = model_from_last(sample(model, clip, clip.start), path.chain);
  path.start = glm::dvec3(first[3]);
  // A bone that starts at no size is turned as the model is.
  if (well_conditioned(first)) path.bone_from_start = glm::inverse(glm::dmat3(first));
  return path;
}

RootSample ground_of(const Pose& pose, const RootPath& path) {
  const glm::dmat4 m = model_from_last(pose, path.chain);
  RootSample ground;
  ground.yaw = yaw_of(glm::dmat3(m) * path.bone_from_start);
  ground.translation = glm::dvec3(m[3]) - turn(ground.yaw) * path.start;
  ground.translation.y = 0.0;
  return ground;
}

void take_off(const Model& model, const RootSample& ground, Pose& pose) {
  const glm::dquat back = turn(-ground.yaw);
  for (std::size_t bone = 0; bone < pose.bones.size(); ++bone) {
    if (model.bones()[bone].parent) continue;
    Transform& t = pose.bones[bone];
    t.translation = back * (t.translation - ground.translation);
    t.rotation = back * t.rotation;
  }
}

glm::dmat4 to_matrix(const RootSample& ground) {
  return to_matrix(Transform{ground.translation, turn(ground.yaw), glm::dvec3(1.0)});
}

RootSample compose(const RootSample& first, const RootSample& then) {
  return {first.translation + turn(first.yaw) * then.translation, first.yaw + then.yaw};
}

RootSample between(const RootSample& from, const RootSample& to) {
  return {turn(-from.yaw) * (to.translation - from.translation), to.yaw - from.yaw};
}

Result<std::optional<std::uint32_t>> find_root_bone(const Model& model, const std::vector<SelectedClip>& clips,
                                                    const BakeSettings& settings, double height) {
  if (settings.root_motion == RootTreatment::keep) return std::nullopt;
  if (!settings.root_bone.empty()) {
    auto bone = named_bone(model, settings.root_bone);
    if (!bone) return fail(std::move(bone));
    return *bone;
  }
  for (const std::uint32_t bone : carriers(model)) {
    const auto moves = [&](const SelectedClip& one) { return goes_anywhere(model, one.clip, bone, height); };
    if (std::any_of(clips.begin(), clips.end(), moves)) return bone;
  }
  return std::nullopt;
}

}  // namespace throng::detail::bake
