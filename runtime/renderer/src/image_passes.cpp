// SPDX-License-Identifier: Apache-2.0
#include "image_passes.h"

#include "throng/base/try.h"

namespace throng::detail::renderer {
namespace {

PoolNeeds needs_of(const RendererImage& image, const FarPipeline& far, const NearPipeline* near) {
  PoolNeeds needs;
  if (near != nullptr) {
    needs.near_vertices = near->vertex_count();
    needs.near_tangents = near->tangents();
  }
  if (far.pooled()) needs.far = far.vertex_needs();
  needs.vertex_budget = image.vertex_budget;
  needs.speck_pixels = image.speck_pixels;
  return needs;
}

Result<void> make_pool_room(GpuDevice& gpu, SharedImages& images, const PoolNeeds& needs, FarPipeline& far) {
  if (needs.near_vertices >= images.limits.all)
    return fail(
        "the vertices of all near characters seen take {} bytes but this device binds {} at most; draw fewer, or with "
        "culling",
        needs.near_vertices * VertexPool::kVertexBytes, images.limits.all * VertexPool::kVertexBytes);
  const std::uint64_t room = pool_room(needs, images.limits, images.pool.room());
  if (!images.pool.holds(room, needs.tangents())) {
    THRONG_TRY(VertexPool larger, VertexPool::create(gpu, room, needs.tangents()));
    THRONG_CHECK(far.bind_pool(larger));
    images.ring.retire(std::exchange(images.pool, std::move(larger)));
  }
  images.shares = divide_pool(needs, images.limits, images.pool.room());
  return {};
}

}  // namespace

Result<void> record_image(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image, SharedImages& images,
                          FarPipeline& far, NearPipeline* near) {
  images.ring.release_finished();
  if (near != nullptr) near->plan(image, far.call_count());
  THRONG_CHECK(far.make_room(image));
  THRONG_CHECK(make_pool_room(gpu, images, needs_of(image, far, near), far));
  if (near != nullptr) THRONG_CHECK(near->make_room(gpu));
  THRONG_CHECK(far.make_sift_room(image));
  THRONG_CHECK(far.record_upload(commands, image, near != nullptr ? near->calls() : NearCalls{}));
  if (near != nullptr) near->record_upload(gpu, commands);
  far.record_plan(commands, image);
  far.record_skinning(commands, image);
  if (near != nullptr) near->record_skinning(gpu, commands, image);
  far.record_sifting(commands, image);
  far.finish(commands);
  if (near != nullptr) near->record_readbacks(gpu, commands);
  images.ring.advance();
  images.views.show(image.clip_from_world);
  if (near != nullptr) near->recorded();
  return {};
}

void drop_image(SharedImages& images, FarPipeline& far, NearPipeline& near) {
  if (!images.ring.drop()) return;
  images.views.drop();
  far.drop_image();
  near.drop_image();
}

}  // namespace throng::detail::renderer
