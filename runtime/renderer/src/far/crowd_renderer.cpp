// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/crowd_renderer.h"

#include <algorithm>
#include <map>

#include "far/crowd_pipeline.h"
#include "far/model_check.h"
#include "prop_pass.h"
#include "shader_code.h"
#include "socket_pass.h"
#include "surfaces/materials.h"
#include "surfaces/surface_pipelines.h"
#include "throng/base/try.h"
#include "throng/gpu/pipelines.h"
#include "throng/renderer/scene_bindings.h"

namespace throng {
using namespace detail::renderer;
namespace {

// kSkinning of drawn.glsl.
enum class VertexSource : std::uint8_t { skinned_as_drawn, pool, at_rest };

struct Part {
  std::uint32_t material = 0;
  gpu::DrawUniforms uniforms{};
  PipelineKey key = {};
};

struct DrawnModel {
  Materials materials;
  std::map<PipelineKey, PipelinePair> pipelines;
  std::map<PipelineKey, PipelinePair> unpooled_pipelines;  // made when the pool may first be too small
  std::vector<Part> parts;
  SocketPass sockets;
  std::uint32_t socket_count = 0;
  std::vector<PropPass> props;
};

}  // namespace

struct CrowdRenderer::State {
  std::shared_ptr<GpuDevice> gpu;
  CrowdSettings settings;
  std::optional<CrowdPipeline> crowd;
  SceneBindings scene;
  DescriptorSets material_layout;  // no sets
  VkOwned<VkPipelineLayout> layout;
  VkOwned<VkPipeline> speck;
  std::vector<std::unique_ptr<DrawnModel>> models;
  glm::mat4 clip_from_world{1.0f};
  std::vector<glm::mat4> shadows;
  bool specks = false;
  VkDescriptorSet scene_set = VK_NULL_HANDLE;  // of the last colour pass
  bool coloured = false;                       // whether the last prepared image had one

