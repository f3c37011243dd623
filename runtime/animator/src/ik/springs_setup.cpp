// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "ik/corrections.h"
#include "throng/animator/springs.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::animator;

namespace {

constexpr double kShortestStep = 1.0 / 1000.0;
constexpr double kLongestStep = 1.0 / 20.0;

Result<void> check_chain(const Rig& rig, const SpringChain& chain, std::size_t number) {
  if (chain.bones.empty() || chain.bones.size() > kMaxChainBones) {
    return fail("spring chain {}: has {} bones; give it 1 to {}", number, chain.bones.size(), kMaxChainBones);
  }
  if (!is_chain(rig, chain.bones)) {
    return fail("spring chain {}: its bones are no chain; each must exist and be below the one before", number);
  }
  const bool amounts = is_amount(chain.stiffness) && is_amount(chain.damping) && is_amount(chain.limit) &&
                       is_amount(chain.radius) && is_amount(chain.tip) && is_finite(chain.gravity);
  if (!amounts || !(chain.inertia >= 0.0f && chain.inertia <= 1.0f)) {
    return fail("spring chain {}: a number is negative or not finite, or the inertia is not in 0 … 1", number);
  }
  return {};
}

Result<void> check(const Rig& rig, const SpringSettings& s) {
  for (std::size_t i = 0; i < s.chains.size(); ++i) {
    THRONG_CHECK(check_chain(rig, s.chains[i], i));
  }
  for (std::size_t i = 0; i < s.colliders.size(); ++i) {
    const SpringCollider& c = s.colliders[i];
    if (c.bone >= rig.bone_count()) return fail("spring collider {}: there is no bone {}", i, c.bone);
    if (!is_amount(c.radius) || !is_finite(c.from) || !is_finite(c.to)) {
      return fail("spring collider {}: a number is negative or not finite", i);
    }
  }
  if (!(s.step >= kShortestStep && s.step <= kLongestStep)) {
    return fail("springs: a step of {} s; give 0.001 to 0.05", s.step);
  }
  if (!is_finite(s.gravity) || !is_amount(s.teleport_distance) || !is_amount(s.teleport_angle)) {
    return fail("springs: gravity or a teleport limit is negative or not finite");
  }
  return {};
}

// The last bone goes on the way the chain came, at rest.
glm::vec3 tip_of(const Rig& rig, const SpringChain& chain) {
  const std::uint32_t last = chain.bones.back();
  const auto before = chain.bones.size() > 1 ? std::optional(chain.bones[chain.bones.size() - 2]) : rig.parent(last);
  const Affine& rest = rig.rest_models()[last];
  const glm::vec3 way =
      before ? position_of(rest) - position_of(rig.rest_models()[*before]) : glm::vec3(0.0f, 1.0f, 0.0f);
  const float length = chain.tip > 0.0f ? chain.tip : glm::length(way);
  const glm::vec3 tip = glm::inverse(glm::mat3(to_matrix(rest))) * (length * unit_or(way, {0.0f, 1.0f, 0.0f}));
  return is_finite(tip) ? tip : glm::vec3(0.0f);
}

}  // namespace

SpringSetup::SpringSetup(std::shared_ptr<const Rig> rig, SpringSettings settings)
    : rig_(std::move(rig)), settings_(std::move(settings)) {
  for (const SpringChain& chain : settings_.chains) {
    tips_.push_back(tip_of(*rig_, chain));
    point_count_ += chain.bones.size() + 1;
  }
}

Result<std::shared_ptr<const SpringSetup>> build_springs(std::shared_ptr<const Rig> rig, SpringSettings settings) {
  THRONG_CHECK(check(*rig, settings));
  return std::shared_ptr<const SpringSetup>(new SpringSetup(std::move(rig), std::move(settings)));
}

}  // namespace throng
