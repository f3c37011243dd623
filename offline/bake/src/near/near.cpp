// SPDX-License-Identifier: Apache-2.0
#include "near/near.h"

#include "throng/base/try.h"
#include "throng/motion/compile_motion.h"
#include "throng/motion/pack_near_mesh.h"

namespace throng::detail::bake {

Result<void> add_near(const Model& model, std::span<const ClipPlan> plans, CharacterDraft& draft) {
  if (model.bones().empty() || model.bindings().empty()) return {};
  std::vector<Clip> clips;
  for (const ClipPlan& plan : plans) {
    clips.push_back(plan.clip);
    if (plan.source) clips.back().morphs = model.clips()[*plan.source].morphs;
  }
  std::vector<MotionSource> sources;
  for (std::size_t i = 0; i < plans.size(); ++i) sources.push_back({&clips[i], plans[i].facts});
  THRONG_TRY(Motion motion, compile_motion(model, sources));
  THRONG_TRY(NearMesh mesh, pack_near_mesh(model, motion));
  draft.motion = std::move(motion);
  draft.near_mesh = std::move(mesh);
  return {};
}

}  // namespace throng::detail::bake
