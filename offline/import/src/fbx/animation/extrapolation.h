// SPDX-License-Identifier: Apache-2.0
#pragma once
// Curves that go on beyond their keys, as Maya's cycles do: what the file says becomes keys like any others.

#include <optional>

#include "fbx/animation/curve.h"
#include "fbx/file/element.h"

namespace throng::detail::fbx {

// What a curve's element says of the time before its first key or behind its last.
Extrapolation read_extrapolation(const Element& curve, bool behind);

// How many keys `unrolled` makes, as a real number since a file may ask for any.
double unrolled_count(const KeyCurve& curve, double from, double to);

// The curve with keys for all of its motion from one moment to another, and held beyond. Repetitions begin whole, so
// the last of them may end later. Where a repetition begins with another value than the one before it ends with, there
// is a step.
KeyCurve unrolled(const KeyCurve& curve, double from, double to);

}  // namespace throng::detail::fbx
