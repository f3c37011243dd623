#pragma once
// How far what the texels say is from what the source's curves say, over every vertex at every frame and between.

#include "baked_mesh.h"

namespace throng {

// Fills the model's error report and the bounds of its clips; texels, vertices and bones must be in place. Positions
// are compared at seven points between each pair of frames, normals half-way. The result does not depend on the
// executor.
void measure(const Model& source, const std::vector<ClipPlan>& plans, const std::vector<VertexOrigin>& origins,
             Executor& executor, const Progress& progress, BakedModel& model);

}  // namespace throng
