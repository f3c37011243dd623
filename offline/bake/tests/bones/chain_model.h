// SPDX-License-Identifier: Apache-2.0
#pragma once
// A chain of bones, some of which move: what encodings relative to the parent make links of.

#include "small_models.h"

namespace throng {

// root (still) · hips (turns and moves) · spine (still) · chest (turns) · hand (still, carries vertices); a second
// long, `keys` keys after the first.
inline ModelDraft chain(int keys = 30) {
  ModelDraft draft = bar_draft();
  const auto bone = [](const char* name, std::optional<std::uint32_t> parent, const glm::dvec3& at, double turn) {
    Bone b{name, parent, {}};
    b.rest.translation = at;
    b.rest.rotation = glm::angleAxis(turn, glm::normalize(glm::dvec3(1, 2, 3)));
    return b;
  };
  draft.bones = {bone("root", std::nullopt, {0.2, 0, 0}, 0.3), bone("hips", 0u, {0, 0.1, 0}, 0.2),
                 bone("spine", 1u, {0, 0.5, 0}, -0.4), bone("chest", 2u, {0, 0.5, 0}, 0.1),
                 bone("hand", 3u, {0.3, 0.3, 0}, 0.7)};
  draft.bones[0].rest.scale = glm::dvec3(1.5);
  std::vector<glm::dmat4> model_from_bone;
  for (const Bone& b : draft.bones) {
    const glm::dmat4 local = to_matrix(b.rest);
    model_from_bone.push_back(b.parent ? model_from_bone[*b.parent] * local : local);
  }
  draft.bindings = {{1, glm::inverse(model_from_bone[1])}, {4, glm::inverse(model_from_bone[4])}};
  const double rate = keys;
  BoneTrack hips = turning(1, {0, 1, 0}, keys + 1, rate, 0.0, [](double t) { return std::sin(2.0 * kPi * t); });
  for (int i = 0; i <= keys; ++i) {
    hips.translation.times.push_back(static_cast<float>(i / rate));
    hips.translation.values.emplace_back(0.0, 0.1 + 0.05 * std::sin(4.0 * kPi * i / rate), 0.0);
  }
  const auto nod = [](double t) { return 0.1 + 0.5 * std::sin(2.0 * kPi * t); };
  draft.clips.push_back(
      clip_of("move", {hips, turning(3, glm::normalize(glm::dvec3(1, 2, 3)), keys + 1, rate, 0.0, nod)}));
  return draft;
}

}  // namespace throng
