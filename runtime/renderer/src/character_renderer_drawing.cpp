// SPDX-License-Identifier: Apache-2.0
// What a CharacterRenderer records for one image.
#include "character_renderer_state.h"
#include "image_passes.h"
#include "surfaces/image_check.h"
#include "throng/base/try.h"

namespace throng {

using namespace detail::renderer;

// In the image that was recorded last.
PipelineUse CharacterRenderer::State::use_of(std::uint32_t model) const {
  return {.near = near.draws(ModelId(model)), .overflow = images.shares.overflows && far->prepared_count(model) > 0};
}

// For characters that the pool has no room for: most programs never have any.
Result<void> CharacterRenderer::State::make_overflow_pipelines() {
  for (std::uint32_t model = 0; model < models.size(); ++model) {
    const PipelineUse use = use_of(model);
    if (use.overflow) THRONG_CHECK(make_pipelines(*models[model], model, use));
  }
  return {};
}

Result<void> CharacterRenderer::State::prepare_props(VkCommandBuffer commands) {
  for (std::uint32_t model = 0; model < models.size(); ++model) {
    DrawnModel& drawn = *models[model];
    if (drawn.props.empty()) continue;
    THRONG_TRY(const NumberedBuffer places, drawn.drawn_sockets->record(*gpu, commands, images.ring, *far, model));
    for (PropPass& prop : drawn.props) THRONG_CHECK(prop.record_prepare(*gpu, commands, images.ring, *far, places));
  }
  return {};
}

Result<void> CharacterRenderer::record_prepare(VkCommandBuffer commands, const RendererImage& image) {
  State& state = *state_;
  state.coloured = state.prepared = state.recorded = false;
  THRONG_CHECK(check_image(image));
  if (state.models.empty()) return {};
  THRONG_CHECK(record_image(*state.gpu, commands, image, state.images, *state.far, &state.near));
  state.recorded = true;
  state.clip_from_world = image.clip_from_world;
  state.shadows.assign(image.shadows.begin(), image.shadows.end());
  state.specks = image.speck_pixels > 0.0f;
  auto done = state.make_overflow_pipelines();
  if (done) done = state.prepare_props(commands);
  if (!done) state.drop_image();  // what was recorded so far cannot be drawn
  state.prepared = done.has_value();
  return done;
}

Result<SocketBuffer> CharacterRenderer::record_sockets(VkCommandBuffer commands, ModelId model, Ticks now) {
  THRONG_CHECK(state_->check_model(model));
  return state_->models[model.value]->sockets.record(*state_->gpu, commands, state_->images.ring, *state_->far,
                                                     model.value, now);
}

void CharacterRenderer::State::drop_image() {
  // What a refused call recorded nothing of leaves the image before it as it is: that was submitted.
  if (std::exchange(recorded, false)) detail::renderer::drop_image(images, *far, near);
  if (coloured) scene.back();
  coloured = prepared = false;
}

void CharacterRenderer::drop_image() { state_->drop_image(); }

bool CharacterRenderer::State::may_draw(std::uint32_t model) const {
  return prepared && (far->prepared_count(model) > 0 || near.draws(ModelId(model)));
}

std::uint32_t CharacterRenderer::State::draw_materials(VkCommandBuffer commands, std::uint32_t model,
                                                       std::uint32_t view, const glm::mat4& matrix) const {
  const VolkDeviceTable& vk = gpu->vk();
  constexpr auto kGraphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
  const DrawnModel& drawn = *models[model];
  const Pipelines& pipelines = drawn.pipelines.at(use_of(model));
  const bool sifted = view == 0 && far->is_sifted(model);  // then these are calls of their own, beside near ones'
  for (std::uint32_t i = 0; i < drawn.material_draws.size(); ++i) {
    const MaterialDraw& draw = drawn.material_draws[i];
    gpu::DrawUniforms uniforms = draw.uniforms;
    uniforms.clip_from_world = matrix;
    const VkDescriptorSet set = drawn.materials.set(draw.material);
    const PipelinePair& pair = pipelines.at(draw.key);
    vk.vkCmdBindPipeline(commands, kGraphics, view > 0 ? pair.shadow : unshadowed ? pair.unshadowed : pair.colour);
    vk.vkCmdBindDescriptorSets(commands, kGraphics, layout, 2, 1, &set, 0, nullptr);
    vk.vkCmdPushConstants(commands, layout, kDrawStages, 0, sizeof(uniforms), &uniforms);
    if (sifted) far->sift_of(model).draw(*gpu, commands, i);
    if (sifted && !near.draws(ModelId(model))) continue;
    if (sifted) vk.vkCmdBindIndexBuffer(commands, drawn.triangles.get(), 0, VK_INDEX_TYPE_UINT32);
    far->draw(commands, model, view, i);
  }
  const auto draws = static_cast<std::uint32_t>(drawn.material_draws.size());
  return sifted && near.draws(ModelId(model)) ? 2 * draws : draws;
}

std::uint32_t CharacterRenderer::State::draw_specks(VkCommandBuffer commands, std::uint32_t model) const {
  gpu::DrawUniforms uniforms{};
  uniforms.clip_from_world = clip_from_world;
  gpu->vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, speck);
  gpu->vk().vkCmdPushConstants(commands, layout, kDrawStages, 0, sizeof(uniforms), &uniforms);
  far->draw(commands, model, 0, static_cast<std::uint32_t>(models[model]->material_draws.size()));
  return 1;
}