  Result<void> create_shared();
  bool moves() const { return settings.targets.motion != VK_FORMAT_UNDEFINED; }
  GraphicsPipelineInfo colour_info() const { return throng::colour_info(settings.targets, layout.get()); }
  GraphicsPipelineInfo shadow_info() const { return throng::shadow_info(settings.targets, layout.get()); }
  Result<void> prepare_props(VkCommandBuffer commands, Ticks now);
  std::uint32_t draw_props(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                           const glm::mat4& matrix) const;
  VertexSource vertex_source() const;
  Result<void> add_pipelines(std::map<PipelineKey, PipelinePair>& into, const DrawnModel& drawn, std::uint32_t model,
                             VertexSource source) const;
  Result<void> make_unpooled_pipelines();
  void add_parts(DrawnModel& into, const Character& baked) const;
  bool may_draw(std::uint32_t model) const;
  std::uint32_t draw_parts(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                           const glm::mat4& clip_from_world, bool unpooled) const;
  std::uint32_t draw_all_parts(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                               const glm::mat4& clip_from_world) const;
  std::uint32_t draw_specks(VkCommandBuffer commands, std::uint32_t model) const;
};

Result<void> CrowdRenderer::State::create_shared() {
  THRONG_TRY(scene, SceneBindings::create(*gpu, std::max(settings.targets.images_in_flight, 1u)));
  THRONG_TRY(material_layout, DescriptorSets::create(*gpu, Materials::bindings(), 0));
  const std::array sets{scene.set_layout(), crowd->model_layout(), material_layout.layout()};
  THRONG_TRY(layout, create_pipeline_layout(*gpu, sets, kDrawStages, sizeof(gpu::DrawUniforms)));

  GraphicsPipelineInfo info = colour_info();
  info.vertex_code = moves() ? shader_code::speck_motion_vertex() : shader_code::speck_vertex();
  info.fragment_code = moves() ? shader_code::speck_motion_fragment() : shader_code::speck_fragment();
  info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  THRONG_TRY(speck, create_graphics_pipeline(*gpu, info));
  return {};
}

VertexSource CrowdRenderer::State::vertex_source() const {
  if (settings.skinning == Skinning::none) return VertexSource::at_rest;
  return crowd->pooled() ? VertexSource::pool : VertexSource::skinned_as_drawn;
}

// One pair for each kind of surface that the model has.
Result<void> CrowdRenderer::State::add_pipelines(std::map<PipelineKey, PipelinePair>& into, const DrawnModel& drawn,
                                                 std::uint32_t model, VertexSource source) const {
  const auto fixed = crowd->model(model).constants();
  std::vector<std::uint32_t> constants(fixed.begin(), fixed.end());
  constants.push_back(static_cast<std::uint32_t>(source));
  SurfaceShaders shaders;
  shaders.colour = moves() ? shader_code::crowd_motion_vertex() : shader_code::crowd_vertex();
  shaders.shadow = shader_code::crowd_shadow_vertex();
  shaders.constants = constants;
  for (const Part& part : drawn.parts) {
    if (into.contains(part.key)) continue;
    THRONG_TRY(PipelinePair pair, create_surface_pipelines(*gpu, settings.targets, layout.get(), part.key, shaders));
    into.emplace(part.key, std::move(pair));
  }
  return {};
}

// For characters that the pool has no room for: most programs never have any.
Result<void> CrowdRenderer::State::make_unpooled_pipelines() {
  if (!crowd->overflows()) return {};
  for (std::uint32_t model = 0; model < models.size(); ++model) {
    DrawnModel& drawn = *models[model];
    THRONG_CHECK(add_pipelines(drawn.unpooled_pipelines, drawn, model, VertexSource::skinned_as_drawn));
  }
  return {};
}

// The parts that CrowdPipeline counts, in its order: those with triangles at full detail.
void CrowdRenderer::State::add_parts(DrawnModel& into, const Character& baked) const {
  for (const BakedPart& from : baked.parts()) {
    if (from.index_count == 0) continue;
    const Material& material = baked.materials()[from.material];
    Part part{.material = from.material, .uniforms = {}, .key = key_of(material)};
    part.uniforms = surface_uniforms(material, from.material, settings.targets.samples);
    into.parts.push_back(part);
  }
}

Result<CrowdRenderer> CrowdRenderer::create(const VulkanContext& context, const CrowdSettings& settings) {
  THRONG_TRY(auto gpu, GpuDevice::create(context));
  return create(std::move(gpu), settings);
}

Result<CrowdRenderer> CrowdRenderer::create(std::shared_ptr<GpuDevice> gpu, const CrowdSettings& settings) {
  auto state = std::make_unique<State>();
  state->gpu = std::move(gpu);
  state->settings = settings;
  CrowdPipelineSettings pipeline_settings;
  pipeline_settings.images_in_flight = settings.targets.images_in_flight;
  pipeline_settings.pooled = settings.skinning == Skinning::automatic || settings.skinning == Skinning::compute;
  pipeline_settings.pool_vertices = settings.pool_vertices;
  pipeline_settings.motion = state->moves();
  pipeline_settings.qualities = settings.qualities;
  THRONG_TRY(state->crowd, CrowdPipeline::create(state->gpu, pipeline_settings));
  THRONG_CHECK(state->create_shared());
  return CrowdRenderer(std::move(state));
}

CrowdRenderer::CrowdRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
CrowdRenderer::CrowdRenderer(CrowdRenderer&&) noexcept = default;
CrowdRenderer& CrowdRenderer::operator=(CrowdRenderer&&) noexcept = default;
CrowdRenderer::~CrowdRenderer() = default;

Result<std::uint32_t> CrowdRenderer::add_model(const Character& baked) {
  THRONG_CHECK(check_model(baked, state_->gpu->limits()));
  auto drawn = std::make_unique<DrawnModel>();
  auto materials = Materials::create(*state_->gpu, baked.materials(), baked.images());
  if (!materials) return fail(with_context(baked.name(), std::move(materials).error()));
  drawn->materials = std::move(*materials);
  THRONG_TRY(auto number, state_->crowd->add_model(baked));
  const auto complete = [&]() -> Result<void> {
    state_->add_parts(*drawn, baked);
    THRONG_CHECK(state_->add_pipelines(drawn->pipelines, *drawn, number, state_->vertex_source()));
    THRONG_TRY(drawn->sockets, SocketPass::create(*state_->gpu, baked, *state_->crowd, number));
    drawn->socket_count = static_cast<std::uint32_t>(baked.sockets().size());
    return {};
  };
  if (auto done = complete(); !done) {
    state_->crowd->drop_last_model();
    return fail(with_context(baked.name(), std::move(done).error()));
  }
  state_->models.push_back(std::move(drawn));
  return number;
}

Result<void> CrowdRenderer::add_prop(const PropMesh& mesh, std::uint32_t model, std::uint32_t socket) {
  if (model >= state_->models.size())
    return fail("model {} does not exist; {} were added", model, state_->models.size());
  DrawnModel& drawn = *state_->models[model];
  if (socket >= drawn.socket_count)
    return fail("socket {} does not exist; the model has {}: bake it with the socket exposed", socket,
                drawn.socket_count);
  THRONG_TRY(
      auto prop,
      PropPass::create(*state_->gpu, {.mesh = &mesh, .model = model, .socket = socket, .sockets = drawn.socket_count},
                       state_->scene.set_layout(), *state_->crowd, state_->colour_info(), state_->shadow_info()));
  drawn.props.push_back(std::move(prop));
  return {};
}

Result<void> CrowdRenderer::State::prepare_props(VkCommandBuffer commands, Ticks now) {
  for (std::uint32_t model = 0; model < models.size(); ++model) {
    DrawnModel& drawn = *models[model];
    if (drawn.props.empty()) continue;
    THRONG_TRY(auto places, drawn.sockets.record(*gpu, commands, *crowd, model, now));
    for (PropPass& prop : drawn.props) THRONG_CHECK(prop.record_prepare(*gpu, commands, *crowd, places));
  }
  return {};
}

std::uint32_t CrowdRenderer::State::draw_props(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                                               const glm::mat4& matrix) const {
  for (const PropPass& prop : models[model]->props) prop.record_draw(*gpu, commands, *crowd, view, matrix, scene_set);
  return static_cast<std::uint32_t>(models[model]->props.size());
}

Result<void> CrowdRenderer::update(const Crowd& crowd) { return state_->crowd->update(crowd); }

Result<void> CrowdRenderer::set_instances(std::uint32_t model, std::span<const InstanceRecord> instances,
                                          std::span<const PlayRecord> plays) {
  return state_->crowd->set_instances(model, instances, plays);
}

Result<void> CrowdRenderer::record_prepare(VkCommandBuffer commands, const CrowdImage& image) {
  if (state_->models.empty()) return {};
  state_->coloured = false;
  THRONG_CHECK(state_->crowd->record(commands, image));
  state_->clip_from_world = image.clip_from_world;
  state_->shadows.assign(image.shadows.begin(), image.shadows.end());
  state_->specks = image.speck_pixels > 0.0f;
  auto done = state_->make_unpooled_pipelines();
  if (done) done = state_->prepare_props(commands, image.now);
  if (!done) drop_image();  // what was recorded so far cannot be drawn
  return done;
}

Result<SocketBuffer> CrowdRenderer::record_sockets(VkCommandBuffer commands, std::uint32_t model, Ticks now) {
  if (model >= state_->models.size())
    return fail("model {} does not exist; {} were added", model, state_->models.size());
  return state_->models[model]->sockets.record(*state_->gpu, commands, *state_->crowd, model, now);
}

void CrowdRenderer::drop_image() {
  state_->crowd->drop_image();
  if (state_->coloured) state_->scene.back();
  state_->coloured = false;
}

bool CrowdRenderer::State::may_draw(std::uint32_t model) const { return crowd->prepared_count(model) > 0; }

std::uint32_t CrowdRenderer::State::draw_parts(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                                               const glm::mat4& matrix, bool unpooled) const {
  const VolkDeviceTable& vk = gpu->vk();
  const DrawnModel& drawn = *models[model];
  const std::map<PipelineKey, PipelinePair>& pipelines = unpooled ? drawn.unpooled_pipelines : drawn.pipelines;
  crowd->bind(commands, layout.get(), model);
  for (std::uint32_t i = 0; i < drawn.parts.size(); ++i) {
    const Part& part = drawn.parts[i];
    gpu::DrawUniforms uniforms = part.uniforms;
    uniforms.clip_from_world = matrix;
    const VkDescriptorSet set = drawn.materials.set(part.material);
    const PipelinePair& pair = pipelines.at(part.key);
    const VkPipeline pipeline = view == 0 ? pair.colour.get() : pair.shadow.get();
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.get(), 2, 1, &set, 0, nullptr);
    vk.vkCmdPushConstants(commands, layout.get(), kDrawStages, 0, sizeof(uniforms), &uniforms);
    crowd->draw(commands, model, view, i, unpooled);
  }
  return static_cast<std::uint32_t>(drawn.parts.size());
}

