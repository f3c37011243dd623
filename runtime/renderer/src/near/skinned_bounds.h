#pragma once
// Boxes around what the bones of a skeleton make of a mesh, found from the bones alone. Pure.

#include <span>

#include "throng/animator/rig.h"
#include "throng/character/near_mesh.h"
#include "throng/model/model.h"

namespace throng::detail::renderer {

// Of one mesh: for one of the two methods.
struct SkinnedBoxes {
  std::vector<BoneBox> linear;
  std::vector<ScrewBox> dual;
};

// One vertex's share of them.
struct VertexInfluence {
  std::uint32_t binding = 0;
  double weight = 0.0;
};
using InfluenceList = std::vector<std::vector<VertexInfluence>>;  // vertex by vertex, strongest first, none of zero

SkinnedBoxes linear_boxes(const Model& model, const Mesh& mesh, const InfluenceList& influences);
SkinnedBoxes dual_boxes(const Mesh& mesh, const InfluenceList& influences);

// What a mesh's boxes are moved by.
struct BoxMoves {
  std::span<const Affine> model_from_bones;
  std::span<const std::uint32_t> bound_bones;  // of every binding of the mesh's model, its bone among those
  std::span<const Binding> bindings;           // … of that model
  std::span<const float> weights;              // of the mesh's morph targets
};

// In model space; a little wider than it must be, by what floats are rounded.
FloatBox moved_bounds(const SkinnedBoxes& boxes, const BoxMoves& moves);

}  // namespace throng::detail::renderer
