// SPDX-License-Identifier: Apache-2.0
#include "core/preview/source_model.h"

#include "throng/bake/bake.h"
#include "throng/base/try.h"
#include "throng/pose/pose.h"

namespace throng::studio {
namespace {

constexpr int kMomentsLookedAt = 9;

Pose pose_at(const Model& model, std::optional<std::uint32_t> clip, double time) {
  return clip ? sample(model, model.clips()[*clip], time) : rest_pose(model);
}

}  // namespace

// A bake without clips takes no time to speak of, and packs the meshes as near characters are drawn.
Result<SourceModel> SourceModel::make(const std::shared_ptr<const Imported>& imported) {
  ModelDraft draft = imported->model.draft();
  draft.clips.clear();
  THRONG_TRY(const Model still, build_model(std::move(draft)));
  BakeSettings settings;
  settings.levels = 1;
  settings.max_error_mm.reset();
  settings.side_groups = imported->groups;
  SerialExecutor executor;
  THRONG_TRY(Character character, bake(still, settings, executor));
  THRONG_CHECK(character.near_mesh());
  return SourceModel(imported, std::move(character));
}

SourcePose SourceModel::pose(std::optional<std::uint32_t> clip, double time) const {
  const Pose pose = pose_at(model(), clip, time);
  SourcePose out;
  for (const glm::dmat4& model_from_bone : model_from_bones(model(), pose))
    out.model_from_bones.push_back(to_affine(glm::mat4(model_from_bone)));
  for (const auto& weights : pose.morph_weights)
    for (const double weight : weights) out.morph_weights.push_back(static_cast<float>(weight));
  return out;
}

Bounds SourceModel::bounds(std::optional<std::uint32_t> clip) const {
  if (!clip) return pose_bounds(model(), rest_pose(model()));
  const Clip& moved = model().clips()[*clip];
  Bounds bounds;
  for (int i = 0; i < kMomentsLookedAt; ++i) {
    const double time = moved.start + moved.length() * i / (kMomentsLookedAt - 1);
    bounds.add(pose_bounds(model(), sample(model(), moved, time)));
  }
  return bounds;
}

}  // namespace throng::studio
