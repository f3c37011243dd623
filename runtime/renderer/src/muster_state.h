#pragma once
// What a Muster holds.

#include "muster.h"

namespace throng {

// One image in flight: what the host writes for it, and reads after it.
struct MusterSlot {
  struct Upload {
    Buffer changes;
    Buffer places;
    Buffer whole;  // all characters: instances, then plays
    DescriptorSets set;
  };
  Buffer asked;  // ImageRecord, then a ModelRecord for each: written by the host
  Buffer image;  // … where the GPU reads them fast: every thread of every pass does
  Buffer models;
  Buffer plans;  // read back
  DescriptorSets set;
  DescriptorSets occluders;     // none before an image has them
  std::vector<Upload> uploads;  // model by model
};

struct MusterMember {
  ModelResources resources;
  ModelPrograms programs;
  CrowdBuffers buffers;
  DescriptorSets set;
  PendingChanges pending;
  PendingChanges carried;  // by the image that was recorded last, should it never be submitted
  std::uint32_t count = 0;
  std::uint32_t prepared_count = 0;  // of the last image
  std::uint64_t crowd = 0;           // which it was that they were last taken from; 0: none
  std::uint64_t version = 0;         // of the crowd, as it was last seen
  Bounds bounds;
  gpu::ModelRecord record{};
  // What was shown, when its buffer is new: to be taken over from the old one, as far as that goes.
  struct NewShown {
    bool is_new = true;
    VkBuffer from = VK_NULL_HANDLE;
    VkDeviceSize bytes = 0;
  };
  NewShown shown;
  bool carried_shown = false;  // by the image that was recorded last
};

// Kept until no image in flight can read it any more.
struct MusterRetired {
  std::uint64_t image = 0;
  CrowdBuffers buffers;
  std::vector<DescriptorSets> sets;
  std::vector<Buffer> others;
};

struct Muster::State {
  std::shared_ptr<Gpu> gpu;
  MusterSettings settings;
  MusterPrograms programs;
  std::vector<MusterMember> members;
  std::vector<MusterSlot> slots;
  std::vector<MusterRetired> retired;
  Buffer plans;
  Buffer ranges;
  Buffer commands;
  Buffer draw_counts;
  Buffer pool;
  Buffer pool_tangents;
  std::uint64_t images = 0;       // recorded so far
  std::uint32_t number = 0;       // of the last image that is to be seen
  std::optional<glm::mat4> view;  // of it; none before the first
  std::optional<glm::mat4> last_view;
  bool carrying = false;    // the last image may still be dropped
  std::uint32_t views = 1;  // of the last
  std::uint32_t view_room = 1;
  bool prepared = false;

  // Of add_model.
  Result<void> arrange_shared();
  Result<void> make_shared_buffers();
  Result<void> make_slot(MusterSlot& slot) const;
  Result<DescriptorSets> make_set(const CrowdBuffers& buffers, const ModelResources& resources, const Buffer& vertices,
                                  const Buffer& tangents) const;

  // Of update.
  Result<void> check_count(const MusterMember& member, std::size_t count) const;
  Result<void> check_all(const MusterMember& member, std::span<const InstanceRecord> instances,
                         std::span<const PlayRecord> plays) const;
  std::optional<std::span<const std::uint32_t>> news_of(const Crowd& crowd, std::uint32_t model) const;
  Result<void> check_news(const Crowd& crowd, std::uint32_t model) const;
  void take_all(MusterMember& member, std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays);
  void take_changes(MusterMember& member, std::span<const std::uint32_t> changed,
                    std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays);

  // Of record.
  MusterSlot& slot() { return slots[images % slots.size()]; }
  void drop_retired();
  Result<void> make_room(std::uint32_t view_count);
  Result<void> make_pool_room(const CrowdImage& image);
  std::uint32_t budget(const CrowdImage& image) const;
  void bring_shown(VkCommandBuffer into);
  Result<void> upload(VkCommandBuffer into);
  Result<void> upload_member(VkCommandBuffer into, MusterMember& member, MusterSlot::Upload& to);
  void write_image(VkCommandBuffer into, const CrowdImage& image);
  Result<void> bind_occluders(const CrowdImage& image);
  void cull(VkCommandBuffer into, const CrowdImage& image);
  void plan(VkCommandBuffer into, const CrowdImage& image);
  void animate(VkCommandBuffer into);
};

}  // namespace throng
