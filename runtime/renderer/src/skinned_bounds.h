#pragma once
// Boxes around what the bones of a skeleton make of a mesh, found from the bones alone. Pure.

#include <span>

#include "throng/animator/rig.h"
#include "throng/model/model.h"

namespace throng {

struct FloatBox {
  glm::vec3 min{std::numeric_limits<float>::infinity()};
  glm::vec3 max{-std::numeric_limits<float>::infinity()};

  void add(const glm::vec3& point) {
    min = glm::min(min, point);
    max = glm::max(max, point);
  }
  void add(const FloatBox& other) {
    min = glm::min(min, other.min);
    max = glm::max(max, other.max);
  }
  bool empty() const { return min.x > max.x; }
};

// What one morph target does to the vertices of a box, per weight.
struct MorphReach {
  std::uint32_t target = 0;  // of the mesh
  FloatBox offsets;
};

// Vertices that a binding moves, in the space of its bone. Blended linearly a vertex lies among the points its bones
// alone would take it to, so the box around all that bones make of their boxes holds it.
struct BoneBox {
  std::uint32_t binding = 0;
  FloatBox box;
  float largest = 0.0f;  // number on the way from mesh space
  std::vector<MorphReach> reaches;
};

// Vertices that follow one binding most, in mesh space. Blended as dual quaternions a vertex may leave the box of those
// points, but not far: with c any point, r the blended quaternion before it is made unit length again, and R the
// distance from c of the farthest of those points, it stays within R / |r|² of c.
struct ScrewBox {
  std::uint32_t binding = 0;
  std::vector<std::uint32_t> others;  // bindings that move any of them too
  float least_weight = 1.0f;          // of `binding`, of any of them
  FloatBox box;
  std::vector<MorphReach> reaches;
};

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

}  // namespace throng
