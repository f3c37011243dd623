// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/crowd_readback.h"

#include <algorithm>
#include <optional>

#include "image_passes.h"
#include "shader_code.h"
#include "surfaces/surface_pipelines.h"
#include "throng/base/try.h"
#include "throng/gpu/commands.h"
#include "throng/gpu/pipelines.h"
#include "throng/shaders/shared/read_back.h"
#include "throng/shaders/shared/vertex_source.h"

namespace throng {
using namespace detail::renderer;
namespace {

using gpu::ReadBackBatch;

constexpr VkDeviceSize kVertexBytes = sizeof(float) * gpu::kReadBackFloats;
constexpr VkDeviceSize kBatchBytes = VkDeviceSize{32} << 20;

struct Outputs {
  Buffer skinned;
  Buffer drawn;   // DrawnWords
  Buffer fading;  // FadingWords
};

Result<Outputs> create_outputs(GpuDevice& gpu, std::uint32_t instances, std::uint32_t vertices) {
  Outputs outputs;
  THRONG_TRY(outputs.skinned, Buffer::create(gpu, kVertexBytes * instances * vertices,
                                             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MemoryUse::readback));
  constexpr VkBufferUsageFlags kCopied = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  THRONG_TRY(outputs.drawn, Buffer::create(gpu, sizeof(gpu::DrawnWords) * instances, kCopied, MemoryUse::readback));
  THRONG_TRY(outputs.fading, Buffer::create(gpu, sizeof(gpu::FadingWords) * instances, kCopied, MemoryUse::readback));
  return outputs;
}

gpu::Moment moment_of(const gpu::DrawnWords& words, const gpu::FadingWords& fading) {
  gpu::Moment moment{};
  moment.clip = words.clips & 0xFFFFu;
  moment.cursor = {words.frame, words.next, words.blend};
  moment.previous_clip = words.clips >> 16;
  if (moment.previous_clip != gpu::kNoClip) moment.previous = {fading.frame, fading.next, fading.blend};
  moment.weight = words.weight;
  return moment;
}

void append(SkinnedCrowd& crowd, const Outputs& outputs, std::uint32_t instances) {
  const std::size_t vertices = instances * crowd.vertices_per_instance;
  const auto* numbers = reinterpret_cast<const float*>(outputs.skinned.mapped());
  for (std::size_t i = 0; i < vertices; ++i, numbers += gpu::kReadBackFloats) {
    crowd.positions.emplace_back(numbers[0], numbers[1], numbers[2]);
    crowd.normals.emplace_back(numbers[3], numbers[4], numbers[5]);
    crowd.tangents.emplace_back(numbers[6], numbers[7], numbers[8], numbers[9]);
  }
  const auto* drawn = reinterpret_cast<const gpu::DrawnWords*>(outputs.drawn.mapped());
  const auto* fading = reinterpret_cast<const gpu::FadingWords*>(outputs.fading.mapped());
  for (std::uint32_t i = 0; i < instances; ++i) crowd.moments.push_back(moment_of(drawn[i], fading[i]));
}

}  // namespace

struct CrowdReadback::State {
  std::shared_ptr<GpuDevice> gpu;
  CrowdReadbackSettings settings;
  SharedImages images;
  std::optional<FarPipeline> far;
  DescriptorSets sets;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  std::uint32_t vertices = 0;

