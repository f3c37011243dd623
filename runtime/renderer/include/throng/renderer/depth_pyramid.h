// SPDX-License-Identifier: Apache-2.0
#pragma once
// The depth of an image in ever coarser levels, each texel the farthest of what lies under it: one look says whether
// anything in a rectangle of the picture is farther away than a box. With the last image's pyramid a crowd leaves out
// characters that stand behind others, or behind whatever else the caller drew.
//
//   image.occluders = pyramid.occluders();           none before the first was recorded
//   crowd.record_prepare(commands, image);
//   …                                                the caller's passes, depth stored
//   pyramid.record(commands, depth_view, image.clip_from_world);
//
// It knows the last image, not this one: what comes out from behind something appears one image late. Leave
// `occluders` empty for the first image after a cut.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>

#include "throng/base/result.h"
#include "throng/gpu/device.h"

namespace throng {

// What a crowd is held against: a pyramid, and the view it is of. None by default.
struct Occluders {
  VkImageView pyramid = VK_NULL_HANDLE;  // all levels, in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
  std::uint32_t width = 0;               // of the depth it was made of, in pixels
  std::uint32_t height = 0;
  std::uint32_t levels = 0;
  glm::mat4 clip_from_world{1.0f};  // that the depth was drawn with
  bool far_is_zero = true;          // depth runs from 1 (near) to 0, or the other way
  float depth_step = 0.0f;          // how far the depth's format may have rounded
};

// The depth that pyramids are made of, as the caller draws it.
struct DepthPyramidSettings {
  std::uint32_t width = 0;  // of the depth
  std::uint32_t height = 0;
  VkFormat depth = VK_FORMAT_D32_SFLOAT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkCompareOp depth_compare = VK_COMPARE_OP_GREATER;  // GREATER(_OR_EQUAL): depth runs from 1 (near) to 0
  std::uint32_t images_in_flight = 2;                 // how many recorded pyramids may be pending at once
};

class DepthPyramid {
 public:
  // Refused in words: sizes, formats and sample counts the device cannot do.
  static Result<DepthPyramid> create(const VulkanContext& context, const DepthPyramidSettings& settings);
  // The same on a device that several renderers share, with its memory and compiled pipelines.
  static Result<DepthPyramid> create(std::shared_ptr<GpuDevice> gpu, const DepthPyramidSettings& settings);
  DepthPyramid(DepthPyramid&&) noexcept;
  DepthPyramid& operator=(DepthPyramid&&) noexcept;
  // All work that was recorded with it and submitted must have finished.
  ~DepthPyramid();

  // Makes all levels anew, outside rendering. `depth` shows the depth alone of an image made with
  // VK_IMAGE_USAGE_SAMPLED_BIT; it was drawn with a viewport of all of it, and the caller has made it
  // visible to compute shaders, in `layout`.
  void record(VkCommandBuffer commands, VkImageView depth, const glm::mat4& clip_from_world,
              VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);

  // What was recorded last; none before that, and after forget().
  Occluders occluders() const;

  // For when the last recorded pyramid is never submitted after all.
  void forget();

 private:
  struct State;
  explicit DepthPyramid(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
