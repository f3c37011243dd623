// SPDX-License-Identifier: Apache-2.0
#pragma once
// What bake() reports of its progress, for the lines that show it: of `throng bake`, and of a bake on the way to a
// picture.

#include <array>

#include "time_left.h"

// Weighted by the time that each takes for the models of public collections, in their default bake: levels of detail
// take most of it, encodings between a thirtieth and a half of that.
inline constexpr std::array<Phase, 5> kBakePhases{{{"sample", "sampling poses", 1.0},
                                                   {"levels", "simplifying the mesh", 75.0},
                                                   {"choose", "choosing encodings", 18.0},
                                                   {"encode", "encoding", 0.5},
                                                   {"measure", "measuring", 1.5}}};
