// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mannequin, made once for all tests of a program: it takes as long as most of them.

#include "throng/mannequin/mannequin.h"

namespace throng::test {

inline const Model& mannequin_model() {
  static const Model model = make_mannequin();
  return model;
}

// The mannequin walks in place; here it goes over the ground at the speed its feet have. No other clips.
inline Model walking_mannequin() {
  constexpr double kSpeed = 1.25;  // metres a second
  ModelDraft draft = mannequin_model().draft();
  std::erase_if(draft.clips, [](const Clip& clip) { return clip.name != "walk"; });
  Clip& walk = draft.clips.at(0);
  std::erase_if(walk.bones, [](const BoneTrack& track) { return track.bone == 0; });
  BoneTrack root;
  root.translation.times = {static_cast<float>(walk.start), static_cast<float>(walk.end)};
  root.translation.values = {glm::vec3(0.0f), glm::vec3(0.0f, 0.0f, static_cast<float>(kSpeed * walk.length()))};
  walk.bones.insert(walk.bones.begin(), root);
  walk.loops = true;
  return build_model(std::move(draft)).value();
}

}  // namespace throng::test
