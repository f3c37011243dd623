// SPDX-License-Identifier: Apache-2.0
#include "throng/model/drawn.h"

#include <algorithm>

namespace throng {

bool is_drawn(const Mesh& mesh) { return !mesh.indices.empty() && !mesh.positions.empty(); }

std::vector<std::uint32_t> drawn_by_material(const Model& model) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    if (is_drawn(model.meshes()[mesh])) order.push_back(mesh);
  }
  std::ranges::stable_sort(order, {}, [&](std::uint32_t mesh) { return model.meshes()[mesh].material; });
  return order;
}

std::vector<std::uint32_t> drawn_materials(const Model& model) {
  std::vector<std::uint32_t> materials;
  for (const std::uint32_t mesh : drawn_by_material(model)) {
    const std::uint32_t material = model.meshes()[mesh].material;
    if (materials.empty() || materials.back() != material) materials.push_back(material);
  }
  return materials;
}

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
