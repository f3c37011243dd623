#pragma once
// Skeletons of local8 clips as shaders read them.

#include <vector>

#include "throng/asset/baked_model.h"
#include "throng/shaders/pose_records.h"

namespace throng {

std::vector<gpu::LinkRecord> link_records(const BakedModel& model);
std::vector<gpu::ColumnRecord> column_records(const BakedModel& model);

}  // namespace throng
