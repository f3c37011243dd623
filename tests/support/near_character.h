// SPDX-License-Identifier: Apache-2.0
#pragma once
// A character of a model that was made for a test: what is drawn near, and the rest pose to be played far.

#include <gtest/gtest.h>

#include <algorithm>

#include "throng/bake/bake.h"
#include "throng/motion/pack_near_mesh.h"

namespace throng::test {

inline Character near_character(const Model& model, const NearMeshSettings& settings = {}) {
  ModelDraft still = model.draft();
  still.clips.clear();
  SerialExecutor executor;
  const bool tangents = std::ranges::any_of(still.meshes, [](const Mesh& mesh) { return !mesh.tangents.empty(); });
  const auto baked = bake(build_model(std::move(still)).value(), {.levels = 1, .tangents = tangents}, executor);
  EXPECT_TRUE(baked) << baked.error().message;
  CharacterDraft draft = baked->draft();
  draft.near_mesh = pack_near_mesh(model, *draft.motion, settings).value();
  return build_character(std::move(draft)).value();
}

}  // namespace throng::test
