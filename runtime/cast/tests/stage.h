// SPDX-License-Identifier: Apache-2.0
#pragma once
// A cast of mannequins to test with, and what its characters look like, vertex by vertex.

#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "throng/bake/bake.h"
#include "throng/cast/cast.h"
#include "throng/model/model.h"

namespace throng::test {

inline constexpr double kStep = 1.0 / 60.0;

struct Mannequin {
  Model model;
  Character baked;
  std::shared_ptr<const AnimatorGraph> graph;
};

// Goes over the ground as it walks, and its bake has done that with its root motion. No other clips.
const Mannequin& walker(RootTreatment treatment = RootTreatment::extract);

// Its graph: a tree of walking and running by "speed", and "attack" on a layer of the upper body whose weight is 0.
const Mannequin& mannequin();

inline CastView far_of(float distance) { return {.eye = {distance, 0.0f, 0.0f}}; }

struct Stage {
  explicit Stage(const NearRule& rule, const Mannequin& of = mannequin());

  ActorId add(const Placement& placement, const std::string& clip = "walk", double offset = 0.0);
  ActorId spawn(const Spawn& what);
  void step(const CastView& view);
  void step(const CastView& view, Executor& executor);
  PlayState far_state(ActorId id) const;
  // In world space, in the model's own order: as its animator has them when it is near, as the crowd does when it is
  // far.
  std::vector<glm::dvec3> vertices(ActorId id);
  std::uint32_t hand() const;

  const Mannequin& who;
  Cast cast;
  Ticks now = 0;
  std::vector<std::string> heard;
};

}  // namespace throng::test
