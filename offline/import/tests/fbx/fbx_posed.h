// SPDX-License-Identifier: Apache-2.0
#pragma once
// What tests of FBX files ask of what was imported.

#include <string_view>
#include <vector>

#include "fbx_builder.h"

namespace throng::test {

inline std::vector<glm::dvec3> posed(const Model& model, const Pose& pose, std::size_t mesh = 0) {
  return skin_mesh(model, mesh, pose, skinning_palette(model, pose)).positions;
}

inline bool noted(const Imported& imported, std::string_view text) {
  for (const std::string& note : imported.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

// Shapes at 50 and 100 percent: the first lifts the second point by 1, the second moves it by 4 to the side.
inline FbxBuilder with_shapes() {
  FbxBuilder b;
  b.model(1, "triangle", 0, {}, "Mesh");
  b.triangle(2, 1);
  b.object("Deformer", 10, "Deformer", "", "BlendShape", "");
  b.connect(10, 2);
  b.object("Deformer", 11, "SubDeformer", "smile", "BlendShapeChannel",
           "DeformPercent: 25\nFullWeights: *2 { a: 50,100 }\n");
  b.connect(11, 10);
  b.object("Geometry", 12, "Geometry", "half", "Shape", "Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,1 }\n");
  b.object("Geometry", 13, "Geometry", "full", "Shape", "Indexes: *1 { a: 1 }\nVertices: *3 { a: 4,0,0 }\n");
  b.connect(12, 11);
  b.connect(13, 11);
  return b;
}

}  // namespace throng::test
