// SPDX-License-Identifier: Apache-2.0
#include "far/pool_plan.h"

#include <algorithm>

namespace throng::detail::renderer {
namespace {

// So small a limit is none: plan.comp raises it 15 octaves at most, and characters taller than that never are specks.
constexpr float kLeastSpeckPixels = 0.3f;

}  // namespace

std::uint64_t pool_size(const VertexNeeds& needs, std::uint32_t budget, std::uint64_t largest) {
  const std::uint64_t most = budget > 0 ? std::min<std::uint64_t>(budget, largest) : largest;
  return std::clamp<std::uint64_t>(needs.most, 1, std::max<std::uint64_t>(most, 1));
}

bool may_overflow(const VertexNeeds& needs, std::uint64_t room, std::uint32_t budget, float speck_pixels) {
  if (needs.most <= room) return false;
  // plan.comp keeps a budget where it can: everybody may become a speck, or the coarsest levels fit it.
  const bool kept = budget > 0 && (speck_pixels >= kLeastSpeckPixels || needs.least <= budget);
  return !kept || budget > room;
}

}  // namespace throng::detail::renderer
