// SPDX-License-Identifier: Apache-2.0
#include "gltf/check/view_usage.h"

#include <set>

#include "gltf/data/accessor.h"
#include "throng/base/try.h"

namespace throng::detail::gltf {
namespace {

enum class Use : std::uint8_t { none, vertices, indices };

class ViewUses {
 public:
  ViewUses(const Document& document, Mender& mender)
      : document_(document),
        mender_(mender),
        uses_(document.model.buffer_views.size()),
        vertex_accessors_(uses_.size()) {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      const int target = document.model.buffer_views[i].target;
      if (target == kVertexTarget) uses_[i] = Use::vertices;
      if (target == kIndexTarget) uses_[i] = Use::indices;
    }
  }

  Result<void> add_vertices(std::size_t accessor_index) {
    const auto& accessor = document_.model.accessors[accessor_index];
    if (!accessor.buffer_view) return {};
    THRONG_CHECK(set(*accessor.buffer_view, Use::vertices));
    const std::size_t view = *accessor.buffer_view;
    const std::size_t stride = document_.model.buffer_views[view].byte_stride;
    vertex_accessors_[view].insert(accessor_index);
    if (stride == 0 && vertex_accessors_[view].size() > 1) {
      THRONG_CHECK(mender_.forgive(Fault::shared_view,
                                   "bufferViews[{}] holds several vertex attributes, so it needs a byteStride", view));
    }
    constexpr std::size_t kVertexAlignment = 4;
    const std::size_t step = stride != 0 ? stride : element_layout(accessor).size();
    if (accessor.byte_offset % kVertexAlignment != 0 || step % kVertexAlignment != 0) {
      return mender_.forgive(Fault::alignment, "accessors[{}] is a vertex attribute but not aligned to four bytes",
                             accessor_index);
    }
    return {};
  }

  Result<void> add_indices(std::size_t accessor_index) {
    const auto& accessor = document_.model.accessors[accessor_index];
    if (!accessor.buffer_view) return {};
    THRONG_CHECK(set(*accessor.buffer_view, Use::indices));
    return add_packed(accessor_index, "indices");
  }

  // Data that is neither vertices nor indices lies without gaps.
  Result<void> add_packed(std::size_t accessor_index, std::string_view what) {
    const auto& accessor = document_.model.accessors[accessor_index];
    if (!accessor.buffer_view) return {};
    if (document_.model.buffer_views[*accessor.buffer_view].byte_stride == 0) return {};
    return mender_.forgive(Fault::stride, "bufferViews[{}] holds {} but has a byteStride", *accessor.buffer_view, what);
  }

 private:
  Result<void> set(std::size_t view, Use use) {
    Use& current = uses_[view];
    if (current != Use::none && current != use)
      return mender_.forgive(Fault::shared_view, "bufferViews[{}] is used for both vertices and indices", view);
    current = use;
    return {};
  }

  const Document& document_;
  Mender& mender_;
  std::vector<Use> uses_;
  std::vector<std::set<std::size_t>> vertex_accessors_;
};

Result<void> add_primitive(ViewUses& uses, const source::Primitive& primitive) {
  if (primitive.indices) {
    THRONG_CHECK(uses.add_indices(*primitive.indices));
  }
  for (const auto& [name, accessor] : primitive.attributes) {
    THRONG_CHECK(uses.add_vertices(accessor));
  }
  for (const auto& target : primitive.targets) {
    for (const auto& [name, accessor] : target) {
      THRONG_CHECK(uses.add_vertices(accessor));
    }
  }
  return {};
}

}  // namespace

Result<void> check_view_usage(const Document& document, Mender& mender) {
  ViewUses uses(document, mender);
  for (std::size_t m = 0; m < document.model.meshes.size(); ++m) {
    for (const auto& primitive : document.model.meshes[m].primitives) {
      if (auto ok = add_primitive(uses, primitive); !ok) return fail("meshes[{}]: {}", m, ok.error().message);
    }
  }
  for (const auto& skin : document.model.skins) {
    if (!skin.inverse_bind_matrices) continue;
    THRONG_CHECK(uses.add_packed(*skin.inverse_bind_matrices, "inverse bind matrices"));
  }
  for (const auto& animation : document.model.animations) {
    for (const auto& sampler : animation.samplers) {
      for (const std::size_t accessor : {sampler.input, sampler.output}) {
        THRONG_CHECK(uses.add_packed(accessor, "animation keys"));
      }
    }
  }
  return {};
}

}  // namespace throng::detail::gltf
