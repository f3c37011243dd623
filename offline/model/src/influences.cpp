// SPDX-License-Identifier: Apache-2.0
#include "throng/model/model.h"

namespace throng {

Influences strongest_four(const Mesh& mesh, std::size_t vertex) {
  Influences kept = mesh.influences[vertex];
  if (mesh.extra_influences.empty() || !(mesh.extra_influences[vertex].weights[0] > 0.0f)) return kept;
  double sum = 0.0;
  for (const float weight : kept.weights) sum += static_cast<double>(weight);
  for (float& weight : kept.weights) weight = static_cast<float>(static_cast<double>(weight) / sum);
  return kept;
}

std::vector<Influences> strongest_four(const Mesh& mesh) {
  if (mesh.extra_influences.empty()) return mesh.influences;
  std::vector<Influences> kept;
  kept.reserve(mesh.influences.size());
  for (std::size_t v = 0; v < mesh.influences.size(); ++v) kept.push_back(strongest_four(mesh, v));
  return kept;
}

}  // namespace throng
