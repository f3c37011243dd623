// SPDX-License-Identifier: Apache-2.0
#include "throng/scene/scene_renderer.h"

#include <cmath>
#include <optional>

#include "pass_marks.h"
#include "scene_targets.h"
#include "shader_code.h"
#include "shadow_view.h"
#include "throng/base/try.h"
#include "throng/gpu/pipelines.h"
#include "throng/renderer/character_renderer.h"
#include "throng/renderer/scene_bindings.h"
#include "throng/scene/scene_view.h"
#include "transparency.h"

namespace throng {
using namespace detail::scene;

struct SceneRenderer::State {
  std::shared_ptr<GpuDevice> gpu;
  SceneSettings settings;
  SceneTargets targets;
  SceneBindings bindings;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline ground = VK_NULL_HANDLE;
  VkPipeline sky = VK_NULL_HANDLE;
  VkPipeline coverage = VK_NULL_HANDLE;  // where the sky is not
  CommandRecorder commands;
  PassMarks marks;
  std::optional<CharacterRenderer> characters;
  std::optional<DepthPyramid> pyramid;  // of the last picture; none without SceneSettings::occlusion
  DrawReport report;
  bool pending = false;  // a picture was submitted and not waited for

  Result<void> create_pipelines();
  Result<void> create_pyramid();
  RendererTargets formats() const;
  RendererImage image_of(const Camera& camera, const gpu::SceneUniforms& uniforms, Ticks now) const;
  void drop_image();
  void draw_shadows(const gpu::SceneUniforms& uniforms, std::uint32_t passes);
  void draw_surroundings(const gpu::SceneUniforms& uniforms, const ShadowMaps& maps);
  Result<void> submit(const Camera& camera, Ticks now, bool read_back);
  Result<void> finish();
};

Result<void> SceneRenderer::State::create_pipelines() {
  const std::array set_layouts{bindings.set_layout()};
  THRONG_TRY(layout, pipeline_layout(*gpu, set_layouts, 0, 0));

  const RendererTargets into = formats();
  const bool plain = settings.shading == Shading::plain;
  GraphicsPipelineInfo info{.layout = layout};
  info.vertex_code = shader_code::ground_vertex();
  info.fragment_code = plain ? shader_code::ground_plain_fragment() : shader_code::ground_fragment();
  info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  info.colour = into.colour;
  info.depth = into.depth;
  info.samples = into.samples;
  info.depth_compare = VK_COMPARE_OP_GREATER;
  THRONG_TRY(ground, graphics_pipeline(*gpu, info));

  info.vertex_code = shader_code::sky_vertex();
  info.fragment_code = plain ? shader_code::sky_plain_fragment() : shader_code::sky_fragment();
  info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  info.depth_compare = VK_COMPARE_OP_GREATER_OR_EQUAL;  // it lies at depth 0, where the picture was cleared to
  info.depth_write = false;
  THRONG_TRY(sky, graphics_pipeline(*gpu, info));
  if (!settings.transparent) return {};
  // Alpha is one wherever something was drawn, whatever its material's alpha was.
  info.depth_compare = VK_COMPARE_OP_LESS;
  info.alpha_only = true;
  THRONG_TRY(coverage, graphics_pipeline(*gpu, info));
  return {};
}

Result<void> SceneRenderer::State::create_pyramid() {
  if (!settings.occlusion) return {};
  const ImageShape& depth = targets.depth().shape();
  DepthPyramidSettings shape{.width = depth.width, .height = depth.height, .depth = depth.format};
  shape.samples = depth.samples;
  shape.images_in_flight = 1;
  THRONG_TRY(pyramid, DepthPyramid::create(gpu, shape));
  return {};
}

RendererTargets SceneRenderer::State::formats() const {
  RendererTargets formats;
  formats.samples = targets.samples();
  formats.images_in_flight = 1;  // every picture is waited for
  return formats;
}

RendererImage SceneRenderer::State::image_of(const Camera& camera, const gpu::SceneUniforms& uniforms,
                                             Ticks now) const {
  RendererImage image;
  image.now = now;
  image.clip_from_world = uniforms.clip_from_world;
  image.eye = glm::vec3(camera.eye);
  image.pixels =
      static_cast<float>(settings.height / (2.0 * std::tan(glm::radians(camera.vertical_fov_degrees) / 2.0)));
  image.width = settings.width;
  image.height = settings.height;
  image.culling = settings.culling;
  image.pixel_error = settings.pixel_error;
  image.speck_pixels = settings.speck_pixels;
  image.vertex_budget = settings.vertex_budget;
  if (pyramid) image.occluders = pyramid->occluders();
  return image;
}

void SceneRenderer::State::drop_image() {
  characters->drop_image();
  if (pyramid) pyramid->forget();
}

void SceneRenderer::State::draw_shadows(const gpu::SceneUniforms& uniforms, std::uint32_t passes) {
  targets.begin_shadows(*gpu, commands.buffer());
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    if (pass < uniforms.cascade_count)
      targets.begin_cascade(*gpu, commands.buffer(), pass);
    else
      targets.begin_contact(*gpu, commands.buffer());
    report.shadow_draws += characters->record_shadow(commands.buffer(), pass);
    targets.end_map(*gpu, commands.buffer());
    marks.mark(commands.buffer());
  }
  targets.end_shadows(*gpu, commands.buffer());
}

