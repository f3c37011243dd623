// SPDX-License-Identifier: Apache-2.0
#include "root_bone.h"

#include <algorithm>
#include <cmath>

#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/clip_facts/root_motion.h"
#include "throng/model/drawn.h"

namespace throng::detail::clip_facts {
namespace {

constexpr int kLooks = 32;         // at a clip, to see whether a bone moves over the ground
constexpr double kMoves = 1e-3;    // of the model's height
constexpr double kRotates = 1e-3;  // radians

// The bones that carry more than half of all, root first: they hang on one another.
std::vector<std::uint32_t> carriers_of_most(const Model& model) {
  const std::span<const Bone> bones(model.bones());
  std::vector<std::uint32_t> carried(bones.size(), 1);  // itself and all below
  for (std::size_t bone = bones.size(); bone-- > 0;) {
    if (bones[bone].parent) carried[*bones[bone].parent] += carried[bone];
  }
  std::vector<std::uint32_t> out;
  for (std::uint32_t bone = 0; bone < bones.size(); ++bone) {
    if (2 * carried[bone] > bones.size()) out.push_back(bone);
  }
  return out;
}

// The bones that everything drawn hangs on, root first; of a model that draws nothing, those that most bones hang on.
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
  return shared ? *std::move(shared) : carriers_of_most(model);
}

bool moves_over_ground(const GroundStart& start, const glm::dmat4& model_from_bone, double height) {
  const GroundMotion ground = ground_since(start, model_from_bone);
  // A rotation alone may move the ground far, about a bone that is far from the origin: what counts is the bone.
  const glm::dvec3 moved = transform_point(ground, start.place) - start.place;
  return std::hypot(moved.x, moved.z) > kMoves * height || std::abs(ground.yaw) > kRotates;
}

// Where in a chain of bones, root first, the first is that the clip moves over the ground; `otherwise` where none
// before that is. All of a chain is looked at at once: it may be as long as a file can make it.
std::size_t first_mover(const Model& model, const Clip& whole, const std::vector<std::uint32_t>& chain, double height,
                        std::size_t otherwise) {
  const Clip clip = only_chain(model, whole, chain.back());
  if (clip.bones.empty()) return otherwise;
  const auto visit = [&](double time, const auto& see) {
    const Pose pose = sample(model, clip, time);
    glm::dmat4 model_from_bone(1.0);
    for (std::size_t i = 0; i < otherwise; ++i) {
      model_from_bone *= to_matrix(pose.bones[chain[i]]);
      see(i, model_from_bone);
    }
  };
  std::vector<GroundStart> starts(otherwise);
  visit(clip.start, [&](std::size_t i, const glm::dmat4& m) { starts[i] = ground_start(m); });
  for (int look = 1; look <= kLooks; ++look) {
    visit(clip.start + clip.length() * look / kLooks, [&](std::size_t i, const glm::dmat4& m) {
      if (moves_over_ground(starts[i], m, height)) otherwise = std::min(otherwise, i);
    });
  }
  return otherwise;
}

Result<std::uint32_t> named_bone(const Model& model, const std::string& name) {
  std::vector<std::string> names;
  for (const Bone& bone : model.bones()) names.push_back(bone.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  return fail("model '{}' has no bone '{}' to take the root motion of; {}", model.name(), name,
              did_you_mean(name, names));
}

}  // namespace

Result<std::optional<std::uint32_t>> find_root_bone(const Model& model, std::span<const Clip> clips,
                                                    const std::string& name, double height) {
  if (!name.empty()) {
    THRONG_TRY(const std::uint32_t bone, named_bone(model, name));
    return bone;
  }
  const std::vector<std::uint32_t> chain = carriers(model);
  std::size_t first = chain.size();
  for (const Clip& clip : clips) {
    if (first > 0) first = first_mover(model, clip, chain, height, first);
  }
  return first < chain.size() ? std::optional(chain[first]) : std::nullopt;
}

}  // namespace throng::detail::clip_facts
