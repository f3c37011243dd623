// SPDX-License-Identifier: Apache-2.0
#pragma once
// What far and near characters share from image to image: the images in flight, the pool that both are skinned into,
// and the views that were shown. CharacterRenderer owns it; the pipelines of far and of near characters look into it.

#include <glm/glm.hpp>
#include <optional>
#include <utility>

#include "pool_plan.h"
#include "throng/gpu/frame_ring.h"
#include "throng/gpu/vertex_pool.h"

namespace throng::detail::renderer {

// A buffer that is replaced now and then. Its successor may have the handle that it had, but never its number: by that,
// whoever binds it knows whether to bind it again.
struct NumberedBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;  // none: number 0
  std::uint64_t number = 0;

  friend bool operator==(const NumberedBuffer&, const NumberedBuffer&) = default;
};

// clip_from_world of the last two images that are to be seen.
class ViewHistory {
 public:
  void show(const glm::mat4& view) { before_ = std::exchange(shown_, view); }
  void drop() { shown_ = before_; }  // the last one is never submitted
  // The view of the image before the last one. The first image has none: then its own, so that nothing has moved.
  glm::mat4 last() const { return before_.value_or(shown_.value_or(glm::mat4(1.0f))); }

 private:
  std::optional<glm::mat4> shown_;
  std::optional<glm::mat4> before_;
};

struct SharedImages {
  SharedImages() = default;
  // `far_vertices`: RendererSettings::pool_vertices.
  static Result<SharedImages> create(GpuDevice& gpu, std::uint32_t images_in_flight, std::uint64_t far_vertices);

  FrameRing ring;
  VertexPool pool;  // near vertices first, then far ones
  PoolLimits limits;
  PoolShares shares;  // of the last image
  ViewHistory views;
};

}  // namespace throng::detail::renderer
