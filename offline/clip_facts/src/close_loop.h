// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops whose last pose is nearly their first one are closed exactly.

#include <span>

#include "throng/model/model.h"

namespace throng::detail::clip_facts {

// The clip with every curve ending where it starts: what is missing is made up for over its last `step` seconds, as
// straight as curves go. The curves of the bones in `except`, which carry the root motion, stay.
Clip closed_loop(Clip clip, double step, std::span<const std::uint32_t> except);

}  // namespace throng::detail::clip_facts