std::uint32_t CrowdRenderer::State::draw_all_parts(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                                                   const glm::mat4& matrix) const {
  const std::uint32_t draws = draw_parts(commands, model, view, matrix, false);
  return crowd->overflows() ? draws + draw_parts(commands, model, view, matrix, true) : draws;
}

std::uint32_t CrowdRenderer::State::draw_specks(VkCommandBuffer commands, std::uint32_t model) const {
  gpu::DrawUniforms uniforms{};
  uniforms.clip_from_world = clip_from_world;
  gpu->vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, speck.get());
  gpu->vk().vkCmdPushConstants(commands, layout.get(), kDrawStages, 0, sizeof(uniforms), &uniforms);
  crowd->draw(commands, model, 0, static_cast<std::uint32_t>(models[model]->parts.size()));
  return 1;
}

std::uint32_t CrowdRenderer::record_shadow(VkCommandBuffer commands, std::uint32_t shadow) const {
  if (shadow >= state_->shadows.size()) return 0;
  std::uint32_t draws = 0;
  for (std::uint32_t model = 0; model < state_->models.size(); ++model)
    if (state_->may_draw(model)) {
      draws += state_->draw_all_parts(commands, model, shadow + 1, state_->shadows[shadow]);
      draws += state_->draw_props(commands, model, shadow + 1, state_->shadows[shadow]);
    }
  return draws;
}

