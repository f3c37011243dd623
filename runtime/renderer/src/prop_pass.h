#pragma once
// Draws a prop at a socket of every drawn character of a model: one indirect draw a pass, as many as the plan says.

#include "materials.h"
#include "muster.h"
#include "throng/gpu/pipelines.h"
#include "throng/renderer/prop.h"

namespace throng {

class PropPass {
 public:
  PropPass() = default;
  struct Description {
    const PropMesh* mesh = nullptr;
    std::uint32_t model = 0;
    std::uint32_t socket = 0;
    std::uint32_t sockets = 1;  // of a character
  };
  // `scene`: the layout of set 0; `colour`, `shadow`: pipelines as those of characters, without shaders and layout.
  static Result<PropPass> create(Gpu& gpu, const Description& description, VkDescriptorSetLayout scene,
                                 const Muster& muster, GraphicsPipelineInfo colour, GraphicsPipelineInfo shadow);

  // After the muster recorded an image and its sockets were found.
  Result<void> record_prepare(Gpu& gpu, VkCommandBuffer commands, const Muster& muster, const SocketBuffer& places);
  // Inside rendering; the scene is bound for view 0.
  void record_draw(const Gpu& gpu, VkCommandBuffer commands, const Muster& muster, std::uint32_t view,
                   const glm::mat4& clip_from_world, VkDescriptorSet scene) const;

 private:
  Result<void> upload(Gpu& gpu, const PropMesh& mesh);

  std::uint32_t model_ = 0;
  std::uint32_t index_count_ = 0;
  Materials material_;
  Buffer vertices_;
  Buffer indices_;
  Buffer commands_;  // one a view
  DescriptorSets sets_;
  VkBuffer bound_places_ = VK_NULL_HANDLE;
  std::vector<DescriptorSets> old_sets_;
  Unique<VkPipelineLayout> layout_;
  Unique<VkPipeline> colour_;
  Unique<VkPipeline> shadow_;
};

}  // namespace throng
