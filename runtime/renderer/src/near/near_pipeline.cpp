// SPDX-License-Identifier: Apache-2.0
#include "near/near_pipeline.h"

#include <algorithm>

#include "shader_code.h"
#include "throng/base/try.h"
#include "throng/gpu/pipelines.h"

namespace throng::detail::renderer {

Result<NearPipeline> NearPipeline::create(GpuDevice& gpu, SharedImages& images, std::uint32_t most_readbacks,
                                          bool motion) {
  NearPipeline made;
  made.images_ = &images;
  made.motion_ = motion;
  made.readbacks_ = NearReadbacks(most_readbacks);
  THRONG_TRY(made.skin_layout_, DescriptorSets::create(gpu, skin_bindings(), 0));
  THRONG_TRY(made.draw_layout_, DescriptorSets::create(gpu, near_bindings(), 0));
  const std::array sets{made.skin_layout_.layout()};
  THRONG_TRY(made.skinning_, pipeline_layout(gpu, sets, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(gpu::NearSkinBatch)));
  made.slots_.resize(images.ring.size());
  for (NearSlot& slot : made.slots_) {
    THRONG_TRY(slot.skinning, DescriptorSets::create(gpu, skin_bindings(), 1));
    THRONG_TRY(slot.drawing, DescriptorSets::create(gpu, near_bindings(), 1));
  }
  // Empty buffers: something to bind before the first model.
  THRONG_TRY(made.geometry_, NearGeometry().with(gpu, PlacedMesh()));
  THRONG_TRY(made.last_, create_bindable_buffer(gpu, VertexPool::kVertexBytes,
                                                VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                                MemoryUse::device));
  return made;
}

Result<VkPipeline> NearPipeline::skin_pipeline(GpuDevice& gpu, std::uint32_t features) const {
  const std::array constants{features};
  return compute_pipeline(gpu, skinning_, shader_code::near_skin_compute(), constants);
}

Result<NearPipeline::Added> NearPipeline::make(GpuDevice& gpu, const Character& character, const NearMesh& mesh,
                                               std::optional<SkinMethod> method) const {
  THRONG_TRY(const Motion motion, character.motion());
  const PlacedMesh placed = place_mesh(mesh, motion, method, geometry_.totals());
  Added added{.model = NearModel(character, mesh, motion, placed.pieces, piece_count_),
              .geometry = {},
              .skin = {},
              .skin_uneven = {},
              .features = features_ | placed.features,
              .column_counts = placed.column_counts};
  THRONG_TRY(added.skin, skin_pipeline(gpu, added.features));
  THRONG_TRY(added.skin_uneven, skin_pipeline(gpu, added.features | gpu::kSkinUneven));
  THRONG_TRY(added.geometry, geometry_.with(gpu, placed));
  return added;
}

void NearPipeline::add(Added added, std::uint32_t first_call, const DrawTable& draw_table) {
  NearModel& model = added.model;
  model.first_call = first_call;
  model.draw_count = static_cast<std::uint32_t>(draw_table.materials.size());
  for (PlacedPiece& piece : model.pieces) {
    piece.first_index += draw_table.first_near_index;
    const auto found = std::ranges::find(draw_table.materials, piece.material);
    piece.draw = static_cast<std::uint32_t>(found - draw_table.materials.begin());
  }
  geometry_ = std::move(added.geometry);
  skin_ = added.skin;
  skin_uneven_ = added.skin_uneven;
  features_ = added.features;
  piece_count_ += static_cast<std::uint32_t>(model.pieces.size());
  column_counts_.insert(column_counts_.end(), added.column_counts.begin(), added.column_counts.end());
  roster_.add_model(std::move(model));
}

void NearPipeline::add_none(std::string why) { roster_.add_no_model(std::move(why)); }

Bounds NearPipeline::bounds() const {
  Bounds all;
  for (std::uint32_t slot = 0; slot < roster_.characters().slot_count(); ++slot) {
    if (!roster_.characters().holds(slot)) continue;
    const FloatBox& box = roster_.characters()[slot].bounds;
    if (!box.empty()) all.add(Bounds{glm::dvec3(box.min), glm::dvec3(box.max)});
  }
  return all;
}

Result<std::uint64_t> NearPipeline::request_vertices(GpuDevice& gpu, CharacterId id, const PieceRef& piece) {
  THRONG_TRY(const auto place, roster_.find(id));
  for (const WornPiece& worn : roster_.characters()[place].worn)
    if (worn.ref == piece)
      return readbacks_.request(gpu, id, piece, worn.piece->vertex_count, (features_ & gpu::kSkinTangents) != 0);
  return fail("character {} does not wear piece {} of model {}", id.slot, piece.piece, piece.model.value);
}

}  // namespace throng::detail::renderer
