// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bone's motion over the ground is the character's.

#include <optional>
#include <span>
#include <string>

#include "throng/base/result.h"
#include "throng/model/model.h"

namespace throng::detail::clip_facts {

// The bone of that name, or, for an empty one, as throng/clip_facts/decide.h says; nothing when no bone moves over the
// ground. An error names bones spelled like one that does not exist. `height`: of the model.
Result<std::optional<std::uint32_t>> find_root_bone(const Model& model, std::span<const Clip> clips,
                                                    const std::string& name, double height);

}  // namespace throng::detail::clip_facts