// All of one model in one view.
std::uint32_t CharacterRenderer::State::draw_model(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                                                   const glm::mat4& matrix) const {
  const VolkDeviceTable& vk = gpu->vk();
  constexpr auto kGraphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
  // A prop's pipelines have a layout of their own, which unbinds these sets.
  if (view == 0) vk.vkCmdBindDescriptorSets(commands, kGraphics, layout, 0, 1, &scene_set, 0, nullptr);
  const VkDescriptorSet near_set = near.draw_set();
  vk.vkCmdBindDescriptorSets(commands, kGraphics, layout, 3, 1, &near_set, 0, nullptr);
  far->bind(commands, layout, model);
  vk.vkCmdBindIndexBuffer(commands, models[model]->triangles.get(), 0, VK_INDEX_TYPE_UINT32);
  std::uint32_t draws = draw_materials(commands, model, view, matrix);
  if (far->prepared_count(model) == 0) return draws;
  if (view == 0 && specks) draws += draw_specks(commands, model);
  for (const PropPass& prop : models[model]->props) prop.record_draw(*gpu, commands, *far, view, matrix, scene_set);
  return draws + static_cast<std::uint32_t>(models[model]->props.size());
}

std::uint32_t CharacterRenderer::record_shadow(VkCommandBuffer commands, std::uint32_t shadow) const {
  std::uint32_t draws = 0;
  for (std::uint32_t model = 0; shadow < state_->shadows.size() && model < state_->models.size(); ++model)
    if (state_->may_draw(model)) draws += state_->draw_model(commands, model, shadow + 1, state_->shadows[shadow]);
  return draws;
}

std::uint32_t CharacterRenderer::record_colour(VkCommandBuffer commands, const gpu::SceneUniforms& scene,
                                               const ShadowMaps& shadows) {
  gpu::SceneUniforms uniforms = scene;
  uniforms.last_clip_from_world = state_->images.views.last();
  state_->scene_set = state_->scene.next(uniforms, shadows);
  state_->coloured = true;
  state_->unshadowed = scene.cascade_count == 0;
  std::uint32_t draws = 0;
  for (std::uint32_t model = 0; model < state_->models.size(); ++model)
    if (state_->may_draw(model)) draws += state_->draw_model(commands, model, 0, state_->clip_from_world);
  return draws;
}

}  // namespace throng
