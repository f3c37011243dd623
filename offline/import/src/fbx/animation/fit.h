// SPDX-License-Identifier: Apache-2.0
#pragma once
// Samples become a curve: straight lines where they are as good as the motion itself, else cubics with the motion's own
// slopes, which follow FBX's cubics exactly where their handles are of the usual length.

#include <functional>
#include <vector>

#include "fbx/animation/sampling.h"
#include "throng/model/model.h"

namespace throng::detail::fbx {

// Several numbers that move together, over the file's time. `beside` are those of a moment near by: where different
// numbers mean the same, as with q and −q, the ones next to it are given.
using Motion = std::function<std::vector<double>(double time, const std::vector<double>* beside)>;

struct Watched {
  std::vector<std::vector<double>> at;  // one per sample
  // Only where cubics may be needed: half way to the next sample, and the slopes beside each.
  std::vector<std::vector<double>> between;
  std::vector<std::vector<double>> slope_before;
  std::vector<std::vector<double>> slope_after;
};

// `smooth`: there are cubics and no steps.
Watched watch(const Motion& motion, const std::vector<Sample>& samples, bool smooth);

struct Fitted {
  Interpolation interpolation = Interpolation::linear;
  std::vector<float> times;
  std::vector<double> values;  // `width` a key, three times as many in a cubic spline
};

// The numbers [first, first + width). Lines do where half way they are within `tolerance`.
Fitted fit(const Watched& watched, const std::vector<Sample>& samples, std::size_t first, std::size_t width,
           double tolerance);

}  // namespace throng::detail::fbx
