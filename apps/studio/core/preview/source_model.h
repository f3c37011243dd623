// SPDX-License-Identifier: Apache-2.0
#pragma once
// The model as its artist made it, ready to be drawn before anything is baked: its meshes for the GPU, its poses from
// its own curves.

#include <memory>
#include <optional>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/character/character.h"
#include "throng/import/import.h"

namespace throng::studio {

struct SourceModel {
  std::shared_ptr<const Imported> imported;
  Character character;  // meshes, skeleton and parts; its only clip is the rest pose
};

// Takes a moment: for a worker's thread. Refused: a model that has nothing to draw.
Result<SourceModel> make_source_model(const std::shared_ptr<const Imported>& imported);

// What a near character of it is at, `time` in the clip's own seconds; at rest without a clip.
struct SourcePose {
  std::vector<Affine> model_from_bones;
  std::vector<float> morph_weights;
};
SourcePose source_pose(const Model& model, std::optional<std::uint32_t> clip, double time);

// Around what it does in the clip, looked at in a few moments.
Bounds source_bounds(const Model& model, std::optional<std::uint32_t> clip);

}  // namespace throng::studio
