#include "throng/vulkan/crowd_renderer.h"

#include <algorithm>
#include <map>
#include <optional>

#include "materials.h"
#include "model_resources.h"
#include "pipelines.h"
#include "scene_bindings.h"
#include "shader_code.h"

namespace throng {
namespace {

constexpr VkShaderStageFlags kDrawStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

// What of a material decides its pipelines.
struct PipelineKey {
  bool double_sided = false;
  AlphaMode alpha = AlphaMode::opaque;

  friend auto operator<=>(const PipelineKey&, const PipelineKey&) = default;
};

struct PipelinePair {
  Unique<VkPipeline> colour;
  Unique<VkPipeline> shadow;
};

struct Part {
  std::uint32_t first_index = 0;
  std::uint32_t index_count = 0;
  std::uint32_t material = 0;
  glm::vec4 base_colour{1.0f};
  float alpha_cutoff = 0.0f;
  float normal_scale = 0.0f;  // 0: no normal map
  const PipelinePair* pipelines = nullptr;
};

// Blended materials of thousands of unsorted characters are drawn by coverage; without samples to cover, by a cut at
// half.
float cutoff_of(const Material& material, VkSampleCountFlagBits samples) {
  switch (material.alpha_mode) {
    case AlphaMode::mask:
      return material.alpha_cutoff;
    case AlphaMode::blend:
      return samples == VK_SAMPLE_COUNT_1_BIT ? 0.5f : 0.02f;
    case AlphaMode::opaque:
      break;
  }
  return -1.0f;
}

}  // namespace

struct CrowdRenderer::State {
  std::shared_ptr<Gpu> gpu;
  CrowdTargets targets;
  ModelResources model;
  Materials materials;
  SceneBindings scene;
  Unique<VkPipelineLayout> layout;
  std::map<PipelineKey, PipelinePair> pipelines;
  std::vector<Part> parts;
  std::uint32_t index_count = 0;
  std::optional<std::uint64_t> posed_at;  // the moment of the poses that were recorded last

