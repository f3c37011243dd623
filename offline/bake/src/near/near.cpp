// SPDX-License-Identifier: Apache-2.0
#include "near/near.h"

#include <algorithm>

#include "mesh/source_mesh.h"
#include "throng/base/try.h"
#include "throng/model/drawn.h"
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

// As far characters have them: where they are asked for, those of the source or, where it has none, computed.
std::vector<std::vector<glm::vec4>> near_tangents(const Model& model, const BakeSettings& settings) {
  std::vector<std::vector<glm::vec4>> tangents(model.meshes().size());
  MeshCounts counts;  // told for far characters
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    const Mesh& mesh = model.meshes()[i];
    if (!settings.tangents || !is_drawn(mesh) || !model.materials()[mesh.material].normal_image) continue;
    const SourceMesh source = complete_mesh(mesh, true, counts);
    tangents[i].assign(source.tangents.begin(), source.tangents.end());
  }
  return tangents;
}

}  // namespace

Result<void> add_near(const Model& model, const BakeSettings& settings, std::span<const ClipPlan> plans,
                      CharacterDraft& draft) {
  if (model.bones().empty() || model.bindings().empty()) return {};
  std::vector<Clip> clips;
  for (const ClipPlan& plan : plans) {
    clips.push_back(plan.clip);
    if (plan.source) clips.back().morphs = model.clips()[*plan.source].morphs;
  }
  std::vector<MotionSource> sources;
  for (std::size_t i = 0; i < plans.size(); ++i) sources.push_back({&clips[i], plans[i].facts});
  THRONG_TRY(Motion motion, compile_motion(model, sources, motion_settings(settings)));
  THRONG_TRY(NearMesh mesh, pack_near_mesh(model, motion, {.tangents = near_tangents(model, settings)}));
  draft.motion = std::move(motion);
  draft.near_mesh = std::move(mesh);
  return {};
}

}  // namespace throng::detail::bake
