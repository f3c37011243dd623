// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the mannequin can do. Every clip plays in place.

#include <vector>

#include "throng/model/model.h"

namespace throng::detail::mannequin {

// Metres a second the ground passes under the planted foot.
inline constexpr double kWalkSpeed = 1.25;
inline constexpr double kRunSpeed = 3.3;

std::vector<Clip> make_gaits();     // walk, run
std::vector<Clip> make_moods();     // idle, jump, cheer, wave, dance
std::vector<Clip> make_fighting();  // guard, attack, hit, death

}  // namespace throng::detail::mannequin
