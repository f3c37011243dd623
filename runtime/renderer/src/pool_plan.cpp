// SPDX-License-Identifier: Apache-2.0
#include "pool_plan.h"

#include <algorithm>

namespace throng::detail::renderer {
namespace {

// So small a limit is none: plan.comp raises it 15 octaves at most, and characters taller than that never are specks.
constexpr float kLeastSpeckPixels = 0.3f;

std::uint64_t far_limit(const PoolNeeds& needs, const PoolLimits& limits) {
  return std::min(limits.far, limits.all - needs.near_vertices);
}

// Everybody at full detail, or the budget, where that may be; one, so that there is something to bind.
std::uint64_t far_vertices(const PoolNeeds& needs, const PoolLimits& limits) {
  if (!needs.far) return 1;
  const std::uint64_t limit = far_limit(needs, limits);
  const std::uint64_t most = needs.vertex_budget > 0 ? std::min<std::uint64_t>(needs.vertex_budget, limit) : limit;
  return std::clamp<std::uint64_t>(needs.far->most, 1, std::max<std::uint64_t>(most, 1));
}

bool may_overflow(const PoolNeeds& needs, std::uint64_t far_room) {
  if (needs.far->most <= far_room) return false;
  // plan.comp keeps a budget where it can: everybody may become a speck, or the coarsest levels fit it.
  const std::uint64_t budget = needs.vertex_budget;
  const bool kept = budget > 0 && (needs.speck_pixels >= kLeastSpeckPixels || needs.far->least <= budget);
  return !kept || budget > far_room;
}

}  // namespace

std::uint64_t pool_room(const PoolNeeds& needs, const PoolLimits& limits, std::uint64_t room) {
  const std::uint64_t near = needs.near_vertices;
  const std::uint64_t far = far_vertices(needs, limits);
  if (near + far <= room) return room;
  // Neither a few more near ones nor a crowd that grows one by one must get a new pool each time.
  const std::uint64_t roomy_near = std::max(near, std::min(near + near / 2, limits.all - far));
  const std::uint64_t least = roomy_near + far;
  const std::uint64_t wanted = room > 1 ? least + least / 2 : least;
  return std::max(room, std::min(wanted, std::max(least, near + far_limit(needs, limits))));
}

PoolShares divide_pool(const PoolNeeds& needs, const PoolLimits& limits, std::uint64_t room) {
  PoolShares shares{.near = needs.near_vertices};
  if (!needs.far) return shares;
  shares.far = std::min(room - shares.near, std::max(far_limit(needs, limits), far_vertices(needs, limits)));
  shares.overflows = may_overflow(needs, shares.far);
  return shares;
}

}  // namespace throng::detail::renderer
