// SPDX-License-Identifier: Apache-2.0
#include "crowd/wearing.h"

#include <algorithm>
#include <cmath>

#include "throng/shaders/shared/parts.h"

namespace throng::detail::playback {
namespace {

// Rounded down, so that what is worn stays inside.
std::uint32_t steps_of(double distance, double size) {
  if (!(size > 0.0)) return 0;
  return static_cast<std::uint32_t>(std::clamp(distance / size, 0.0, 1.0) * gpu::kBoxSteps);
}

std::uint32_t parts_box(const Character& character, PartMask parts) {
  Bounds worn;
  for (std::uint32_t i = 0; i < character.parts().size(); ++i)
    if (parts.has(PartId(i))) worn.add(character.parts()[i].bounds);
  if (character.parts().empty()) return 0;
  if (worn.empty()) return gpu::kNothingWorn;
  const Bounds& whole = character.bounds();
  std::uint32_t box = 0;
  for (int axis = 0; axis < 3; ++axis) {
    box |= steps_of(worn.min[axis] - whole.min[axis], whole.size()[axis]) << (5 * axis);
    box |= steps_of(whole.max[axis] - worn.max[axis], whole.size()[axis]) << (15 + 5 * axis);
  }
  return box;
}

}  // namespace

void write_parts(PlayRecord& record, const Character& character, const std::optional<PartMask>& parts) {
  const PartMask worn = parts ? *parts : usual_parts(character.part_groups());
  record.hidden_parts = {static_cast<std::uint32_t>(worn.hidden()), static_cast<std::uint32_t>(worn.hidden() >> 32)};
  record.parts_box = worn.hidden() == 0 ? 0 : parts_box(character, worn);
}

PartMask read_parts(const PlayRecord& record) {
  return PartMask(std::uint64_t{record.hidden_parts.y} << 32 | record.hidden_parts.x);
}

}  // namespace throng::detail::playback
