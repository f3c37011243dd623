// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pictures in the window that are not its own shapes: the font, the preview, the animation texture. Each has a
// place; a new picture in a place is uploaded with the next image of the window, while earlier ones may still be drawn.

#include <array>
#include <optional>
#include <vector>

#include "throng/character/image.h"
#include "throng/gpu/descriptors.h"
#include "throng/gpu/frame_ring.h"

namespace throng::studio {

enum class Place : std::uint8_t { font, preview, texture };
inline constexpr std::size_t kPlaces = 3;

class Pictures {
 public:
  static Result<Pictures> create(GpuDevice& gpu, std::uint32_t images_in_flight);

  // Shown from the next image on.
  void put(Place place, Image image);

  // Records uploads for the image that is recorded next, whose slot is free again, and fills its descriptor sets.
  Result<void> record_uploads(VkCommandBuffer commands, FrameRing& ring);

  VkDescriptorSetLayout layout() const { return sets_.layout(); }
  VkDescriptorSet set(Place place, std::size_t slot) const { return sets_[set_index(place, slot)]; }

 private:
  struct Shown {
    ImageResource texture;
    std::optional<Image> waiting;
  };
  using StagingBuffers = std::array<Buffer, kPlaces>;

  static std::size_t index(Place place) { return static_cast<std::size_t>(place); }
  static std::size_t set_index(Place place, std::size_t slot) { return slot * kPlaces + index(place); }
  Result<void> upload(VkCommandBuffer commands, Shown& shown, Buffer& staging, FrameRing& ring);

  GpuDevice* gpu_ = nullptr;
  VkOwned<VkSampler> smooth_;
  VkOwned<VkSampler> sharp_;  // for the animation texture: a texel is a square
  DescriptorSets sets_;
  std::array<Shown, kPlaces> shown_;
  std::vector<StagingBuffers> staging_;  // of each slot
};

}  // namespace throng::studio
