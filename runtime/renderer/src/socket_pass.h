#pragma once
// Where the sockets of a model's characters are (shaders/sockets.comp).

#include "muster.h"
#include "throng/shaders/sockets.h"

namespace throng {

class SocketPass {
 public:
  SocketPass() = default;
  // For model `model` of the muster. One without sockets has nothing to record.
  static Result<SocketPass> create(Gpu& gpu, const Character& baked, const Muster& muster, std::uint32_t model);

  Result<SocketBuffer> record(Gpu& gpu, VkCommandBuffer commands, const Muster& muster, std::uint32_t model, Ticks now);

 private:
  Result<void> make_room(Gpu& gpu, std::uint32_t characters);

  std::uint32_t count_ = 0;
  Buffer sockets_;
  Buffer places_;
  DescriptorSets sets_;
  // Outgrown, and perhaps still read by images in flight: kept until the renderer goes. Each is half as large as the
  // next, so all of them together are no larger than what is in use.
  std::vector<Buffer> old_places_;
  std::vector<DescriptorSets> old_sets_;
  Unique<VkPipelineLayout> layout_;
  Unique<VkPipeline> pipeline_;
};

}  // namespace throng
