// SPDX-License-Identifier: Apache-2.0
#include "crowd/placing.h"

#include <cmath>

#include "throng/playback/pack_rotation.h"

namespace throng::detail::playback {

void write_placement(InstanceRecord& record, const Placement& placement) {
  record.position = placement.position;
  record.scale = std::copysign(placement.scale, record.scale);  // negative: hidden, and stays so
  record.rotation = pack_rotation(glm::dquat(placement.rotation));
}

}  // namespace throng::detail::playback
