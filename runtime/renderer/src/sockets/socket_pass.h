// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the sockets of a model's far characters are: of all of them, or of those that an image draws.

#include "far/far_pipeline.h"
#include "throng/shaders/shared/sockets.h"

namespace throng::detail::renderer {

// What both passes below have: a model's sockets, a buffer of the places that are found, and a program that finds them.
class SocketProgram {
 public:
  SocketProgram() = default;
  struct Description {
    std::span<const std::uint32_t> code = {};
    std::uint32_t bindings = 2;  // storage buffers of set 0: sockets, places, and what else the program reads
    std::uint32_t batch_bytes = 0;
  };
  // For model `model` of the pipeline of far characters. `character` has sockets.
  static Result<SocketProgram> create(GpuDevice& gpu, const Character& character, const FarPipeline& far,
                                      std::uint32_t model, const Description& description);

  std::uint32_t count() const { return count_; }  // sockets of a character
  NumberedBuffer places() const { return {places_.get(), places_number_}; }

  // A buffer for so many places, and a set that binds it and, behind it, `others`. What they replace is retired.
  Result<void> make_room(GpuDevice& gpu, FrameRing& ring, std::uint64_t place_count,
                         std::span<const NumberedBuffer> others);

  // A thread a socket; those who read places later wait for it.
  template <class Batch>
  void run(const GpuDevice& gpu, VkCommandBuffer commands, VkDescriptorSet model_set, std::uint32_t sockets,
           const Batch& batch) const {
    run(gpu, commands, model_set, sockets, std::as_bytes(std::span(&batch, 1)));
  }

 private:
  void run(const GpuDevice& gpu, VkCommandBuffer commands, VkDescriptorSet model_set, std::uint32_t sockets,
           std::span<const std::byte> batch) const;
  Result<void> make_places(GpuDevice& gpu, FrameRing& ring, std::uint64_t count);

  std::uint32_t count_ = 0;
  Buffer sockets_;
  Buffer places_;
  std::uint64_t places_number_ = 0;  // how many buffers of places there were
  std::vector<BindingSpec> bindings_;
  std::vector<NumberedBuffer> bound_;  // what the set holds; none: it is to be made
  DescriptorSets sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

// Places the sockets of every character (shaders/passes/sockets.comp).
class SocketPass {
 public:
  SocketPass() = default;
  // A model without sockets has nothing to record.
  static Result<SocketPass> create(GpuDevice& gpu, const Character& character, const FarPipeline& far,
                                   std::uint32_t model);

  // Where the sockets are at `now`.
  Result<SocketBuffer> record(GpuDevice& gpu, VkCommandBuffer commands, FrameRing& ring, const FarPipeline& far,
                              std::uint32_t model, Ticks now);

 private:
  SocketProgram program_;
};

// Places the sockets that props hang on, of those characters that an image draws with triangles, in the poses that it
// draws (shaders/passes/prop_places.comp). With motion vectors each place is followed by where it was in the last
// image.
class DrawnSocketPass {
 public:
  DrawnSocketPass() = default;
  static Result<DrawnSocketPass> create(GpuDevice& gpu, const Character& character, const FarPipeline& far,
                                        std::uint32_t model);

  // After the passes of far characters were recorded. Nothing where the model has no characters; the buffer is the same
  // until there are more of them than it holds.
  Result<NumberedBuffer> record(GpuDevice& gpu, VkCommandBuffer commands, FrameRing& ring, const FarPipeline& far,
                                std::uint32_t model);

 private:
  SocketProgram program_;
  std::uint32_t places_each_ = 1;  // of a socket
};

}  // namespace throng::detail::renderer