  Result<void> create_pipelines(const BakedModel& baked);
  Result<PipelinePair> create_pair(const PipelineKey& key) const;
  void add_parts(const BakedModel& baked);
  bool may_draw(std::uint64_t now) const;
  void bind(VkCommandBuffer commands) const;
  // Returns the draw calls it recorded.
  std::uint32_t draw(VkCommandBuffer commands, const Part& part, const glm::mat4& clip_from_world,
                     std::uint64_t now) const;
};

Result<PipelinePair> CrowdRenderer::State::create_pair(const PipelineKey& key) const {
  GraphicsPipelineInfo colour{.layout = layout.get()};
  colour.vertex_code = shader_code::crowd_vertex();
  colour.fragment_code = shader_code::crowd_fragment();
  colour.constants = model.constants();
  colour.cull = key.double_sided ? VK_CULL_MODE_NONE : VK_CULL_MODE_BACK_BIT;
  colour.colour = targets.colour;
  colour.depth = targets.depth;
  colour.samples = targets.samples;
  colour.depth_compare = targets.depth_compare;
  colour.alpha_to_coverage = key.alpha == AlphaMode::blend && targets.samples != VK_SAMPLE_COUNT_1_BIT;

  // Both sides cast: open meshes (capes, hair) have no back to cast for them.
  GraphicsPipelineInfo shadow = colour;
  shadow.vertex_code = shader_code::crowd_shadow_vertex();
  shadow.fragment_code = {};
  if (key.alpha != AlphaMode::opaque) shadow.fragment_code = shader_code::crowd_shadow_fragment();
  shadow.cull = VK_CULL_MODE_NONE;
  shadow.colour = VK_FORMAT_UNDEFINED;
  shadow.depth = targets.shadow;
  shadow.samples = VK_SAMPLE_COUNT_1_BIT;
  shadow.depth_compare = VK_COMPARE_OP_LESS;
  shadow.alpha_to_coverage = false;
  shadow.depth_bias_slope = 1.5f;

  PipelinePair pair;
  auto first = create_graphics_pipeline(*gpu, colour);
  if (!first) return fail(std::move(first));
  pair.colour = std::move(*first);
  auto second = create_graphics_pipeline(*gpu, shadow);
  if (!second) return fail(std::move(second));
  pair.shadow = std::move(*second);
  return pair;
}

Result<void> CrowdRenderer::State::create_pipelines(const BakedModel& baked) {
  const std::array set_layouts{scene.set_layout(), model.set_layout(), materials.set_layout()};
  auto created = create_pipeline_layout(*gpu, set_layouts, kDrawStages, sizeof(gpu::DrawUniforms));
  if (!created) return fail(std::move(created));
  layout = std::move(*created);
  for (const BakedPart& part : baked.parts) {
    const Material& material = baked.materials[part.material];
    const PipelineKey key{material.double_sided, material.alpha_mode};
    if (pipelines.contains(key)) continue;
    auto pair = create_pair(key);
    if (!pair) return fail(std::move(pair));
    pipelines.emplace(key, std::move(*pair));
  }
  return {};
}

void CrowdRenderer::State::add_parts(const BakedModel& baked) {
  for (const BakedPart& from : baked.parts) {
    if (from.index_count == 0) continue;
    const Material& material = baked.materials[from.material];
    Part part{from.first_index, from.index_count, from.material};
    part.base_colour = material.base_colour;
    part.alpha_cutoff = cutoff_of(material, targets.samples);
    part.normal_scale = material.normal_image ? material.normal_scale : 0.0f;
    part.pipelines = &pipelines.at({material.double_sided, material.alpha_mode});
    index_count += part.index_count;
    parts.push_back(part);
  }
}

Result<CrowdRenderer> CrowdRenderer::create(const VulkanContext& context, const BakedModel& baked,
                                            const CrowdTargets& targets) {
  auto state = std::make_unique<State>();
  auto gpu = Gpu::create(context);
  if (!gpu) return fail(std::move(gpu));
  state->gpu = std::move(*gpu);
  state->targets = targets;
  auto model = ModelResources::create(*state->gpu, baked, VK_SHADER_STAGE_VERTEX_BIT);
  if (!model) return fail(std::move(model));
  state->model = std::move(*model);
  auto materials = Materials::create(*state->gpu, baked);
  if (!materials) return fail(in(baked.name, std::move(materials).error()));
  state->materials = std::move(*materials);
  auto scene = SceneBindings::create(*state->gpu, std::max(targets.images_in_flight, 1u));
  if (!scene) return fail(std::move(scene));
  state->scene = std::move(*scene);
  if (auto done = state->create_pipelines(baked); !done) return fail(std::move(done));
  state->add_parts(baked);
  return CrowdRenderer(std::move(state));
}

CrowdRenderer::CrowdRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
CrowdRenderer::CrowdRenderer(CrowdRenderer&&) noexcept = default;
CrowdRenderer& CrowdRenderer::operator=(CrowdRenderer&&) noexcept = default;
CrowdRenderer::~CrowdRenderer() = default;

Result<void> CrowdRenderer::set_instances(std::span<const InstanceRecord> instances) {
  auto done = state_->model.set_instances(*state_->gpu, instances);
  if (done) state_->posed_at.reset();
  return done;
}

bool CrowdRenderer::needs_poses() const { return state_->model.has_pose_pass(); }

void CrowdRenderer::record_poses(VkCommandBuffer commands, std::uint64_t now) {
  state_->model.record_poses(*state_->gpu, commands, now, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
  state_->posed_at = now;
}

// Not from poses of another moment, or from none.
bool CrowdRenderer::State::may_draw(std::uint64_t now) const {
  return model.instance_count() > 0 && (!model.has_pose_pass() || posed_at == now);
}

void CrowdRenderer::State::bind(VkCommandBuffer commands) const {
  const VkDescriptorSet set = model.set();
  gpu->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.get(), 1, 1, &set, 0, nullptr);
  gpu->vk().vkCmdBindIndexBuffer(commands, model.indices().get(), 0, VK_INDEX_TYPE_UINT32);
}

std::uint32_t CrowdRenderer::State::draw(VkCommandBuffer commands, const Part& part, const glm::mat4& clip_from_world,
                                         std::uint64_t now) const {
  gpu::DrawUniforms uniforms{};
  uniforms.clip_from_world = clip_from_world;
  uniforms.base_colour = part.base_colour;
  uniforms.now = {static_cast<std::uint32_t>(now), static_cast<std::uint32_t>(now >> 32)};
  uniforms.alpha_cutoff = part.alpha_cutoff;
  uniforms.reach = model.reach();
  uniforms.material = part.material;
  uniforms.normal_scale = part.normal_scale;
  const VkDescriptorSet set = materials.set(part.material);
  gpu->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.get(), 2, 1, &set, 0, nullptr);
  gpu->vk().vkCmdPushConstants(commands, layout.get(), kDrawStages, 0, sizeof(uniforms), &uniforms);
  gpu->vk().vkCmdDrawIndexed(commands, part.index_count, model.instance_count(), part.first_index, 0, 0);
  return 1;
}

std::uint32_t CrowdRenderer::record_shadow(VkCommandBuffer commands, const glm::mat4& clip_from_world,
                                           std::uint64_t now) const {
  if (!state_->may_draw(now)) return 0;
  std::uint32_t draws = 0;
  state_->bind(commands);
  for (const Part& part : state_->parts) {
    state_->gpu->vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, part.pipelines->shadow.get());
    draws += state_->draw(commands, part, clip_from_world, now);
  }
  return draws;
}

std::uint32_t CrowdRenderer::record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene,
                                           const ShadowMaps& shadows, std::uint64_t now) {
  if (!state_->may_draw(now)) return 0;
  std::uint32_t draws = 0;
  state_->bind(commands);
  const VkDescriptorSet set = state_->scene.next(scene, shadows);
  state_->gpu->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, state_->layout.get(), 0, 1, &set,
                                            0, nullptr);
  for (const Part& part : state_->parts) {
    state_->gpu->vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, part.pipelines->colour.get());
    draws += state_->draw(commands, part, scene.clip_from_world, now);
  }
  return draws;
}

std::uint32_t CrowdRenderer::draw_count() const { return static_cast<std::uint32_t>(state_->parts.size()); }
std::uint32_t CrowdRenderer::instance_count() const { return state_->model.instance_count(); }
std::uint32_t CrowdRenderer::vertex_count() const { return state_->model.vertex_count(); }
std::uint32_t CrowdRenderer::index_count() const { return state_->index_count; }
const Bounds& CrowdRenderer::bounds() const { return state_->model.bounds(); }

}  // namespace throng
