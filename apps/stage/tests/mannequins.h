// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mannequin, baked once for all tests, and one that leaves its place as it walks.

#include "mannequin_model.h"
#include "throng/bake/bake.h"

namespace throng::test {

inline constexpr double kMannequinWalk = 1.25;  // metres a second, as its clip is made

inline Character baked(const Model& model, BakeSettings settings = {}) {
  settings.near = false;
  settings.levels = 1;
  ThreadExecutor executor(2);
  return bake(model, settings, executor).value();
}

inline const Character& mannequin() {
  static const Character character = baked(test::mannequin_model());
  return character;
}

// Its walk has root motion, along `way` (x, z): at the speed of its feet where that is +Z.
inline Model travelling_mannequin(const glm::dvec2& way = {0.0, 1.0}) {
  ModelDraft draft = test::mannequin_model().draft();
  for (Clip& clip : draft.clips) {
    if (clip.name != "walk") continue;
    BoneTrack track;
    track.bone = 0;
    track.translation.times = {static_cast<float>(clip.start), static_cast<float>(clip.end)};
    const glm::dvec2 gone = kMannequinWalk * clip.length() * way;
    const glm::vec3 from(draft.bones[0].rest.translation);
    track.translation.values = {from, from + glm::vec3(gone.x, 0.0, gone.y)};
    std::erase_if(clip.bones, [](const BoneTrack& other) { return other.bone == 0; });
    clip.bones.insert(clip.bones.begin(), track);
  }
  return build_model(std::move(draft)).value();
}

// Its clip takes the root down by `depth` half way and up again.
inline Model sinking_mannequin(const std::string& name, float depth) {
  ModelDraft draft = test::mannequin_model().draft();
  for (Clip& clip : draft.clips) {
    if (clip.name != name) continue;
    BoneTrack track;
    track.bone = 0;
    const auto start = static_cast<float>(clip.start), end = static_cast<float>(clip.end);
    const glm::vec3 up(draft.bones[0].rest.translation);
    track.translation.times = {start, 0.5f * (start + end), end};
    track.translation.values = {up, up - glm::vec3(0.0f, depth, 0.0f), up};
    std::erase_if(clip.bones, [](const BoneTrack& other) { return other.bone == 0; });
    clip.bones.insert(clip.bones.begin(), track);
  }
  return build_model(std::move(draft)).value();
}

}  // namespace throng::test
