// SPDX-License-Identifier: Apache-2.0
#pragma once
// The columns of a bake: which bone each follows, and how the baked mesh lies in that bone.

#include <optional>
#include <vector>

#include "motion/clip_plan.h"
#include "motion/column_groups.h"

namespace throng::detail::bake {

struct Column {
  std::string name;
  std::uint32_t bone = 0;
  glm::dmat4 bone_from_baked{1.0};
};

struct Columns {
  std::vector<Column> all;
  std::vector<glm::dmat4> baked_from_mesh;               // per mesh of the model
  std::vector<std::optional<std::uint32_t>> of_binding;  // per binding of the model, when a mesh uses it
  std::vector<BakedSocket> sockets;
};

// Meshes that share a binding share a reference: the matrix that takes their vertices to model space as one of their
// bones stands at rest. It is folded into the mesh, and its inverse into the columns, so that what is constant costs
// nothing. Of the references there are, the one is taken that leaves most clips with rotation and uniform scale alone.
// A socket whose bone would cost a clip that property is dropped, with a note, unless `any_matrix` says that the
// encoding holds any matrix.
Columns make_columns(const Model& model, const std::vector<ClipPlan>& plans, const std::vector<Socket>& sockets,
                     bool any_matrix, Executor& executor, std::vector<std::string>& notes);

}  // namespace throng::detail::bake