std::uint32_t CrowdRenderer::record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene,
                                           const ShadowMaps& shadows) {
  std::uint32_t draws = 0;
  state_->scene_set = state_->scene.next(scene, shadows);
  state_->coloured = true;
  for (std::uint32_t model = 0; model < state_->models.size(); ++model) {
    if (!state_->may_draw(model)) continue;
    // A prop's pipelines have a layout of their own, which unbinds this set.
    state_->gpu->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, state_->layout.get(), 0, 1,
                                              &state_->scene_set, 0, nullptr);
    draws += state_->draw_all_parts(commands, model, 0, state_->clip_from_world);
    draws += state_->draw_props(commands, model, 0, state_->clip_from_world);
    // Last: Mesa's software driver draws nothing that is indexed after them in the same pass.
    if (state_->specks) draws += state_->draw_specks(commands, model);
  }
  return draws;
}

CrowdCounts CrowdRenderer::counts() const { return state_->crowd->counts(); }
Skinning CrowdRenderer::skinning() const {
  return state_->settings.skinning == Skinning::automatic ? Skinning::compute : state_->settings.skinning;
}

std::uint64_t CrowdRenderer::instance_count() const {
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < state_->models.size(); ++i) count += state_->crowd->instance_count(i);
  return count;
}

Bounds CrowdRenderer::bounds() const { return state_->crowd->bounds(); }

}  // namespace throng
