// SPDX-License-Identifier: Apache-2.0
#pragma once
// What planning an image knows of a model, on the GPU and on the CPU: how tall it is, how far it reaches, how far its
// levels of detail are off. Pure.

#include <vector>

#include "throng/character/character.h"
#include "throng/plan/clip_boxes.h"
#include "throng/plan/level_quality.h"
#include "throng/shaders/shared/drawing.h"

namespace throng {

// How many levels of detail are drawn, the finest included.
std::uint32_t mesh_level_count(const Character& model);

// Of a model's record, what is the same however it is drawn: its height, its reach, and its levels. `qualities` are
// those of qualities_of().
gpu::ModelRecord model_record(const Character& model, std::span<const ClipBox> boxes, const LevelQualities& qualities);

// Of the model's box and of every clip's: its centre and, in w, its fade_reach; then half its size.
std::vector<glm::vec4> box_records(const Bounds& model, std::span<const ClipBox> clips);

// How many vertices of each level are of each part: gpu::kPartsCounted a level.
std::vector<std::uint32_t> counted_parts(const Character& model);

}  // namespace throng
