// SPDX-License-Identifier: Apache-2.0
#pragma once
// Curves of files since 7000: times, values, and for runs of keys alike flags and four numbers.

#include "fbx/animation/takes.h"
#include "fbx/animation/tangents.h"

namespace throng::detail::fbx {

std::optional<KeyCurve> read_curve(const Element& curve, TakeTally& tally);

// Drops keys that are not after the one before, and gives nothing where a value is not finite.
std::optional<KeyCurve> checked_curve(const std::vector<FileKey>& keys, TakeTally& tally);

}  // namespace throng::detail::fbx
