// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pose of a clip in localv at a time, from two decoded frames that the caller keeps: while the time stays between
// these two, nothing is decoded; in the next interval, one frame is.

#include <span>

#include "jobs/channel_plan.h"

namespace throng::detail::animator {

// Words that the caller keeps from one time to the next. Whatever is in them, the pose is right.
std::size_t kept_words(const ClipChannels& clip);

// Thousands of characters keep each their own, mostly out of reach: brings it near while other things are done.
void fetch(std::span<const std::uint32_t> kept);

// The bones that the clip's words cover, at `time` from 0 to its length; the others stay as they are in `locals`.
void sample_channels(const RigChannels& rig, const ClipChannels& clip, float time, std::span<std::uint32_t> kept,
                     SoaTransform* locals);

}  // namespace throng::detail::animator
