// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far what the texels say is from what the source's curves say, over every vertex at every frame and between.

#include <functional>
#include <optional>

#include "measure/compare_frame.h"

namespace throng::detail::bake {

// Adds frames [first, first + count) of a clip, and the interval to the frame after each, to `result`.
using CompareClipFrames =
    std::function<void(std::size_t clip, std::uint32_t first, std::uint32_t count, CompareResult& result)>;
using BoneOfVertex = std::function<std::string(std::uint32_t vertex)>;

// What was found of all frames of a clip, in little room.
struct MeasuredClip {
  CompareExtremes extremes;
  ErrorTally::Packed at_frames, between;

  explicit MeasuredClip(const CompareResult& result)
      : extremes(result.extremes), at_frames(result.at_frames.packed()), between(result.between.packed()) {}
};
// Per clip: the result, if it was measured earlier with the same points; it is not measured again.
using MeasuredClips = std::vector<std::optional<MeasuredClip>>;

// Between frames, every which of so many vertices is compared; more than 1 is said in the model's notes.
std::size_t compare_stride(std::size_t vertices, CharacterDraft& model, const MeasuredClips& known = {});

// Fills the model's error report, the error and bounds of each of its clips and its own bounds from comparisons in any
// mode. The result does not depend on the executor.
void measure_frames(const CompareClipFrames& compare, const BoneOfVertex& bone_of, Executor& executor,
                    const Progress& progress, CharacterDraft& model, const MeasuredClips& known = {});

// Fills the model's error report, the error and bounds of each of its clips and its own bounds; texels, table, vertices
// and bones must be in place. Positions are compared as looks.h says, normals half-way between two frames. The result
// does not depend on the executor.
void measure(const Model& source, const std::vector<ClipPlan>& plans, const ComparedPoints& points, Executor& executor,
             const Progress& progress, CharacterDraft& model, const MeasuredClips& known = {});

}  // namespace throng::detail::bake
