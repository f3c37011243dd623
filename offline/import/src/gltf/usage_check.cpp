// One buffer view, one use: vertices or indices or neither, and a stride only where it belongs.

#include <set>

#include "gltf/accessor.h"

namespace throng::gltf {
namespace {

enum class Use : std::uint8_t { none, vertices, indices };

class ViewUses {
 public:
  explicit ViewUses(const Document& document)
      : document_(document), uses_(document.model.bufferViews.size()), vertex_accessors_(uses_.size()) {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (document.declared_targets[i] == TINYGLTF_TARGET_ARRAY_BUFFER) uses_[i] = Use::vertices;
      if (document.declared_targets[i] == TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER) uses_[i] = Use::indices;
    }
  }

  Result<void> add_vertices(int accessor_index) {
    const auto& accessor = document_.model.accessors[static_cast<std::size_t>(accessor_index)];
    if (accessor.bufferView < 0) return {};
    if (auto ok = set(accessor.bufferView, Use::vertices); !ok) return ok;
    const auto view = static_cast<std::size_t>(accessor.bufferView);
    const std::size_t stride = document_.model.bufferViews[view].byteStride;
    vertex_accessors_[view].insert(accessor_index);
    if (stride == 0 && vertex_accessors_[view].size() > 1) {
      return fail("bufferViews[{}] holds several vertex attributes, so it needs a byteStride", view);
    }
    constexpr std::size_t kVertexAlignment = 4;
    const std::size_t step = stride != 0 ? stride : element_layout(accessor).size();
    if (accessor.byteOffset % kVertexAlignment != 0 || step % kVertexAlignment != 0) {
      return fail("accessors[{}] is a vertex attribute but not aligned to four bytes", accessor_index);
    }
    return {};
  }

  Result<void> add_indices(int accessor_index) {
    const auto& accessor = document_.model.accessors[static_cast<std::size_t>(accessor_index)];
    if (accessor.bufferView < 0) return {};
    if (auto ok = set(accessor.bufferView, Use::indices); !ok) return ok;
    return add_packed(accessor_index, "indices");
  }

  // Data that is neither vertices nor indices lies without gaps.
  Result<void> add_packed(int accessor_index, std::string_view what) {
    const auto& accessor = document_.model.accessors[static_cast<std::size_t>(accessor_index)];
    if (accessor.bufferView < 0) return {};
    if (document_.model.bufferViews[static_cast<std::size_t>(accessor.bufferView)].byteStride == 0) return {};
    return fail("bufferViews[{}] holds {} but has a byteStride", accessor.bufferView, what);
  }

 private:
  Result<void> set(int view, Use use) {
    Use& current = uses_[static_cast<std::size_t>(view)];
    if (current != Use::none && current != use)
      return fail("bufferViews[{}] is used for both vertices and indices", view);
    current = use;
    return {};
  }

  const Document& document_;
  std::vector<Use> uses_;
  std::vector<std::set<int>> vertex_accessors_;
};

Result<void> add_primitive(ViewUses& uses, const tinygltf::Primitive& primitive) {
  if (primitive.indices >= 0) {
    if (auto ok = uses.add_indices(primitive.indices); !ok) return ok;
  }
  for (const auto& [name, accessor] : primitive.attributes) {
    if (auto ok = uses.add_vertices(accessor); !ok) return ok;
  }
  for (const auto& target : primitive.targets) {
    for (const auto& [name, accessor] : target) {
      if (auto ok = uses.add_vertices(accessor); !ok) return ok;
    }
  }
  return {};
}

}  // namespace

Result<void> check_view_usage(const Document& document) {
  ViewUses uses(document);
  for (std::size_t m = 0; m < document.model.meshes.size(); ++m) {
    for (const auto& primitive : document.model.meshes[m].primitives) {
      if (auto ok = add_primitive(uses, primitive); !ok) return fail("meshes[{}]: {}", m, ok.error().message);
    }
  }
  for (const auto& skin : document.model.skins) {
    if (skin.inverseBindMatrices < 0) continue;
    if (auto ok = uses.add_packed(skin.inverseBindMatrices, "inverse bind matrices"); !ok) return ok;
  }
  for (const auto& animation : document.model.animations) {
    for (const auto& sampler : animation.samplers) {
      for (const int accessor : {sampler.input, sampler.output}) {
        if (auto ok = uses.add_packed(accessor, "animation keys"); !ok) return ok;
      }
    }
  }
  return {};
}

}  // namespace throng::gltf
