// SPDX-License-Identifier: Apache-2.0
#pragma once
// Blend shapes: offsets of control points, and how far a channel's percentage brings each shape in.

#include "fbx/mesh/mesh_source.h"

namespace throng::detail::fbx {

struct ShapeOffsets {
  std::string name;
  std::vector<glm::dvec3> points;   // one per control point
  std::vector<glm::dvec3> normals;  // one per control point, or none
};

struct Shapes {
  MorphSource source;
  std::vector<ShapeOffsets> targets;
};

// One weight per morph target, for channels at `percents`.
std::vector<double> target_weights(const MorphSource& source, const std::vector<double>& percents);

// All channels of a geometry. A channel with shapes in between has a target for each.
Result<Shapes> read_shapes(Conversion& conversion, const MeshSource& mesh);

}  // namespace throng::detail::fbx
