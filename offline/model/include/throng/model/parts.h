// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an artist calls one thing: a body, a helmet, a sword. Packs often hang several on one hand and leave the choice
// to whoever uses them.

#include <optional>
#include <string>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// The meshes of one node, or of several nodes of one name.
struct ModelPart {
  std::string name;                   // Mesh::part, or the mesh's own where that is empty
  std::vector<std::uint32_t> meshes;  // those with triangles
  std::size_t triangles = 0;
  std::optional<std::uint32_t> bone;  // that it hangs on whole; nothing: it bends
};

// The parts of a model, in the order of their first meshes.
std::vector<ModelPart> parts_of(const Model& model);

// The part that each mesh is of, counted as parts_of does; those past `most` are all of the last number. A mesh without
// triangles is of part 0.
std::vector<std::uint8_t> part_numbers(const Model& model, std::size_t most);

// The model without the meshes of parts that are not kept; `kept` has an entry for each of parts_of. Bones, clips and
// sockets stay as they are.
Result<Model> with_parts(const Model& model, const std::vector<bool>& kept);

}  // namespace throng
