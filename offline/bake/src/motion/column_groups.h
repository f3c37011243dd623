// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones the meshes and sockets of a model follow, and which of them must agree on what the mesh is measured in.

#include <optional>
#include <vector>

#include "throng/model/drawn.h"

namespace throng::detail::bake {

// A bone as something is bound to it.
struct Follower {
  std::uint32_t bone = 0;
  glm::dmat4 bone_from_mesh{1.0};
  std::optional<std::uint32_t> binding;  // of the model; nothing: only a socket is bound so
};

// Followers that meshes use together, bones nearest to the root first. Their meshes share one reference.
struct ColumnGroup {
  std::vector<Follower> followers;
  std::vector<std::size_t> meshes;
};

// The groups of the meshes that are drawn.
std::vector<ColumnGroup> mesh_groups(const Model& model);

// How many columns the model's meshes need.
std::size_t count_columns(const Model& model);

}  // namespace throng::detail::bake
