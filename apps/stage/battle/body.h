// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones of a character are its limbs, told from their names: what a scene bends that knows nothing else of it.

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <vector>

#include "throng/animator/foot_placement.h"
#include "throng/animator/ik.h"
#include "throng/animator/rig.h"

struct Body {
  std::uint32_t hips = 0;
  std::uint32_t chest = 0;
  std::vector<throng::Leg> legs;  // both of them; empty: names tell no legs
  // Who has a socket in its right hand points with what hangs there, others look; empty: names tell no head.
  std::vector<throng::AimBone> aim;
  glm::vec3 axis{0.0f, 0.0f, 1.0f};           // what is pointed, in the space of the last of those bones
  glm::vec3 origin{0.0f};                     // from where
  std::optional<std::uint32_t> right_socket;  // of the rig: the right hand's
};

// `forward`: where it looks at rest, x and z.
Body find_body(const throng::Rig& rig, const glm::dvec2& forward);
