// SPDX-License-Identifier: Apache-2.0
#pragma once
// The mannequin's body as an implicit surface, and where its panels run. Only the left half (x >= 0) is described; the
// right mirrors it. Metres, rest pose.

#include <glm/glm.hpp>

namespace throng::detail::mannequin {

// Roughly the signed distance to the skin: negative inside.
double body_distance(const glm::dvec3& p);

// Unit outward direction of steepest increase of body_distance.
glm::dvec3 body_normal(const glm::dvec3& p);

// The point of the skin near `p`.
glm::dvec3 onto_body(glm::dvec3 p);

// How open the surroundings of a point of the skin are: 0 in a deep crease, 1 in the open.
double openness(const glm::dvec3& p, const glm::dvec3& normal);

// What a part of the skin is made of.
enum class Panel : unsigned { shell, joint, visor, accent };
inline constexpr int kPanelShapes = 13;

// Signed distance (roughly) to panel shape `i`, negative inside, measured along the skin; and what it is made of.
double panel_distance(int i, const glm::dvec3& p);
Panel panel_kind(int i);

}  // namespace throng::detail::mannequin
