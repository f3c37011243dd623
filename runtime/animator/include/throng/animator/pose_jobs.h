// SPDX-License-Identifier: Apache-2.0
#pragma once
// The work of posing a character, as jobs that own and allocate nothing: fill in the spans, run() it, on any thread.
// run() returns whether the spans fitted; when they did not, nothing was written. Outputs may be inputs unless it says
// otherwise.

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "throng/animator/rig.h"

namespace throng {

// How much of a layer or an edit reaches each bone: 0 … 1, one float a bone, padded to whole groups of four. Empty: all
// of it.
using BoneMask = std::span<const float>;

// The pose of a clip at a time, clamped to 0 … length. Cursors remember where in the keys it was last, and of a clip in
// localv the two frames it was between, decoded; going on from there is fast, jumping costs a search and two frames.
// Zeroed cursors are right for any clip; another clip's give the right pose, slowly once.
struct SampleJob {
  const Rig& rig;
  ClipId clip = {};
  float time = 0.0f;                      // seconds from the clip's start
  std::span<std::uint32_t> cursors = {};  // rig.clips()[clip.value].cursor_count
  std::span<SoaTransform> locals = {};    // out: rig.group_count()
  std::span<float> morphs = {};           // out: rig.morph_count(), or empty: not wanted
  bool run() const;  // false, and nothing written: a clip that does not exist, or spans that do not fit
};

// A pose among those that are blended.
struct BlendInput {
  std::span<const SoaTransform> locals = {};
  std::span<const float> morphs = {};  // empty: at rest
  float weight = 0.0f;                 // negative or not finite: 0
  BoneMask mask = {};
};

// The weighted mean of poses, bone by bone: weights need not sum to one; bones for which they sum to nearly nothing are
// at rest. Rotations take the short arc to the first input (normalised linear interpolation). Inputs must not be the
// output, but for the first.
struct BlendJob {
  const Rig& rig;
  std::span<const BlendInput> inputs = {};
  std::span<SoaTransform> locals = {};
  std::span<float> morphs = {};
  bool run() const;  // false, and nothing written: spans that do not fit
};

// `over` takes the place of `under`, as far as weight (0 … 1) and mask say: what an override layer does. `locals` may
// be `under`.
struct OverrideJob {
  const Rig& rig;
  std::span<const SoaTransform> under = {};
  std::span<const SoaTransform> over = {};
  std::span<const float> under_morphs = {};
  std::span<const float> over_morphs = {};
  float weight = 1.0f;
  BoneMask mask = {};
  std::span<SoaTransform> locals = {};
  std::span<float> morphs = {};
  bool run() const;  // false, and nothing written: spans that do not fit
};

// What leads from `reference` to `pose`: rotation first taken off on the right (reference⁻¹ · pose), translations
// subtracted, scales divided (by 0: as if not scaled). Adding it to `reference` with weight 1 gives `pose`.
struct DifferenceJob {
  const Rig& rig;
  std::span<const SoaTransform> reference = {};
  std::span<const SoaTransform> pose = {};
  std::span<const float> reference_morphs = {};
  std::span<const float> pose_morphs = {};
  std::span<SoaTransform> locals = {};
  std::span<float> morphs = {};
  bool run() const;  // false, and nothing written: spans that do not fit
};

// Adds a difference, as far as weight and mask say. Weights above 1 and below 0 go further and the other way, at most
// sixteen times over.
struct AddJob {
  const Rig& rig;
  std::span<const SoaTransform> under = {};
  std::span<const SoaTransform> difference = {};
  std::span<const float> under_morphs = {};
  std::span<const float> difference_morphs = {};
  float weight = 1.0f;
  BoneMask mask = {};
  std::span<SoaTransform> locals = {};
  std::span<float> morphs = {};
  bool run() const;  // false, and nothing written: spans that do not fit
};

// model_from_bone of every bone, or of `from` and those below it only (its parent's must then be in `models`).
// `model_from_root` goes before every root.
struct LocalToModelJob {
  const Rig& rig;
  std::span<const SoaTransform> locals = {};
  std::span<Affine> models = {};  // rig.bone_count()
  Affine model_from_root = {};
  std::uint32_t from = 0;  // 0: all, whatever roots there are
  bool run() const;        // false, and nothing written: spans that do not fit
};

// model_from_mesh of every binding: what skins vertices. `palette` must not be `models`.
struct PaletteJob {
  const Rig& rig;
  std::span<const Affine> models = {};
  std::span<Affine> palette = {};  // rig.bound_bones().size()
  bool run() const;                // false, and nothing written: spans that do not fit
};

}  // namespace throng
