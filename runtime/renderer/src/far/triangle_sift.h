// SPDX-License-Identifier: Apache-2.0
#pragma once
// Triangles of a model's far characters that face away or cover no sample of the picture, sorted out before they are
// drawn (shaders/passes/sift.comp): for drivers without a GPU, which set up every triangle on one thread.

#include "draw_table.h"
#include "far/far_buffers.h"
#include "far/far_programs.h"
#include "shared_images.h"

namespace throng::detail::renderer {

class TriangleSift {
 public:
  // What of a model it is made for.
  struct Description {
    const Buffer* triangles = nullptr;         // the model's indices, readable as texels
    std::span<const std::uint32_t> one_sided;  // of each draw: 1 or 0
    std::uint32_t vertices = 0;                // of the finest level
    std::uint32_t samples = 1;
  };
  TriangleSift() = default;
  static Result<TriangleSift> create(const GpuDevice& gpu, const FarPrograms& programs, const DrawTable& draw_table,
                                     const Description& description);

  // Whether all triangles of so many characters have room.
  bool has_room(std::uint32_t characters) const;
  Result<void> make_room(GpuDevice& gpu, SharedImages& images, const FarBuffers& buffers);
  void unbind() { is_bound_ = false; }  // there are other buffers, or another pool, than before

  // What an image is told of its model.
  struct Image {
    VkDescriptorSet plan_set;
    std::uint32_t model = 0;
    std::uint32_t characters = 0;
    glm::mat4 clip_from_world{1.0f};
    glm::vec2 size{0.0f};
  };
  // After the pool was filled. Those who draw wait for compute passes.
  void record(const GpuDevice& gpu, VkCommandBuffer commands, const Image& image) const;
  // The call of a draw; binds an index buffer of its own.
  void draw(const GpuDevice& gpu, VkCommandBuffer commands, std::uint32_t draw) const;

  const Buffer& indices() const { return indices_; }
  const Buffer& commands() const { return commands_; }
  const Buffer& counts() const { return counts_; }  // of commands, draw by draw

  // Bits that a vertex's number takes in its indices; 0: it was not made.
  std::uint32_t bits() const { return bits_; }

 private:
  std::uint32_t groups(std::uint32_t characters) const;

  std::uint32_t bits_ = 0;
  std::vector<std::uint32_t> one_sided_;
  std::vector<std::uint32_t> first_indices_;  // of a character's full mesh, draw by draw; at the end of all of them
  std::uint32_t room_ = 0;                    // characters
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  bool is_bound_ = false;  // to the buffers and the pool there are
  VkOwned<VkBufferView> triangle_texels_;
  VkOwned<VkBufferView> pool_texels_;
  Buffer indices_;
  Buffer commands_;
  Buffer counts_;
  DescriptorSets set_;
};

}  // namespace throng::detail::renderer
