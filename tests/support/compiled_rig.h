// SPDX-License-Identifier: Apache-2.0
#pragma once
// A rig of a model that was made for a test, without a bake.

#include <memory>

#include "throng/animator/rig.h"
#include "throng/motion/compile_motion.h"

namespace throng::test {

inline Result<std::shared_ptr<const Rig>> compiled_rig(const Model& model, const MotionSettings& settings = {}) {
  return compile_motion(model, settings).map([](const Motion& motion) { return build_rig(motion); });
}

}  // namespace throng::test
