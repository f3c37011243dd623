// SPDX-License-Identifier: Apache-2.0
#pragma once
// A skinned file of as many vertices as there are rows of weights.

#include "gltf/gltf_builder.h"

namespace throng::test {

// Vertices along +X bound to eight joints by two sets, a row of eight weights each.
inline GltfBuilder weighted_file(const std::vector<std::vector<float>>& rows) {
  GltfBuilder b;
  std::vector<float> positions, first, second;
  std::vector<std::uint8_t> first_joints, second_joints;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    positions.insert(positions.end(), {static_cast<float>(v), 0, 0});
    first.insert(first.end(), rows[v].begin(), rows[v].begin() + 4);
    second.insert(second.end(), rows[v].begin() + 4, rows[v].end());
    first_joints.insert(first_joints.end(), {0, 1, 2, 3});
    second_joints.insert(second_joints.end(), {4, 5, 6, 7});
  }
  b.append("meshes", {{"primitives",
                       {{{"attributes",
                          {{"POSITION", b.floats("VEC3", positions)},
                           {"WEIGHTS_0", b.floats("VEC4", first)},
                           {"WEIGHTS_1", b.floats("VEC4", second)},
                           {"JOINTS_0", b.accessor(first_joints, "VEC4", kU8)},
                           {"JOINTS_1", b.accessor(second_joints, "VEC4", kU8)}}}}}}});
  b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"children", {2, 3, 4, 5, 6, 7, 8}}}};
  for (int i = 0; i < 7; ++i) b.json["nodes"].push_back(Json::object());
  b.json["skins"] = {{{"joints", {1, 2, 3, 4, 5, 6, 7, 8}}}};
  return b;
}

}  // namespace throng::test
