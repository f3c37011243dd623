#include "motion/drawn_bones.h"

namespace throng::detail::bake {

std::vector<bool> drawn_bones(const Model& model) {
  std::vector<bool> drawn(model.bones().size(), false);
  for (const Mesh& mesh : model.meshes()) {
    if (mesh.indices.empty()) continue;
    for (const Influences& influences : mesh.influences) {
      for (std::size_t i = 0; i < kInfluences; ++i) {
        if (influences.weights[i] > 0.0f) drawn[model.bindings()[influences.bindings[i]].bone] = true;
      }
    }
  }
  return drawn;
}

}  // namespace throng::detail::bake
