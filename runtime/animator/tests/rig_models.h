// SPDX-License-Identifier: Apache-2.0
#pragma once
// Small models made for one test each.

#include <cmath>
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

// A chain of bones that nods once a second as it walks along an arc, 2 m about its centre and 0.9 radians a second,
// with 30 keys a second.
inline ModelDraft arc_walker(bool loops, int keys) {
  ModelDraft draft = chain(5);
  draft.bones[0].rest.rotation = glm::angleAxis(0.5, glm::normalize(glm::dvec3(1.0, 2.0, 0.0)));
  BoneTrack root{.bone = 1, .translation = {}, .rotation = {}, .scale = {}};
  BoneTrack arm{.bone = 3, .translation = {}, .rotation = {}, .scale = {}};
  for (int key = 0; key < keys; ++key) {
    const double t = key / 30.0;
    const glm::dquat back = glm::conjugate(draft.bones[0].rest.rotation);
    const glm::dvec3 place(2.0 * (1.0 - std::cos(0.9 * t)), 0.0, 1.0 + 2.0 * std::sin(0.9 * t));
    root.translation.times.push_back(static_cast<float>(t));
    root.translation.values.emplace_back(back * (place - draft.bones[0].rest.translation));
    root.rotation.times.push_back(static_cast<float>(t));
    root.rotation.values.emplace_back(back * glm::angleAxis(0.9 * t, glm::dvec3(0.0, 1.0, 0.0)));
    arm.rotation.times.push_back(static_cast<float>(t));
    arm.rotation.values.emplace_back(glm::angleAxis(0.5 * std::sin(6.283185307179586 * t), glm::dvec3(1, 0, 0)));
  }
  draft.clips = {clip_of(0.0, static_cast<double>(root.rotation.times.back()), {root, arm})};
  draft.clips[0].loops = loops;
  return draft;
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

// A tree of bones and four clips of different lengths in which they all turn and some move and grow, with keys at 30 a
// second in one half of the bones and now and then in the other.
inline Model dancing_model(std::uint32_t bones = 23) {
  ModelDraft draft = random_tree(bones, 17);
  for (std::uint32_t bone = 0; bone < bones; ++bone) draft.bindings.push_back({bone, glm::dmat4(1.0)});
  for (std::uint32_t number = 0; number < 4; ++number) {
    const float length = 0.8f + 0.3f * static_cast<float>(number);
    Clip clip = clip_of(0.5, 0.5 + static_cast<double>(length), {});
    for (std::uint32_t bone = 0; bone < bones; ++bone) {
      BoneTrack track{bone, {}, {}, {}};
      const std::uint32_t steps = bone < bones / 2 ? 30 : 5 + bone % 3;
      for (std::uint32_t key = 0; key <= steps; ++key) {
        const float part = static_cast<float>(key) / static_cast<float>(steps);
        const float swing = std::sin(6.2831853f * part + static_cast<float>(bone + 3 * number));
        const glm::vec3 axis = glm::normalize(glm::vec3(1.0f, 0.4f * static_cast<float>(bone % 5), -0.3f));
        const float time = 0.5f + length * part;
        track.rotation.times.push_back(time);
        track.rotation.values.push_back(glm::angleAxis(0.2f * static_cast<float>(number) + 0.7f * swing, axis));
        if (bone % 4 == 0) track.translation.times.push_back(time);
        if (bone % 4 == 0) track.translation.values.emplace_back(swing, 0.5f * swing, 1.0f);
        if (bone % 6 == 0) track.scale.times.push_back(time);
        if (bone % 6 == 0) track.scale.values.emplace_back(1.0f + 0.2f * swing);
      }
      clip.bones.push_back(std::move(track));
    }
    draft.clips.push_back(std::move(clip));
  }
  return build_model(std::move(draft)).value();
}

}  // namespace throng::test
