// SPDX-License-Identifier: Apache-2.0
#pragma once
// Skeletons of local8 and localv clips as shaders read them.

#include <vector>

#include "throng/character/character.h"
#include "throng/shaders/shared/pose_records.h"

namespace throng::detail::renderer {

std::vector<gpu::LinkRecord> link_records(const Character& model);
std::vector<gpu::ColumnRecord> column_records(const Character& model);

}  // namespace throng::detail::renderer
