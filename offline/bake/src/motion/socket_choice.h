// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which places of a model become sockets: its own, and the bones that a regular expression picks.

#include "throng/bake/bake.h"

namespace throng::detail::bake {

// The model's own sockets, then the bones that the settings' expression picks (throng/bake/socket_bones.h), in the
// model's order. A bone without vertices of its own that none of the chosen clips moves against the nearest bone above
// it that has some hangs on that one, by position, rotation and scale at rest; any other is carried by itself. Names
// are unique: the model's own win, then the first. An error says what is wrong with the expression, or names some bones
// when it matches none.
Result<std::vector<Socket>> chosen_sockets(const Model& model, const BakeSettings& settings);

// Position, rotation and scale of a place; what else the matrix does (shear) is left out.
Transform to_transform(const glm::dmat4& place);

}  // namespace throng::detail::bake
