// SPDX-License-Identifier: Apache-2.0
#include "shared_images.h"

#include <algorithm>

#include "throng/base/try.h"
#include "throng/shaders/shared/drawing.h"

namespace throng::detail::renderer {

Result<SharedImages> SharedImages::create(GpuDevice& gpu, std::uint32_t images_in_flight, std::uint64_t far_vertices) {
  SharedImages made;
  made.ring = FrameRing(images_in_flight);
  THRONG_TRY(made.pool, VertexPool::create(gpu, 1, false));
  made.limits = {.far = far_vertices, .all = std::min<std::uint64_t>(VertexPool::most(gpu.limits()), gpu::kNotPooled)};
  return made;
}

}  // namespace throng::detail::renderer
