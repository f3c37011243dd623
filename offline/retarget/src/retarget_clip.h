// SPDX-License-Identifier: Apache-2.0
#pragma once
// One clip of one skeleton on another.

#include "retarget_plan.h"

namespace throng::detail::retarget {

// Bones alone; the clip may come out without any.
Clip retarget_clip(const RetargetPlan& plan, const Clip& clip);

}  // namespace throng::detail::retarget
