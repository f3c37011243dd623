// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute side of near characters: holds their near meshes in GPU memory, plans an image on the CPU, uploads poses,
// and skins who is seen into the beginning of the vertex pool. Its commands go into the calls that the passes of far
// characters arrange.

#include "draw_table.h"
#include "near/near_geometry.h"
#include "near/near_plan.h"
#include "near/near_readback.h"
#include "shared_images.h"

namespace throng::detail::renderer {

// What is uploaded for an image, one table after another.
enum class NearTable : std::uint8_t {
  characters,
  bones,
  weights,
  bound_bones,
  skin_tasks,
  groups,
  draw_tasks,
  calls,
  commands,
  count
};

struct NearTables {
  std::array<VkDeviceSize, static_cast<std::size_t>(NearTable::count)> offsets{};
  std::array<VkDeviceSize, static_cast<std::size_t>(NearTable::count)> bytes{};
  VkDeviceSize total = 0;
};

// One image in flight: what the host writes for it, and where the GPU reads that.
struct NearSlot {
  Buffer staging;
  Buffer tables;
  DescriptorSets skinning;
  DescriptorSets drawing;
};

class NearPipeline {
 public:
  NearPipeline() = default;
  // `images` outlives it.
  static Result<NearPipeline> create(GpuDevice& gpu, SharedImages& images, std::uint32_t most_readbacks, bool motion);

  // A model that is about to be added: what fails leaves all as it was.
  struct Added {
    NearModel model;
    NearGeometry geometry;
    VkPipeline skin = VK_NULL_HANDLE;
    VkPipeline skin_uneven = VK_NULL_HANDLE;
    std::uint32_t features = 0;
    std::vector<std::uint32_t> column_counts;
  };
  Result<Added> make(GpuDevice& gpu, const Character& character, const NearMesh& mesh,
                     std::optional<SkinMethod> method) const;
  // `first_call`: of the model's draws, as the renderer counts calls. The queue has finished all that read what was
  // there before.
  void add(Added added, std::uint32_t first_call, const DrawTable& draw_table);
  void add_none(std::string why);

  NearRoster& roster() { return roster_; }
  const NearRoster& roster() const { return roster_; }
  Bounds bounds() const;
  Result<std::uint64_t> request_vertices(GpuDevice& gpu, CharacterId id, const PieceRef& piece);
  std::vector<VertexReadback> poll() { return readbacks_.take(finished_, images_->ring.recorded()); }
  void all_finished() { finished_ = images_->ring.recorded(); }

  // The steps of one image, in this order (image_passes.cpp). `call_count`: of all models.
  void plan(const RendererImage& image, std::uint32_t call_count);
  std::uint64_t vertex_count() const;  // at the head of the pool
  bool tangents() const;               // whether any of them may have some
  Result<void> make_room(GpuDevice& gpu);
  NearCalls calls() const;  // in room that was made
  void record_upload(GpuDevice& gpu, VkCommandBuffer commands);
  void record_skinning(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image);
  void record_readbacks(const GpuDevice& gpu, VkCommandBuffer commands);
  void recorded();    // all of it, and the ring has gone on
  void drop_image();  // the last that was recorded: it is never submitted, and the ring has gone back

  bool draws(ModelId model) const;  // anything of it, in the last image
  VkDescriptorSetLayout draw_layout() const { return draw_layout_.layout(); }
  VkDescriptorSet draw_set() const { return slots_[images_->ring.last_slot()].drawing[0]; }  // of the last image
  const NearCounts& counts() const { return counts_; }

 private:
  // The vertices of an image, for the motion vectors of the next.
  struct LastVertices {
    VkBuffer pool = VK_NULL_HANDLE;
    std::uint64_t count = 0;
  };

  Result<VkPipeline> skin_pipeline(GpuDevice& gpu, std::uint32_t features) const;
  Result<void> check_room(const VkPhysicalDeviceLimits& limits) const;
  NearSlot& slot() { return slots_[images_->ring.slot()]; }  // of the image that is being recorded
  const NearSlot& slot() const { return slots_[images_->ring.slot()]; }
  void put_tables();
  void bind_tables();
  void find_readbacks();
  void count();

  SharedImages* images_ = nullptr;
  bool motion_ = false;
  DescriptorSets skin_layout_;  // no sets
  DescriptorSets draw_layout_;  // no sets
  VkPipelineLayout skinning_ = VK_NULL_HANDLE;
  VkPipeline skin_ = VK_NULL_HANDLE;         // for bones that all scale alike: half the time
  VkPipeline skin_uneven_ = VK_NULL_HANDLE;  // for any
  std::uint32_t features_ = 0;               // that they were made for

  NearRoster roster_;
  NearGeometry geometry_;
  std::vector<std::uint32_t> column_counts_;  // of every chunk
  std::uint32_t piece_count_ = 0;
  NearReadbacks readbacks_;

  std::vector<NearSlot> slots_;  // as the ring counts them
  Buffer last_;                  // vertices of the image before, as far as motion vectors need them
  LastVertices shown_;           // by the last image
  LastVertices shown_before_;
  NearPlan plan_;  // of the last image
  NearTables tables_;
  std::vector<NearReadbacks::Waiting> waiting_;
  NearCounts counts_;
  std::uint64_t finished_ = 0;  // images that are known to have
};

}  // namespace throng::detail::renderer
