#pragma once
// What a model looks like when it is a few pixels tall.

#include "throng/asset/baked_model.h"
#include "throng/shaders/speck.h"

namespace throng {

gpu::SpeckRecord speck_record(const BakedModel& model);

}  // namespace throng
