// SPDX-License-Identifier: Apache-2.0
#pragma once
// How densely a clip is keyed.

#include <cstdint>
#include <optional>

#include "throng/model/model.h"

namespace throng {

// Keys a second when all keys of the clip lie on one even grid from its start to its end, not every place of which
// needs a key; nothing when they do not, or when there are fewer than two.
std::optional<double> key_rate_of(const Clip& clip);

}  // namespace throng
