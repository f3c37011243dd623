// SPDX-License-Identifier: Apache-2.0
#pragma once
// Frames that need not be stored again: all but one of a clip that stands still, and those that another clip has.

#include "motion/column_sample_cache.h"

namespace throng::detail::bake {

// Whether a clip shows one pose throughout, at its frames and half-way between them.
bool stands_still(const ColumnSamples& samples);

// Where a clip's frames are: its own, or a run of another's.
struct FrameShare {
  std::size_t host = 0;
  std::uint32_t offset = 0;  // of its first frame in the host's
};

// Finds clips whose frames are a run of those of a longer one (of an earlier one where they are as long) with the same
// encoding. A host is never a guest. Clips in `alone` are neither's guest.
std::vector<FrameShare> share_frames(const ColumnSampleCache& cache, const std::vector<Encoding>& encodings,
                                     const std::vector<std::uint8_t>& alone, Executor& executor);

}  // namespace throng::detail::bake
