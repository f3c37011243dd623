// SPDX-License-Identifier: Apache-2.0
#pragma once
// The compute side of near characters: holds their meshes in GPU memory, plans an image on the CPU, uploads poses, and
// skins who is seen into the beginning of the vertex pool. Its draws are put before the crowd pipeline, which arranges
// them together with those of far characters.

#include "far/crowd_pipeline.h"
#include "near/skinned_geometry.h"
#include "near/skinned_plan.h"
#include "near/skinned_readback.h"
#include "throng/gpu/frame_ring.h"
#include "throng/gpu/vertex_pool.h"

namespace throng::detail::renderer {

// What is uploaded for an image, one table after another.
enum class NearTable : std::uint8_t {
  view,
  characters,
  bones,
  weights,
  bound_bones,
  skin_slots,
  groups,
  draw_slots,
  draws,
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
  static Result<NearPipeline> create(GpuDevice& gpu, std::uint32_t images_in_flight, std::uint32_t most_readbacks,
                                     bool motion);

  // A model that is about to be added: what fails leaves all as it was.
  struct Added {
    SkinnedModel model;
    SkinnedGeometry geometry;
    VkPipeline skin = VK_NULL_HANDLE;
    VkPipeline skin_uneven = VK_NULL_HANDLE;
    std::uint32_t features = 0;
    std::vector<std::uint32_t> column_counts;
  };
  Result<Added> make(GpuDevice& gpu, const Character& character, const NearMesh& mesh, SkinMethod method) const;
  // Where the renderer draws it: `first_draw` as CrowdPipeline counts, `materials` of its parts, and where its near
  // triangles begin. The queue has finished all that read what was there before.
  struct DrawPlace {
    std::uint32_t first_draw = 0;
    std::span<const std::uint32_t> materials = {};
    std::uint32_t first_index = 0;
  };
  void add(Added added, const DrawPlace& place);
  void add_none(std::string why);

  SkinnedRoster& roster() { return roster_; }
  const SkinnedRoster& roster() const { return roster_; }
  Bounds bounds() const;
  Result<std::uint64_t> request_vertices(GpuDevice& gpu, CharacterId id, const PartRef& part);
  std::vector<VertexReadback> poll() { return readbacks_.take(finished_, images_); }
  void all_finished() { finished_ = images_; }

  // Of one image, in this order. `ring` is at its slot; the pool holds its vertices from 0 on.
  void plan(const RendererImage& image, std::uint64_t images, std::uint32_t draw_count);
  NearShare share() const;
  bool draws(ModelId model) const;  // any of it
  Result<void> make_room(GpuDevice& gpu, FrameRing& ring, const VertexPool& pool);
  void bind_draws(const DescriptorSets& planning) const;
  void record_upload(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image, const VertexPool& pool);
  void record_skinning(GpuDevice& gpu, VkCommandBuffer commands, const RendererImage& image);
  void record_readbacks(const GpuDevice& gpu, VkCommandBuffer commands, const VertexPool& pool);
  void recorded(const RendererImage& image);  // all of it
  void drop();                                // the last that was recorded is never submitted

  VkDescriptorSetLayout draw_layout() const { return draw_layout_.layout(); }
  VkDescriptorSet draw_set() const { return slots_[slot_].drawing[0]; }  // of the last image
  const NearCounts& counts() const { return counts_; }

 private:
  // The vertices of an image, for the motion vectors of the next.
  struct LastVertices {
    VkBuffer pool = VK_NULL_HANDLE;
    std::uint64_t count = 0;
  };

  Result<VkPipeline> skin_pipeline(GpuDevice& gpu, std::uint32_t features) const;
  Result<void> check_room(const VkPhysicalDeviceLimits& limits) const;
  void put_tables(const RendererImage& image);
  void bind_tables(const VertexPool& pool);
  void find_readbacks();
  void count();

  bool motion_ = false;
  DescriptorSets skin_layout_;  // no sets
  DescriptorSets draw_layout_;  // …
  VkPipelineLayout skinning_ = VK_NULL_HANDLE;
  VkPipeline skin_ = VK_NULL_HANDLE;         // for bones that all scale alike: half the time
  VkPipeline skin_uneven_ = VK_NULL_HANDLE;  // for any
  std::uint32_t features_ = 0;               // that they were made for

  SkinnedRoster roster_;
  SkinnedGeometry geometry_;
  std::vector<std::uint32_t> column_counts_;  // of every chunk
  std::uint32_t part_count_ = 0;
  SkinnedReadbacks readbacks_;

  std::vector<NearSlot> slots_;
  std::size_t slot_ = 0;  // of the last image
  Buffer last_;           // vertices of the image before, as far as motion vectors need them
  LastVertices shown_;    // by the last image
  LastVertices shown_before_;
  SkinnedPlan plan_;  // of the last image
  NearTables tables_;
  std::vector<SkinnedReadbacks::Waiting> waiting_;
  NearCounts counts_;
  std::uint64_t images_ = 0;              // recorded
  std::uint64_t finished_ = 0;            // of them, known to have
  std::optional<glm::mat4> last_view_;    // of the last image; none before the first
  std::optional<glm::mat4> view_before_;  // … of the one before it
};

}  // namespace throng::detail::renderer
