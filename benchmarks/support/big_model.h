// SPDX-License-Identifier: Apache-2.0
#pragma once
// A generated model for vertex mode: an eel, each vertex on four of 40 bones, that swims for two seconds.

#include "measure.h"
#include "throng/model/model.h"

namespace throng::bench {

Model big_model(std::uint32_t vertices);

}  // namespace throng::bench
