#include "throng/vulkan/skinning.h"

#include <algorithm>
#include <bit>

#include "commands.h"
#include "model_check.h"
#include "model_resources.h"
#include "pipelines.h"
#include "shader_code.h"
#include "throng/shaders/skin_batch.h"

namespace throng {
namespace {

using gpu::SkinBatch;

constexpr VkDeviceSize kVertexBytes = gpu::kSkinnedVertexFloats * sizeof(float);
constexpr VkDeviceSize kBatchBytes = VkDeviceSize{64} << 20;

struct Outputs {
  Buffer skinned;
  Buffer cursors;
};

Result<Outputs> create_outputs(Gpu& gpu, std::uint32_t instances, std::uint32_t vertices) {
  constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  Outputs outputs;
  auto skinned = Buffer::create(gpu, kVertexBytes * instances * vertices, kStorage, MemoryUse::readback);
  if (!skinned) return fail(std::move(skinned));
  outputs.skinned = std::move(*skinned);
  auto cursors = Buffer::create(gpu, sizeof(glm::uvec4) * instances, kStorage, MemoryUse::readback);
  if (!cursors) return fail(std::move(cursors));
  outputs.cursors = std::move(*cursors);
  return outputs;
}

void append(SkinnedCrowd& crowd, const Outputs& outputs, std::uint32_t instances) {
  const std::size_t vertices = instances * crowd.vertices_per_instance;
  const auto* numbers = reinterpret_cast<const float*>(outputs.skinned.mapped());
  for (std::size_t i = 0; i < vertices; ++i, numbers += gpu::kSkinnedVertexFloats) {
    crowd.positions.emplace_back(numbers[0], numbers[1], numbers[2]);
    crowd.normals.emplace_back(numbers[3], numbers[4], numbers[5]);
  }
  const auto* cursors = reinterpret_cast<const glm::uvec4*>(outputs.cursors.mapped());
  for (std::uint32_t i = 0; i < instances; ++i)
    crowd.cursors.push_back({cursors[i].x, cursors[i].y, std::bit_cast<float>(cursors[i].z)});
}

}  // namespace

struct GpuSkinner::State {
  std::shared_ptr<Gpu> gpu;
  ModelResources model;
  DescriptorSets sets;
  Unique<VkPipelineLayout> layout;
  Unique<VkPipeline> pipeline;

  std::uint32_t batch_size() const;
  Result<void> run(const SkinBatch& batch, std::uint32_t instances);
};

Result<GpuSkinner> GpuSkinner::create(const VulkanContext& context, const BakedModel& model) {
  auto state = std::make_unique<State>();
  auto gpu = Gpu::create(context);
  if (!gpu) return fail(std::move(gpu));
  state->gpu = std::move(*gpu);
  auto resources = ModelResources::create(*state->gpu, model, VK_SHADER_STAGE_COMPUTE_BIT);
  if (!resources) return fail(std::move(resources));
  state->model = std::move(*resources);
  const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT};
  auto sets = DescriptorSets::create(*state->gpu, std::array{storage, storage}, 1);
  if (!sets) return fail(std::move(sets));
  state->sets = std::move(*sets);
  const std::array layouts{state->sets.layout(), state->model.set_layout()};
  auto layout = create_pipeline_layout(*state->gpu, layouts, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(SkinBatch));
  if (!layout) return fail(std::move(layout));
  state->layout = std::move(*layout);
  auto pipeline =
      create_compute_pipeline(*state->gpu, state->layout.get(), shader_code::skin_compute(), state->model.constants());
  if (!pipeline) return fail(std::move(pipeline));
  state->pipeline = std::move(*pipeline);
  return GpuSkinner(std::move(state));
}

GpuSkinner::GpuSkinner(std::unique_ptr<State> state) : state_(std::move(state)) {}
GpuSkinner::GpuSkinner(GpuSkinner&&) noexcept = default;
GpuSkinner& GpuSkinner::operator=(GpuSkinner&&) noexcept = default;
GpuSkinner::~GpuSkinner() = default;

// As many instances as the output buffer and one dispatch may hold.
std::uint32_t GpuSkinner::State::batch_size() const {
  const VkPhysicalDeviceLimits& limits = gpu->limits();
  const VkDeviceSize bytes = std::min<VkDeviceSize>(kBatchBytes, limits.maxStorageBufferRange);
  const VkDeviceSize fit = bytes / (kVertexBytes * model.vertex_count());
  return static_cast<std::uint32_t>(std::clamp<VkDeviceSize>(fit, 1, limits.maxComputeWorkGroupCount[1]));
}

Result<void> GpuSkinner::State::run(const SkinBatch& batch, std::uint32_t instances) {
  return gpu->run([&](VkCommandBuffer commands) {
    const VolkDeviceTable& vk = gpu->vk();
    // Poses of all instances, once; later batches read them too.
    if (batch.first_instance == 0)
      model.record_poses(*gpu, commands, (std::uint64_t{batch.now.y} << 32) | batch.now.x,
                         VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    const std::array bound{sets[0], model.set()};
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.get());
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.get(), 0, bound.size(), bound.data(), 0,
                               nullptr);
    vk.vkCmdPushConstants(commands, layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
    vk.vkCmdDispatch(commands, (batch.vertex_count + gpu::kSkinGroupSize - 1) / gpu::kSkinGroupSize, instances, 1);
    memory_barrier(*gpu, commands, {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  });
}

Result<SkinnedCrowd> GpuSkinner::skin(std::span<const InstanceRecord> instances, std::uint64_t now, SkinSpace space) {
  State& state = *state_;
  SkinnedCrowd crowd{.vertices_per_instance = state.model.vertex_count()};
  if (instances.empty()) return crowd;
  if (auto done = state.model.set_instances(*state.gpu, instances); !done) return fail(std::move(done));
  const auto count = static_cast<std::uint32_t>(instances.size());
  const std::uint32_t size = std::min(state.batch_size(), count);
  auto outputs = create_outputs(*state.gpu, size, state.model.vertex_count());
  if (!outputs) return fail(std::move(outputs));
  state.sets.write_buffer(0, 0, outputs->skinned);
  state.sets.write_buffer(0, 1, outputs->cursors);

  crowd.positions.reserve(instances.size() * crowd.vertices_per_instance);
  crowd.normals.reserve(instances.size() * crowd.vertices_per_instance);
  for (std::uint32_t first = 0; first < count; first += size) {
    const std::uint32_t in_batch = std::min(size, count - first);
    SkinBatch batch{};
    batch.now = {static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)};
    batch.first_instance = first;
    batch.vertex_count = state.model.vertex_count();
    batch.world_space = space == SkinSpace::world ? 1u : 0u;
    if (auto done = state.run(batch, in_batch); !done) return fail(std::move(done));
    append(crowd, *outputs, in_batch);
  }
  return crowd;
}

Result<SkinnedCrowd> skin_on_gpu(const VulkanContext& context, const BakedModel& model,
                                 std::span<const InstanceRecord> instances, std::uint64_t now, SkinSpace space) {
  auto skinner = GpuSkinner::create(context, model);
  if (!skinner) return fail(std::move(skinner));
  return skinner->skin(instances, now, space);
}

}  // namespace throng
