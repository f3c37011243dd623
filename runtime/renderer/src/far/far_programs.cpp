// SPDX-License-Identifier: Apache-2.0
#include "far/far_programs.h"

#include <algorithm>

#include "shader_code.h"
#include "throng/base/try.h"
#include "throng/gpu/pipelines.h"
#include "throng/shaders/shared/changes.h"
#include "throng/shaders/shared/pose_records.h"

namespace throng::detail::renderer {
namespace {

constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;

Result<void> make(const GpuDevice& gpu, VkPipeline& into, VkPipelineLayout layout, std::span<const std::uint32_t> code,
                  std::span<const std::uint32_t> constants = {}) {
  THRONG_TRY(into, compute_pipeline(gpu, layout, code, constants));
  return {};
}

Result<void> make_layout(const GpuDevice& gpu, DescriptorSets& into, std::span<const BindingSpec> bindings) {
  THRONG_TRY(into, DescriptorSets::create(gpu, bindings, 0));
  return {};
}

std::vector<std::uint32_t> with(std::span<const std::uint32_t> constants, std::initializer_list<std::uint32_t> more) {
  std::vector<std::uint32_t> all(constants.begin(), constants.end());
  all.insert(all.end(), more);
  return all;
}

// Two bits a level: bones less one.
std::uint32_t packed_bones(std::span<const LevelQuality> qualities) {
  std::uint32_t packed = 0;
  for (std::size_t i = 0; i < qualities.size(); ++i) packed |= (qualities[i].bones - 1) << (2 * i);
  return packed;
}

std::uint32_t still_levels(std::span<const LevelQuality> qualities) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < qualities.size(); ++i) bits |= qualities[i].interpolated ? 0u : 1u << i;
  return bits;
}

// How many characters' columns a group has room for, 0 when not even one's.
std::uint32_t shared_characters(const GpuDevice& gpu, std::uint32_t columns) {
  constexpr std::uint32_t kBytesPerColumn = 52;  // skin.comp: three rows and a number
  constexpr std::uint32_t kWanted = 16384;       // more would keep other groups from running beside it
  constexpr std::uint32_t kMost = 8;
  const std::uint64_t one = std::uint64_t{kBytesPerColumn} * columns;
  if (one > gpu.limits().maxComputeSharedMemorySize) return 0;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(kWanted / one, 1, kMost));
}

}  // namespace

std::vector<BindingSpec> plan_bindings() {
  return std::vector<BindingSpec>(static_cast<std::size_t>(PlanBinding::count),
                                  {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kCompute});
}

std::vector<BindingSpec> occluder_bindings() { return {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, kCompute}}; }

Result<FarPrograms> FarPrograms::create(const GpuDevice& gpu, const FarPipelineSettings& settings) {
  FarPrograms made;
  const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kCompute};
  THRONG_CHECK(make_layout(gpu, made.plan_layout, plan_bindings()));
  THRONG_CHECK(make_layout(gpu, made.model_layout, model_bindings(settings.texels)));
  THRONG_CHECK(make_layout(gpu, made.change_layout, std::array{storage, storage}));

  static_assert(sizeof(gpu::CullBatch) == 16 && sizeof(gpu::PlanSettings) == 16 && sizeof(gpu::SkinBatch) <= 16);
  const std::array planning{made.plan_layout.layout(), made.model_layout.layout()};
  THRONG_TRY(made.layout, pipeline_layout(gpu, planning, kCompute, sizeof(gpu::CullBatch)));
  const std::array changing{made.change_layout.layout(), made.model_layout.layout()};
  THRONG_TRY(made.changing, pipeline_layout(gpu, changing, kCompute, sizeof(gpu::ChangeBatch)));
  THRONG_CHECK(make_layout(gpu, made.occluder_layout, occluder_bindings()));
  const std::array hiding{made.plan_layout.layout(), made.model_layout.layout(), made.occluder_layout.layout()};
  THRONG_TRY(made.hiding, pipeline_layout(gpu, hiding, kCompute, sizeof(gpu::CullBatch)));

  struct Program {
    VkPipeline FarPrograms::*into;
    std::span<const std::uint32_t> code;
  };
  const std::uint32_t sphere_first = settings.spheres.value_or(!gpu.is_software()) ? 1 : 0;
  for (const std::uint32_t counts : {0u, 1u}) {
    const std::array constants{sphere_first, counts};
    THRONG_CHECK(make(gpu, made.cull[counts], made.layout, shader_code::cull_compute(), constants));
    THRONG_CHECK(make(gpu, made.cull_hidden[counts], made.hiding, shader_code::cull_hidden_compute(), constants));
  }
  for (const Program& program : {Program{&FarPrograms::plan, shader_code::plan_compute()},
                                 {&FarPrograms::count, shader_code::count_compute()},
                                 {&FarPrograms::scan, shader_code::scan_compute()},
                                 {&FarPrograms::arrange, shader_code::arrange_compute()}})
    THRONG_CHECK(make(gpu, made.*program.into, made.layout, program.code));
  THRONG_CHECK(make(gpu, made.change, made.changing, shader_code::change_compute()));
  return made;
}

Result<ModelPrograms> ModelPrograms::create(const GpuDevice& gpu, const FarPrograms& shared,
                                            const ModelResources& model, const FarPipelineSettings& settings) {
  ModelPrograms made;
  const std::span<const LevelQuality> qualities = model.qualities();
  const VkPipelineLayout layout = shared.layout;
  const auto gather = settings.motion ? shader_code::gather_motion_compute() : shader_code::gather_compute();
  THRONG_CHECK(make(gpu, made.gather, layout, gather,
                    with(model.constants(), {still_levels(qualities), packed_bones(qualities)})));
  if (model.jumps()) {
    const bool subgroups = model.pose_in_subgroups();
    const std::uint32_t lanes = model.pose_lanes();
    made.pose_together = subgroups ? gpu::kPoseSubgroups : 1;
    const auto pose = subgroups ? shader_code::pose_channels_subgroup_compute() : shader_code::pose_channels_compute();
    const auto constants =
        with(model.constants(), {lanes, model.shared_links(), *model.jumps(), lanes * made.pose_together,
                                 model.pose_shapes(), model.pose_width()});
    THRONG_CHECK(make(gpu, made.pose, layout, pose, constants));
  } else if (model.posed()) {
    made.pose_together = gpu::kPoseGroupSize / model.pose_lanes();
    const auto pose = model.only_linked() ? shader_code::pose_linked_compute() : shader_code::pose_compute();
    THRONG_CHECK(
        make(gpu, made.pose, layout, pose, with(model.constants(), {model.pose_lanes(), model.shared_links()})));
  }
  if (!settings.pooled) return made;
  const bool texels = settings.texels && model.posed();
  const auto skin = texels          ? shader_code::skin_posed_texels_compute()
                    : model.posed() ? shader_code::skin_posed_compute()
                                    : shader_code::skin_compute();
  const std::uint32_t room = model.stores_vertices() ? 0 : shared_characters(gpu, model.columns());
  made.skin_together = std::max(room, 1u);
  for (std::uint32_t level = 0; level < model.record().mesh_count; ++level) {
    const auto constants =
        with(model.constants(), {made.skin_together, qualities[level].bones, room == 0 || texels ? 0u : model.columns(),
                                 model.uniform_scale() ? 1u : 0u});
    THRONG_CHECK(make(gpu, made.skin.emplace_back(), layout, skin, constants));
  }
  return made;
}

}  // namespace throng::detail::renderer
