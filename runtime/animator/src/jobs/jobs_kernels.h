// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loops that posing a character spends its time in, four floats at a time and, where the processor can, eight:
// the same bits either way.

#include <cstdint>
#include <span>

#include "jobs/channel_plan.h"
#include "throng/animator/rig.h"

namespace throng::detail::animator::kernels {

// The bones' values of a list between key `key` and the one after it.
void sample_narrow(const KeyList& list, std::uint32_t key, float fraction, SoaTransform* locals);
void sample_wide(const KeyList& list, std::uint32_t key, float fraction, SoaTransform* locals);

// What is between two decoded frames of a clip in localv; rotations turn evenly.
struct FramePair {
  const ClipChannels& clip;
  const float *from, *to;
  float blend;
};
void mix_frames_narrow(const FramePair& frames, SoaTransform* locals);
void mix_frames_wide(const FramePair& frames, SoaTransform* locals);

// The mean of two poses; the weights sum to one.
struct Pair {
  const SoaTransform *first, *second;
  float first_weight, second_weight;
};
void blend_pair_narrow(const Pair& pair, std::size_t groups, SoaTransform* locals);
void blend_pair_wide(const Pair& pair, std::size_t groups, SoaTransform* locals);

// model_from_bone of every bone; parents come first.
void to_models_narrow(const SoaTransform* locals, std::span<const std::int32_t> parents, const Affine& model_from_root,
                      Affine* models);
void to_models_wide(const SoaTransform* locals, std::span<const std::int32_t> parents, const Affine& model_from_root,
                    Affine* models);

bool has_wide();

}  // namespace throng::detail::animator::kernels
