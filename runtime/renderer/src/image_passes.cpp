// SPDX-License-Identifier: Apache-2.0
#include "image_passes.h"

#include "throng/base/try.h"

namespace throng::detail::renderer {

Result<void> record_image(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image, CrowdPipeline& far,
                          NearPipeline* near) {
  const NearShare share = near != nullptr ? near->share() : NearShare{};
  THRONG_CHECK(far.make_room(image, share));
  if (near != nullptr) {
    THRONG_CHECK(near->make_room(gpu, far.ring(), far.pool()));
    near->bind_draws(far.plan_set());
  }
  THRONG_CHECK(far.record_upload(commands, image, share));
  if (near != nullptr) near->record_upload(gpu, commands, image, far.pool());
  far.record_plan(commands, image);
  far.record_skinning(commands);
  if (near != nullptr) near->record_skinning(gpu, commands, image);
  far.finish(commands);
  if (near != nullptr) near->record_readbacks(gpu, commands, far.pool());
  return {};
}

}  // namespace throng::detail::renderer
