// SPDX-License-Identifier: Apache-2.0
#pragma once
// Dear ImGui's shapes on Vulkan: one pipeline, a vertex and an index buffer for each image in flight. An ImTextureID is
// a Place (gpu/pictures.h).

#include <imgui.h>

#include <vector>

#include "gpu/pictures.h"

namespace throng::studio {

inline ImTextureID texture_id(Place place) {
  return reinterpret_cast<ImTextureID>(static_cast<std::uintptr_t>(place));  // NOLINT(performance-no-int-to-ptr)
}

class UiRenderer {
 public:
  static Result<UiRenderer> create(GpuDevice& gpu, const Pictures& pictures, VkFormat colour,
                                   std::uint32_t images_in_flight);

  // Inside the caller's dynamic rendering on a target of that format, for image `slot`, whose last use has finished.
  Result<void> record(VkCommandBuffer commands, const ImDrawData& shapes, const Pictures& pictures, std::size_t slot,
                      VkExtent2D target);

 private:
  struct Buffers {
    Buffer vertices;
    Buffer indices;
  };

  Result<void> upload(const ImDrawData& shapes, std::size_t slot);
  void bind(VkCommandBuffer commands, const ImDrawData& shapes, std::size_t slot);
  void bind_set(VkCommandBuffer commands, std::uint32_t number, VkDescriptorSet set);

  GpuDevice* gpu_ = nullptr;
  DescriptorSets vertex_sets_;  // one a slot
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  std::vector<Buffers> buffers_;
};

}  // namespace throng::studio
