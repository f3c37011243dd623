// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a SkinnedRenderer holds.

#include <map>

#include "near/skinned_geometry.h"
#include "near/skinned_plan.h"
#include "near/skinned_readback.h"
#include "surfaces/materials.h"
#include "surfaces/surface_pipelines.h"
#include "throng/gpu/frame_ring.h"
#include "throng/gpu/vertex_pool.h"
#include "throng/renderer/scene_bindings.h"

namespace throng::detail::renderer {

// One image in flight: what the host writes for it, and where the GPU reads that.
struct SkinnedSlot {
  Buffer staging;
  Buffer tables;
  DescriptorSets skinning;
  DescriptorSets drawing;
};

// What decides the pipelines of a surface.
struct SkinnedKey {
  PipelineKey surface = {};
  bool tangents = false;

  friend auto operator<=>(const SkinnedKey&, const SkinnedKey&) = default;
};

// A material of one model and what is drawn with it: parts that follow each other.
struct SkinnedSurface {
  std::uint32_t model = 0;
  std::uint32_t material = 0;  // of those of the model that are drawn
  std::uint32_t first_part = 0;
  std::uint32_t part_count = 0;
  gpu::DrawUniforms uniforms{};
  SkinnedKey key = {};
};

// Where the tables of a plan lie in an upload.
enum class Table : std::uint8_t {
  view,
  characters,
  bones,
  weights,
  bound_bones,
  skin_slots,
  groups,
  draw_slots,
  commands,
  numbers,  // 0, 1, 2 …: how many commands a call takes, for calls that read that from a buffer
  count
};

struct TableLayout {
  std::array<VkDeviceSize, static_cast<std::size_t>(Table::count)> offsets{};
  std::array<VkDeviceSize, static_cast<std::size_t>(Table::count)> bytes{};
  VkDeviceSize total = 0;
};

}  // namespace throng::detail::renderer

namespace throng {
using namespace detail::renderer;

struct SkinnedRenderer::State {
  std::shared_ptr<GpuDevice> gpu;
  SkinnedSettings settings;
  SceneBindings scene;
  DescriptorSets skin_layout;      // no sets
  DescriptorSets draw_layout;      // …
  DescriptorSets material_layout;  // …
  VkOwned<VkPipelineLayout> skinning;
  VkOwned<VkPipelineLayout> drawing;
  VkOwned<VkPipeline> skin;         // for bones that all scale alike: half the time
  VkOwned<VkPipeline> skin_uneven;  // for any
  std::uint32_t features = 0;       // that it was made for
  std::map<SkinnedKey, PipelinePair> pipelines;

  SkinnedRoster cast;
  SkinnedGeometry geometry;
  std::vector<std::uint32_t> column_counts;  // of every chunk
  std::vector<Materials> materials;          // model by model
  std::vector<SkinnedSurface> surfaces;      // by part
  std::uint32_t part_count = 0;

  std::vector<SkinnedSlot> slots;
  FrameRing ring;
  std::array<VertexPool, 2> pools;  // this image's and the last one's take turns; without motion the first alone
  SkinnedReadbacks readbacks;

  std::uint64_t finished = 0;  // images that are known to have
  bool prepared = false;
  bool coloured = false;  // whether it had a colour pass
  SkinnedPlan plan;       // of the last
  TableLayout layout;     // …
  SkinnedCounts counts;
  glm::mat4 clip_from_world{1.0f};
  std::optional<glm::mat4> last_view;     // of the last image; none before the first
  std::optional<glm::mat4> dropped_view;  // … of the one before it
  std::vector<glm::mat4> shadows;

  bool moves() const { return settings.targets.motion != VK_FORMAT_UNDEFINED; }

  // Of create and add_model.
  Result<void> create_shared();
  Result<void> create_slots();
  Result<VkOwned<VkPipeline>> create_skin(std::uint32_t features) const;
  Result<void> create_pipelines(std::span<const SkinnedSurface> added);

  // Of record_prepare.
  SkinnedSlot& slot() { return slots[ring.slot()]; }
  VertexPool& pool() { return pools[moves() ? ring.recorded() % 2 : 0]; }
  VertexPool& last_pool() { return pools[moves() ? (ring.recorded() + 1) % 2 : 0]; }
  Result<void> check(const SkinnedImage& image) const;
  Result<void> make_room(const SkinnedPlan& planned, const TableLayout& tables);
  Result<void> grow_pool(VertexPool& pool, std::uint64_t vertices);
  void put_tables(const SkinnedPlan& planned, const TableLayout& tables, const SkinnedImage& image);
  void bind_tables(const TableLayout& tables);
  void record_skinning(VkCommandBuffer commands, const SkinnedPlan& planned, const TableLayout& tables,
                       const SkinnedImage& image);
  void find_readbacks(const SkinnedPlan& planned, std::span<SkinnedReadbacks::Waiting> waiting) const;
  void record_readbacks(VkCommandBuffer commands, std::span<const SkinnedReadbacks::Waiting> waiting);
  void keep_history(const SkinnedPlan& planned);
  void count(const SkinnedPlan& planned, const TableLayout& tables);

  std::uint32_t draw(VkCommandBuffer commands, std::uint32_t view, const glm::mat4& matrix) const;
};

}  // namespace throng
