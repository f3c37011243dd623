// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the handles that JavaScript holds lead to.

#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "throng/character/character.h"
#include "throng/plan/clip_boxes.h"
#include "throng/plan/crowd_plan.h"
#include "throng/playback/clock.h"
#include "throng/playback/crowd.h"

namespace throng::web {

struct CharacterHandle {
  explicit CharacterHandle(Character read) : character(std::move(read)) {}

  Character character;
  std::vector<std::uint32_t> words = {};  // of the texture that was asked for last
};

// An event, as it was met.
struct MetEvent {
  InstanceId instance = {};
  ModelId model = {};
  ClipId clip = {};
  std::uint32_t event = 0;
  double seconds = 0.0;
  float weight = 1.0f;
};

struct CrowdHandle {
  CrowdHandle() = default;
  CrowdHandle(Crowd made, const Clock& since) : crowd(std::move(made)), clock(since) {}

  Ticks now() const { return clock.now(); }

  Crowd crowd = {};
  Clock clock = Clock();
  CrowdPlan plan = CrowdPlan();
  LevelQuality asked = {.bones = 0, .interpolated = true};  // of every level, when `plan` was made
  std::vector<MetEvent> met = {};                           // in the last step
  std::vector<std::optional<Deformer>> deformers = {};      // of each model, once it was asked for
  std::vector<std::vector<ClipBox>> boxes = {};             // likewise
  std::vector<glm::vec3> positions = {};
  std::vector<glm::vec3> normals = {};
  std::vector<Cursor> cursors = {};
};

}  // namespace throng::web
