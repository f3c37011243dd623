// SPDX-License-Identifier: Apache-2.0
#include "near/near.h"

#include <algorithm>

#include "throng/base/try.h"
#include "throng/motion/compile_motion.h"
#include "throng/motion/pack_near_mesh.h"

namespace throng::detail::bake {

namespace {

// Keys for the default bound and for wider ones are as close as an animator takes them anyway; a narrower bound makes
// them as much closer.
constexpr double kDefaultBound = 1.0;  // millimetres on a character 1.8 m tall

MotionSettings motion_settings(const BakeSettings& settings) {
  MotionSettings motion;
  const double part = std::min(1.0, settings.max_error_mm.value_or(kDefaultBound) / kDefaultBound);
  motion.angle_tolerance *= static_cast<float>(part);
  motion.distance_tolerance *= static_cast<float>(part);
  return motion;
}

}  // namespace

Result<void> add_near(const SourceMeshes& source, const BakeSettings& settings, std::span<const ClipPlan> plans,
                      CharacterDraft& draft) {
  const Model& model = source.model;
  if (model.bones().empty() || model.bindings().empty()) return {};
  std::vector<Clip> clips;
  for (const ClipPlan& plan : plans) {
    clips.push_back(plan.clip);
    if (plan.source) clips.back().morphs = model.clips()[*plan.source].morphs;
  }
  std::vector<MotionSource> sources;
  for (std::size_t i = 0; i < plans.size(); ++i) sources.push_back({&clips[i], plans[i].facts});
  THRONG_TRY(Motion motion, compile_motion(model, sources, motion_settings(settings)));
  THRONG_TRY(NearMesh mesh, pack_near_mesh(model, motion, {.surfaces = *source.surfaces}));
  draft.motion = std::move(motion);
  draft.near_mesh = std::move(mesh);
  return {};
}

}  // namespace throng::detail::bake
