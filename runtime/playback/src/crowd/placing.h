// SPDX-License-Identifier: Apache-2.0
#pragma once
// A placement as a record holds it.

#include "throng/playback/play.h"

namespace throng::detail::playback {

void write_placement(InstanceRecord& record, const Placement& placement);

}  // namespace throng::detail::playback
