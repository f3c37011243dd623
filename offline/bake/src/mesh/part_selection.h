// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which parts of a model a bake takes.

#include "throng/bake/bake.h"

namespace throng::detail::bake {

// The model with the parts that the settings choose; nothing: it is to be baked as it is. Notes tell what was left out.
Result<std::optional<Model>> chosen_parts(const Model& model, const BakeSettings& settings,
                                          std::vector<std::string>& notes);

}  // namespace throng::detail::bake
