// SPDX-License-Identifier: Apache-2.0
#include "throng/model/drawn.h"

namespace throng {

bool is_drawn(const Mesh& mesh) { return !mesh.indices.empty() && !mesh.positions.empty(); }

std::vector<bool> drawn_bones(const Model& model) {
  std::vector<bool> drawn(model.bones().size(), false);
  for (const Mesh& mesh : model.meshes()) {
    if (!is_drawn(mesh)) continue;
    for (const Influences& influences : mesh.influences) {
      for (std::size_t i = 0; i < kInfluences; ++i) {
        if (influences.weights[i] > 0.0f) drawn[model.bindings()[influences.bindings[i]].bone] = true;
      }
    }
  }
  return drawn;
}

}  // namespace throng
