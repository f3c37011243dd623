#pragma once
// Small models made for one test each.

#include <random>

#include "throng/model/model.h"

namespace throng::test {

inline Curve<glm::vec3> places(Interpolation interpolation, std::vector<float> times, std::vector<float> xs) {
  Curve<glm::vec3> curve{interpolation, std::move(times), {}};
  for (const float x : xs) curve.values.emplace_back(x, 0.0f, 0.0f);
  return curve;
}

inline Curve<glm::quat> turns(Interpolation interpolation, std::vector<float> times, std::vector<float> angles) {
  Curve<glm::quat> curve{interpolation, std::move(times), {}};
  for (const float angle : angles) curve.values.push_back(glm::angleAxis(angle, glm::vec3(0.0f, 0.0f, 1.0f)));
  return curve;
}

// `count` bones in a chain.
inline ModelDraft chain(std::uint32_t count) {
  ModelDraft draft;
  draft.name = "chain";
  for (std::uint32_t bone = 0; bone < count; ++bone) {
    const auto parent = bone == 0 ? std::nullopt : std::optional(bone - 1);
    draft.bones.push_back({"bone " + std::to_string(bone), parent, {.translation = {0.0, 1.0, 0.0}}});
  }
  return draft;
}

inline Clip clip_of(double start, double end, std::vector<BoneTrack> tracks) {
  Clip clip;
  clip.name = "clip";
  clip.start = start;
  clip.end = end;
  clip.bones = std::move(tracks);
  return clip;
}

inline Transform random_transform(std::minstd_rand& random) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto any = [&] { return number(random); };
  const glm::dquat turn(any() + 0.1, any(), any(), any());
  // One in four mirrors an axis.
  const double side = any() < -0.5 ? -1.0 : 1.0;
  return {
      {any(), any(), any()}, glm::normalize(turn), {side * (0.9 + 0.3 * any()), 0.9 + 0.3 * any(), 0.9 + 0.3 * any()}};
}

// Bones at random places, two of them without a parent.
inline ModelDraft random_tree(std::uint32_t count, unsigned seed) {
  std::minstd_rand random(seed);
  ModelDraft draft;
  draft.name = "tree";
  for (std::uint32_t bone = 0; bone < count; ++bone) {
    std::optional<std::uint32_t> parent;
    if (bone != 0 && bone != count / 3) parent = static_cast<std::uint32_t>(random() % bone);
    draft.bones.push_back({"bone " + std::to_string(bone), parent, random_transform(random)});
  }
  return draft;
}

}  // namespace throng::test
