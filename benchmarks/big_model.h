#pragma once
// A generated model for vertex mode: an eel of 120,000 vertices, each on four of 40 bones, that swims for two seconds.

#include "measure.h"
#include "throng/model/model.h"

namespace throng::bench {

Model big_model();

}  // namespace throng::bench
