// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a picture costs once a film runs.

#include <optional>
#include <vector>

// The median of what single pictures took, in microseconds. The first ones fill buffers and caches and do not count;
// none where too few are left to tell.
std::optional<double> steady_microseconds(std::vector<double> seconds);
