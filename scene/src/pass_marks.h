// SPDX-License-Identifier: Apache-2.0
#pragma once
// How far the GPU is with a picture: an event behind every pass, which the host looks at while it waits.

#include <vector>

#include "throng/gpu/gpu_device.h"

namespace throng::detail::scene {

class PassMarks {
 public:
  PassMarks() = default;
  static Result<PassMarks> create(const GpuDevice& gpu);

  // Before a picture is recorded; the last one has finished.
  Result<void> begin();
  // Marks the end of a pass; call outside of rendering. Passes beyond the first few are not marked.
  void mark(VkCommandBuffer commands);
  // The share of the marked passes that the GPU is through with.
  double share() const;

 private:
  const GpuDevice* gpu_ = nullptr;
  std::vector<VkOwned<VkEvent>> events_;
  std::size_t used_ = 0;
};

}  // namespace throng::detail::scene
