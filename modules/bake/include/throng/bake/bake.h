#pragma once
// Model → BakedModel: every clip sampled into an animation texture, and the error of doing so measured against the
// source's curves.

#include <cstdint>

#include "throng/asset/baked_model.h"
#include "throng/base/executor.h"
#include "throng/base/progress.h"
#include "throng/model/model.h"

namespace throng {

struct BakeSettings {
  double frame_rate = 30.0;                      // wanted; each clip takes the nearest that fits it (see frame_plan.h)
  std::uint32_t max_atlas_size = kMaxAtlasSize;  // 16 to 16384
  bool drop_morphs = false;                      // bake a model with animated morph targets without them
  std::vector<std::string> notes = {};           // from the import, to be kept with the asset
};

// Refused in words: a model without meshes or vertices, one whose bones scale non-uniformly, shear or mirror from their
// reference pose (q16 cannot hold that), animated morph targets (unless dropped), a clip that does not fit in one
// layer. A model without clips is baked with one clip of one frame, its rest pose, named "rest". The result is the same
// for any executor.
Result<BakedModel> bake(const Model& model, const BakeSettings& settings, Executor& executor,
                        const Progress& progress = {});

}  // namespace throng
