#pragma once
// A polygon mesh on a node as the file has it, checked: every index names something.

#include <optional>
#include <string>
#include <vector>

#include "fbx/convert.h"

namespace throng::fbx {

// Values by corner, by control point or by polygon, straight or through indices.
struct MeshLayer {
  std::string mapping;
  std::vector<double> values;
  std::optional<std::vector<std::int32_t>> indices;
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
};

// All meshes of the scene, nodes in order. Broken layers are left out, with a note; an index that names no control
// point is an error.
Result<std::vector<MeshSource>> read_mesh_sources(Conversion& conversion);

}  // namespace throng::fbx
