#pragma once
// Draws every instance of one baked model, each in its own clip at its own time, with one indexed draw per material.
// Time passes in the shader: drawing another moment costs the CPU the same for one character as for a million.
//
// Records into the caller's command buffers, inside the caller's dynamic rendering, on the caller's device.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>

#include "throng/asset/baked_model.h"
#include "throng/base/result.h"
#include "throng/shaders/scene.h"
#include "throng/vulkan/device.h"

namespace throng {

// What the colour and shadow passes render into.
struct CrowdTargets {
  // The passes write linear light, tone-mapped to 0 … 1, and leave the curve to an _SRGB format: a UNORM target
  // receives linear values, for the caller to encode.
  VkFormat colour = VK_FORMAT_R8G8B8A8_SRGB;
  VkFormat depth = VK_FORMAT_D32_SFLOAT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_4_BIT;
  VkCompareOp depth_compare = VK_COMPARE_OP_GREATER;  // of the colour pass; GREATER: depth runs from 1 (near) to 0
  VkFormat shadow = VK_FORMAT_D32_SFLOAT;             // always LESS
  std::uint32_t images_in_flight = 2;                 // how many recorded colour passes may be pending at once
};

// What shadow passes wrote, for the colour pass to read, in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL. None: leave
// SceneUniforms::cascade_count, or the contact map's `width`, 0.
struct ShadowMaps {
  VkImageView cascades = VK_NULL_HANDLE;  // a 2D array: layer i is that of SceneUniforms::cascades[i]
  VkImageView contact = VK_NULL_HANDLE;
};

class CrowdRenderer {
 public:
  // Uploads the model and compiles its pipelines. Refused in words: a model with parts, bones or clips out of range, or
  // larger than the device's limits. `model` may go away afterwards.
  static Result<CrowdRenderer> create(const VulkanContext& context, const BakedModel& model,
                                      const CrowdTargets& targets = {});
  CrowdRenderer(CrowdRenderer&&) noexcept;
  CrowdRenderer& operator=(CrowdRenderer&&) noexcept;
  // Frees what command buffers read: all work that was recorded with it and submitted must have finished.
  ~CrowdRenderer();

  // Uploads the characters and waits for it and for all that the queue was given before. When there are more than ever
  // before the buffer grows, and command buffers recorded earlier may not be submitted any more.
  Result<void> set_instances(std::span<const InstanceRecord> instances);

  // Whether the model has clips whose poses must be worked out before they are drawn (local8).
  bool needs_poses() const;

  // Works out the poses of this moment, on the GPU; outside rendering, before the passes that draw it, once a moment.
  // Without it the passes of a model that needs poses draw nothing. For other models it records nothing.
  void record_poses(VkCommandBuffer commands, std::uint64_t now);

  // Draws depth only. The caller has begun rendering with a depth attachment of `targets.shadow`, one sample, and set
  // viewport and scissor. `now` counts ticks (timing.h). Returns how many draw calls it recorded.
  std::uint32_t record_shadow(VkCommandBuffer commands, const glm::mat4& clip_from_world, std::uint64_t now) const;

  // Draws the lit crowd. The caller has begun rendering with attachments of `targets` and set viewport and scissor.
  // Takes the next of images_in_flight parameter slots. Returns how many draw calls it recorded.
  std::uint32_t record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene, const ShadowMaps& shadows,
                              std::uint64_t now);

  // Draw calls one pass takes, whatever the number of instances.
  std::uint32_t draw_count() const;
  std::uint32_t instance_count() const;
  std::uint32_t vertex_count() const;  // of one instance
  std::uint32_t index_count() const;   // of one instance, all materials

  // The box around every character, whatever frame it is at.
  const Bounds& bounds() const;

 private:
  struct State;
  explicit CrowdRenderer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
