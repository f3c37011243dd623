// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of a model's clips the settings ask for, and what they say about looping.

#include <optional>
#include <vector>

#include "throng/bake/bake.h"

namespace throng::detail::bake {

struct SelectedClip {
  Clip clip;                                 // told to loop or not where the settings name it
  std::optional<std::uint32_t> source = {};  // index in Model::clips(); none: the rest pose of a model without clips
};

// In the model's order. A model without clips has one, "rest", of no length. An error lists the names there are when a
// pattern matches none, and names a clip that is asked both to loop and to play once.
Result<std::vector<SelectedClip>> selected_clips(const Model& model, const BakeSettings& settings);

}  // namespace throng::detail::bake
