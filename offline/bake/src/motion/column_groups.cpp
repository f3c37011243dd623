// SPDX-License-Identifier: Apache-2.0
#include "motion/column_groups.h"

#include <algorithm>
#include <numeric>

namespace throng::detail::bake {
namespace {

class Joined {
 public:
  explicit Joined(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[std::max(find(a), find(b))] = std::min(find(a), find(b)); }

 private:
  std::vector<std::size_t> parent_;
};

std::vector<bool> used_bindings(const Model& model, Joined& joined) {
  std::vector<bool> used(model.bindings().size(), false);
  for (const Mesh& mesh : model.meshes()) {
    if (!is_drawn(mesh)) continue;
    const std::size_t first = mesh.influences[0].bindings[0];
    for (const Influences& influences : mesh.influences) {
      for (std::size_t i = 0; i < kInfluences && influences.weights[i] > 0.0f; ++i) {
        used[influences.bindings[i]] = true;
        joined.join(first, influences.bindings[i]);
      }
    }
  }
  return used;
}

}  // namespace

std::size_t count_columns(const Model& model) {
  Joined joined(model.bindings().size());
  const std::vector<bool> used = used_bindings(model, joined);
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
}

std::vector<ColumnGroup> mesh_groups(const Model& model) {
  Joined joined(model.bindings().size());
  const std::vector<bool> used = used_bindings(model, joined);
  std::vector<ColumnGroup> by_root(model.bindings().size());
  for (std::uint32_t index = 0; index < used.size(); ++index) {
    if (!used[index]) continue;
    const Binding& binding = model.bindings()[index];
    by_root[joined.find(index)].followers.push_back({binding.bone, binding.bone_from_mesh, index});
  }
  for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
    if (!is_drawn(model.meshes()[mesh])) continue;
    by_root[joined.find(model.meshes()[mesh].influences[0].bindings[0])].meshes.push_back(mesh);
  }
  std::erase_if(by_root, [](const ColumnGroup& group) { return group.followers.empty(); });
  for (ColumnGroup& group : by_root) {
    std::stable_sort(group.followers.begin(), group.followers.end(),
                     [](const Follower& a, const Follower& b) { return a.bone < b.bone; });
  }
  return by_root;
}

}  // namespace throng::detail::bake
