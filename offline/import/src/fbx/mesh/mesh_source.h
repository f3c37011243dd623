// SPDX-License-Identifier: Apache-2.0
#pragma once
// A polygon mesh on a node as the file has it, checked: every index names something.

#include <optional>
#include <string>
#include <vector>

#include "fbx/convert.h"

namespace throng::detail::fbx {

// Values by corner or by control point, straight or through indices.
struct MeshLayer {
  bool by_point = false;
  std::size_t width = 0;  // numbers a value
  std::vector<double> values;
  std::optional<std::vector<std::int32_t>> indices;

  // The value of a corner of the mesh, which is at a control point.
  const double* at(std::size_t corner, std::size_t point) const {
    const std::size_t place = by_point ? point : corner;
    return values.data() + width * (indices ? static_cast<std::size_t>((*indices)[place]) : place);
  }
};

struct MeshSource {
  std::uint32_t node = 0;
  const Object* geometry = nullptr;
  std::vector<double> points;                // three numbers a control point
  std::vector<std::int32_t> corners;         // control points; the last of a polygon as −1 − point
  std::vector<std::int32_t> material_slots;  // one per polygon
  std::vector<const Object*> materials;      // what the slots name; the slot behind the last is none of them
  std::optional<MeshLayer> normals;
  std::optional<MeshLayer> uvs;
  std::optional<MeshLayer> colours;

  std::size_t point_count() const { return points.size() / 3; }
  std::uint32_t point_of(std::size_t corner) const {
    return static_cast<std::uint32_t>(corners[corner] < 0 ? -1 - corners[corner] : corners[corner]);
  }
  glm::dvec3 position(std::size_t point) const {
    return {points[point * 3], points[point * 3 + 1], points[point * 3 + 2]};
  }
};

// All meshes of the scene, nodes in order. Broken layers are left out, with a note; an index that names no control
// point is an error.
Result<std::vector<MeshSource>> read_mesh_sources(Conversion& conversion);

}  // namespace throng::detail::fbx
