// SPDX-License-Identifier: Apache-2.0
#pragma once
// The vertices of a crowd, computed by the code that draws it and read back: for picking, exporting and testing.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <span>
#include <vector>

#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/gpu/device.h"
#include "throng/renderer/renderer_settings.h"

namespace throng {

// Where the vertices are: in their character's own space, or where it stands in the world.
enum class SkinSpace : std::uint8_t { model, world };

// Character by character, in the order of Character::vertices.
struct SkinnedCrowd {
  std::size_t vertices_per_instance = 0;
  std::vector<glm::vec3> positions;
  std::vector<glm::vec3> normals;
  std::vector<glm::vec4> tangents;   // all 0 for models without
  std::vector<gpu::Moment> moments;  // one per character: what the GPU found it is at
};

// How the vertices are computed: by which shader, and at which quality.
struct CrowdReadbackSettings {
  Skinning skinning = Skinning::vertex;  // compute is for world space only: that is what it draws from
  LevelQuality quality = {};
  DrawnOn drawn_on = DrawnOn::automatic;  // compute has a way of its own for drivers without a GPU
};

// Computes the vertices of characters of one model, as often as asked.
class CrowdReadback {
 public:
  // `model` may go away afterwards.
  static Result<CrowdReadback> create(const VulkanContext& context, const Character& model,
                                      const CrowdReadbackSettings& settings = {});
  // The same on a device that several renderers share, with its memory and compiled pipelines.
  static Result<CrowdReadback> create(std::shared_ptr<GpuDevice> gpu, const Character& model,
                                      const CrowdReadbackSettings& settings = {});
  CrowdReadback(CrowdReadback&&) noexcept;
  CrowdReadback& operator=(CrowdReadback&&) noexcept;
  ~CrowdReadback();

  // Works through the characters in batches that fit the device's buffers, and waits for each.
  Result<SkinnedCrowd> skin(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays, Ticks now,
                            SkinSpace space);

 private:
  struct State;
  explicit CrowdReadback(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The same in one call, for one use.
Result<SkinnedCrowd> skin_on_gpu(const VulkanContext& context, const Character& model,
                                 std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays,
                                 Ticks now, SkinSpace space = SkinSpace::world);

}  // namespace throng