  std::uint32_t batch_size() const;
  Result<void> prepare(Ticks now);
  Result<void> run(const ReadBackBatch& batch, const Outputs& outputs, std::uint32_t instances);
};

Result<CrowdReadback> CrowdReadback::create(const VulkanContext& context, const Character& model,
                                            const CrowdReadbackSettings& settings) {
  THRONG_TRY(auto gpu, GpuDevice::create(context));
  return create(std::move(gpu), model, settings);
}

Result<CrowdReadback> CrowdReadback::create(std::shared_ptr<GpuDevice> gpu, const Character& model,
                                            const CrowdReadbackSettings& settings) {
  auto state = std::make_unique<State>();
  state->gpu = std::move(gpu);
  state->settings = settings;
  THRONG_TRY(state->images, SharedImages::create(*state->gpu, 1, RendererSettings{}.pool_vertices));
  FarPipelineSettings pipeline_settings{.pooled = settings.skinning == Skinning::compute};
  pipeline_settings.texels = suits_software(*state->gpu, settings.drawn_on);
  pipeline_settings.qualities.fill(settings.quality);
  THRONG_TRY(state->far, FarPipeline::create(state->gpu, state->images, pipeline_settings));
  if (auto added = state->far->add(model, draw_table_of(model, nullptr)); !added)
    return fail(with_context(model.name(), std::move(added).error()));
  state->vertices = static_cast<std::uint32_t>(model.vertices().size());
  const BindingSpec storage{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT};
  THRONG_TRY(state->sets, DescriptorSets::create(*state->gpu, std::array{storage}, 1));
  const std::array layouts{state->sets.layout(), state->far->model_layout()};
  THRONG_TRY(state->layout, pipeline_layout(*state->gpu, layouts, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(ReadBackBatch)));
  const auto fixed = state->far->model(0).constants();
  std::vector<std::uint32_t> constants(fixed.begin(), fixed.end());
  // Either way to skin with one pipeline: of those that are not in the pool, the list of the drawn says so.
  constants.push_back(gpu::kVerticesPooledOrDrawn);
  THRONG_TRY(state->pipeline,
             compute_pipeline(*state->gpu, state->layout, shader_code::read_back_compute(), constants));
  return CrowdReadback(std::move(state));
}

CrowdReadback::CrowdReadback(std::unique_ptr<State> state) : state_(std::move(state)) {}
CrowdReadback::CrowdReadback(CrowdReadback&&) noexcept = default;
CrowdReadback& CrowdReadback::operator=(CrowdReadback&&) noexcept = default;
CrowdReadback::~CrowdReadback() = default;

// How many characters the output buffer and one dispatch hold.
std::uint32_t CrowdReadback::State::batch_size() const {
  const VkPhysicalDeviceLimits& limits = gpu->limits();
  const VkDeviceSize bytes = std::min<VkDeviceSize>(kBatchBytes, limits.maxStorageBufferRange);
  const VkDeviceSize fit = bytes / (kVertexBytes * vertices);
  return static_cast<std::uint32_t>(std::clamp<VkDeviceSize>(fit, 1, limits.maxComputeWorkGroupCount[1]));
}

// Everybody is drawn, at full detail: the drawn are the characters in their order.
Result<void> CrowdReadback::State::prepare(Ticks now) {
  RendererImage image;
  image.now = now;
  image.culling = false;
  image.pixel_error = 0.0f;
  image.speck_pixels = 0.0f;
  Result<void> recorded;
  auto done = gpu->run(
      [&](VkCommandBuffer commands) { recorded = record_image(*gpu, commands, image, images, *far, nullptr); });
  return recorded ? done : recorded;
}

Result<void> CrowdReadback::State::run(const ReadBackBatch& batch, const Outputs& outputs, std::uint32_t instances) {
  return gpu->run([&](VkCommandBuffer commands) {
    const VolkDeviceTable& vk = gpu->vk();
    const std::array bound{sets[0], far->model_set(0)};
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, bound.size(), bound.data(), 0,
                               nullptr);
    vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(batch), &batch);
    vk.vkCmdDispatch(commands, (batch.vertex_count + gpu::kReadBackGroupSize - 1) / gpu::kReadBackGroupSize, instances,
                     1);
    const auto copy = [&](VkDeviceSize first, VkDeviceSize each, const Buffer& to) {
      const VkBufferCopy region{first + batch.first * each, 0, instances * each};
      vk.vkCmdCopyBuffer(commands, far->drawn(0).get(), to.get(), 1, &region);
    };
    copy(0, sizeof(gpu::DrawnWords), outputs.drawn);
    copy(VkDeviceSize{far->capacity(0)} * sizeof(gpu::DrawnWords), sizeof(gpu::FadingWords), outputs.fading);
    memory_barrier(*gpu, commands,
                   {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT,
                    VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT},
                   {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  });
}

Result<SkinnedCrowd> CrowdReadback::skin(std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays,
                                         Ticks now, SkinSpace space) {
  State& state = *state_;
  SkinnedCrowd crowd{
      .vertices_per_instance = state.vertices, .positions = {}, .normals = {}, .tangents = {}, .moments = {}};
  if (state.far->pooled() && space == SkinSpace::model)
    return fail("skinning in compute passes is in world space; ask for that, or skin as vertex shaders do");
  THRONG_CHECK(state.far->set_instances(0, instances, plays));
  if (instances.empty()) return crowd;
  THRONG_CHECK(state.prepare(now));
  const auto count = static_cast<std::uint32_t>(instances.size());
  const std::uint32_t size = std::min(state.batch_size(), count);
  THRONG_TRY(auto outputs, create_outputs(*state.gpu, size, state.vertices));
  state.sets.write_buffer(0, 0, outputs.skinned);

  crowd.positions.reserve(instances.size() * crowd.vertices_per_instance);
  crowd.normals.reserve(instances.size() * crowd.vertices_per_instance);
  for (std::uint32_t first = 0; first < count; first += size) {
    const std::uint32_t in_batch = std::min(size, count - first);
    const ReadBackBatch batch{first, state.vertices, space == SkinSpace::world ? 1u : 0u,
                              state.far->model(0).qualities()[0].bones};
    THRONG_CHECK(state.run(batch, outputs, in_batch));
    append(crowd, outputs, in_batch);
  }
  return crowd;
}

Result<SkinnedCrowd> skin_on_gpu(const VulkanContext& context, const Character& model,
                                 std::span<const InstanceRecord> instances, std::span<const PlayRecord> plays,
                                 Ticks now, SkinSpace space) {
  THRONG_TRY(CrowdReadback skinner, CrowdReadback::create(context, model));
  return skinner.skin(instances, plays, now, space);
}

}  // namespace throng
