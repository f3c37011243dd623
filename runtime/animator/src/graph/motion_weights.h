// SPDX-License-Identifier: Apache-2.0
#pragma once
// How much of each child a blend tree plays. Weights are not negative and sum to one, for any finite place.

#include <glm/glm.hpp>
#include <span>

#include "graph/graph_data.h"

namespace throng::detail::animator {

// Children in order of `at.x`. Of those at one place, the first plays.
void weigh_1d(std::span<const TreeChild> children, float x, std::span<float> weights);
// Gradient bands, cartesian or directional. Children at one place share its weight.
void weigh_2d(const Tree& tree, const glm::vec2& at, std::span<float> weights);
// What weigh_2d needs of the children alone.
std::vector<glm::dvec2> make_bands(MotionKind kind, std::span<const TreeChild> children);
// Weights as wanted, scaled to sum to one; where nothing is wanted the first child gets all.
void weigh_direct(std::span<const TreeChild> children, std::span<const double> parameters, std::span<float> weights);

// The weight of every leaf, and the seconds a loop takes in every group of clocks (at least one; a motion without
// length: 1).
void weigh_motion(const StateMotion& motion, std::span<const double> parameters, std::span<float> leaf_weights,
                  std::span<double> group_lengths);

}  // namespace throng::detail::animator
