// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far the surface of a model is from where it should be, over its poses: for what an import or a crowd cannot keep.

#include <cstdint>
#include <string>
#include <vector>

#include "throng/base/progress.h"
#include "throng/character/skin_method.h"
#include "throng/model/model.h"

namespace throng::detail::import {

// A model as it is blended.
struct Blended {
  const Model& model;
  SkinMethod method = SkinMethod::linear;
};

struct SurfaceShift {
  double distance = 0.0;  // the farthest that a vertex is off, in the model's units
  double height = 0.0;    // of the model at rest, in the same; its width where it is flat
  std::string clip;       // where that is; none: at rest
  double time = 0.0;

  // "12.3 mm on a character 1.8 m tall (clip 'walk' at 0.40 s)"
  std::string text() const;
};

// Between two models of the same bones, vertices and clips, at rest and at some moments of every clip. `meshes`: the
// ones to look at. `progress` hears of it as "surface".
SurfaceShift surface_shift(const Blended& right, const Blended& shown, const std::vector<std::uint32_t>& meshes,
                           const Progress& progress = {});

}  // namespace throng::detail::import
