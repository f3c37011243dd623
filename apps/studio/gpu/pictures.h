// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pictures in the window that are not its own shapes: the font, the preview, the animation texture. Each has a
// place; a new picture in a place is uploaded with the next image of the window, while earlier ones may still be drawn.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/resources.h"
#include "throng/character/image.h"

namespace throng::studio {

enum class Place : std::uint8_t { font, preview, texture };
inline constexpr std::size_t kPlaces = 3;

class Pictures {
 public:
  static Result<Pictures> create(const WindowDevice& device, std::uint32_t images_in_flight);

  // Shown from the next image on.
  void put(Place place, Image image);

  // Records uploads for image `slot`, whose last use has finished, and makes its descriptor sets.
  Result<void> record_uploads(VkCommandBuffer commands, std::uint32_t slot);

  VkDescriptorSetLayout layout() const { return layout_.get(); }
  VkDescriptorSet set(Place place, std::uint32_t slot) const { return in_flight_[slot][index(place)].set; }

 private:
  // What one image of the window uses; it holds on to the texture until its turn comes again.
  struct Use {
    std::shared_ptr<const Texture> texture;
    HostBuffer staging;
    VkDescriptorSet set = VK_NULL_HANDLE;
  };
  struct Shown {
    std::shared_ptr<const Texture> texture;
    std::optional<Image> waiting;
  };

  static std::size_t index(Place place) { return static_cast<std::size_t>(place); }
  Result<void> create_sets(std::uint32_t images_in_flight);
  Result<void> upload(VkCommandBuffer commands, Shown& shown, Use& use);
  void point(Use& use, Place place, const std::shared_ptr<const Texture>& texture);

  const WindowDevice* device_ = nullptr;
  Owned<VkSampler> smooth_;
  Owned<VkSampler> sharp_;  // for the animation texture: a texel is a square
  Owned<VkDescriptorSetLayout> layout_;
  Owned<VkDescriptorPool> pool_;
  std::array<Shown, kPlaces> shown_;
  std::vector<std::array<Use, kPlaces>> in_flight_;
};

}  // namespace throng::studio