void SceneRenderer::State::draw_surroundings(const gpu::SceneUniforms& uniforms, const ShadowMaps& maps) {
  const VkDescriptorSet set = bindings.next(uniforms, maps);
  gpu->vk().vkCmdBindDescriptorSets(commands.buffer(), VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
  if (settings.transparent) {
    gpu->vk().vkCmdBindPipeline(commands.buffer(), VK_PIPELINE_BIND_POINT_GRAPHICS, coverage);
    gpu->vk().vkCmdDraw(commands.buffer(), 3, 1, 0, 0);
    return;
  }
  gpu->vk().vkCmdBindPipeline(commands.buffer(), VK_PIPELINE_BIND_POINT_GRAPHICS, ground);
  gpu->vk().vkCmdDraw(commands.buffer(), 4, 1, 0, 0);
  gpu->vk().vkCmdBindPipeline(commands.buffer(), VK_PIPELINE_BIND_POINT_GRAPHICS, sky);
  gpu->vk().vkCmdDraw(commands.buffer(), 3, 1, 0, 0);
}

Result<void> SceneRenderer::State::submit(const Camera& camera, Ticks now, bool read_back) {
  THRONG_CHECK(check_camera(camera));
  if (pending) THRONG_CHECK(finish());
  const gpu::SceneUniforms uniforms = scene_uniforms(camera, settings, characters->bounds());
  const ShadowMaps maps = targets.shadow_maps();
  report = {};
  report.far_characters = characters->far_count();

  THRONG_CHECK(marks.begin());
  THRONG_CHECK(commands.begin());
  const std::vector<glm::mat4> shadows = shadow_passes(uniforms);
  RendererImage image = image_of(camera, uniforms, now);
  image.shadows = shadows;
  THRONG_CHECK(characters->record_prepare(commands.buffer(), image));
  marks.mark(commands.buffer());
  draw_shadows(uniforms, static_cast<std::uint32_t>(shadows.size()));
  targets.begin_colour(*gpu, commands.buffer());
  report.colour_draws += characters->record_colour(commands.buffer(), uniforms, maps);
  draw_surroundings(uniforms, maps);
  targets.end_colour(*gpu, commands.buffer());
  marks.mark(commands.buffer());
  if (pyramid) pyramid->record(commands.buffer(), targets.depth().view(), uniforms.clip_from_world);
  if (read_back) targets.copy_to_host(*gpu, commands.buffer());

  auto done = commands.submit();
  if (!done) drop_image();
  pending = done.has_value();
  return done;
}

Result<void> SceneRenderer::State::finish() {
  pending = false;
  auto done = commands.wait();
  if (done) report.far = characters->far_counts();
  report.near = characters->near_counts();
  characters->all_finished();
  if (!done && pyramid) pyramid->forget();
  return done;
}

Result<SceneRenderer> SceneRenderer::create(const VulkanContext& context, const SceneSettings& settings) {
  auto state = std::make_unique<State>();
  THRONG_TRY(state->gpu, GpuDevice::create(context));
  state->settings = settings;
  THRONG_TRY(state->targets, SceneTargets::create(*state->gpu, settings));
  THRONG_TRY(state->bindings, SceneBindings::create(*state->gpu, 1));
  THRONG_TRY(state->commands, CommandRecorder::create(*state->gpu));
  THRONG_TRY(state->marks, PassMarks::create(*state->gpu));
  THRONG_CHECK(state->create_pipelines());
  THRONG_CHECK(state->create_pyramid());
  const RendererSettings renderer_settings{.targets = state->formats(),
                                           .skinning = settings.skinning,
                                           .shading = settings.shading,
                                           .drawn_on = settings.drawn_on,
                                           .pool_vertices = settings.pool_vertices};
  THRONG_TRY(state->characters, CharacterRenderer::create(state->gpu, renderer_settings));
  return SceneRenderer(std::move(state));
}

SceneRenderer::SceneRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
SceneRenderer::SceneRenderer(SceneRenderer&&) noexcept = default;
SceneRenderer& SceneRenderer::operator=(SceneRenderer&&) noexcept = default;
SceneRenderer::~SceneRenderer() = default;

Result<ModelId> SceneRenderer::add(const Character& character, const ModelSettings& settings) {
  return state_->characters->add(character, settings);
}

Result<void> SceneRenderer::add_prop(const PropMesh& mesh, ModelId model, SocketId socket) {
  return state_->characters->add_prop(mesh, model, socket);
}

Result<void> SceneRenderer::update(const Crowd& crowd) { return state_->characters->update(crowd); }

Result<void> SceneRenderer::set_instances(ModelId model, std::span<const InstanceRecord> instances,
                                          std::span<const PlayRecord> plays) {
  return state_->characters->set_instances(ModelId(model), instances, plays);
}

CharacterRenderer& SceneRenderer::characters() { return *state_->characters; }

Bounds SceneRenderer::bounds() const { return state_->characters->bounds(); }

Result<Image> SceneRenderer::render(const Camera& camera, Ticks now) {
  THRONG_CHECK(state_->submit(camera, now, true));
  THRONG_CHECK(state_->finish());
  return picture();
}

Result<DrawReport> SceneRenderer::draw(const Camera& camera, Ticks now) {
  THRONG_CHECK(state_->submit(camera, now, false));
  return finish();
}

Result<void> SceneRenderer::submit(const Camera& camera, Ticks now, bool read_back) {
  return state_->submit(camera, now, read_back);
}

Result<DrawReport> SceneRenderer::finish() {
  if (!state_->pending) return fail("scene: no picture was submitted");
  THRONG_CHECK(state_->finish());
  return state_->report;
}

Result<bool> SceneRenderer::wait_for(std::chrono::nanoseconds most) {
  return state_->pending ? state_->commands.wait_for(most) : true;
}

double SceneRenderer::progress() const { return state_->pending ? state_->marks.share() : 1.0; }

Image SceneRenderer::picture() const {
  Image image = state_->targets.picture();
  state_->settings.transparent ? divide_by_alpha(image) : make_opaque(image);
  return image;
}

const DrawReport& SceneRenderer::report() const { return state_->report; }
const SceneSettings& SceneRenderer::settings() const { return state_->settings; }
void SceneRenderer::set_look(const SceneLook& look) { state_->settings.look = look; }

void SceneRenderer::set_detail(bool culling, float pixel_error, float speck_pixels, std::uint32_t vertex_budget) {
  state_->settings.culling = culling;
  state_->settings.pixel_error = pixel_error;
  state_->settings.speck_pixels = speck_pixels;
  state_->settings.vertex_budget = vertex_budget;
}

}  // namespace throng
