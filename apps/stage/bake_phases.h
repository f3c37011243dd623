// SPDX-License-Identifier: Apache-2.0
#pragma once
// What bake() reports of its progress, for the lines that show it: of `throng bake`, and of a bake on the way to a
// picture.

#include <array>

#include "time_left.h"

// Weighted by the time that each takes for the models of public collections.
inline constexpr std::array<Phase, 5> kBakePhases{{{"sample", "sampling poses", 6.0},
                                                   {"levels", "simplifying the mesh", 25.0},
                                                   {"choose", "choosing encodings", 40.0},
                                                   {"encode", "encoding", 2.0},
                                                   {"measure", "measuring", 20.0}}};
