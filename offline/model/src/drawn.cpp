// SPDX-License-Identifier: Apache-2.0
#include "throng/model/drawn.h"

namespace throng {

bool is_drawn(const Mesh& mesh) { return !mesh.indices.empty() && !mesh.positions.empty(); }

std::vector<bool> drawn_bones(const Model& model) {
  std::vector<bool> drawn(model.bones().size(), false);
  for (const Mesh& mesh : model.meshes()) {
    if (!is_drawn(mesh)) continue;
    for (std::size_t v = 0; v < mesh.influences.size(); ++v) {
      for_each_influence(mesh, v, [&](std::uint16_t binding, float) { drawn[model.bindings()[binding].bone] = true; });
    }
  }
  return drawn;
}

}  // namespace throng
