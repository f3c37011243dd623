// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a CharacterRenderer holds.

#include <map>

#include "draw_table.h"
#include "far/far_pipeline.h"
#include "near/near_pipeline.h"
#include "shared_images.h"
#include "sockets/prop_pass.h"
#include "sockets/socket_pass.h"
#include "surfaces/materials.h"
#include "surfaces/surface_pipelines.h"
#include "throng/renderer/character_renderer.h"
#include "throng/renderer/scene_bindings.h"
#include "throng/shaders/shared/vertex_source.h"

namespace throng::detail::renderer {

// One draw of a model: a material, with all its triangles.
struct MaterialDraw {
  std::uint32_t material = 0;
  gpu::DrawUniforms uniforms{};
  PipelineKey key = {};
};

// What a model's pipelines are compiled for. Each costs the others' draws nothing.
struct PipelineUse {
  bool near = false;      // near characters are among those that are drawn
  bool overflow = false;  // the pool may have no room for some

  friend auto operator<=>(const PipelineUse&, const PipelineUse&) = default;
};

using Pipelines = std::map<PipelineKey, PipelinePair>;

struct DrawnModel {
  explicit DrawnModel(Character its_character) : character(std::move(its_character)) {}

  Character character;
  bool far = true;  // whether it may have far characters
  Materials materials;
  DrawTable draw_table;
  Buffer triangles;                                    // of far and near meshes
  std::vector<MaterialDraw> material_draws;            // one for each draw of the table
  std::uint32_t near_vertices = gpu::kNoNearVertices;  // shared/vertex_source.h
  std::map<PipelineUse, Pipelines> pipelines;          // made when they are first needed
  SocketPass sockets;
  std::optional<DrawnSocketPass> drawn_sockets;  // once there are props
  std::vector<PropPass> props;
};

}  // namespace throng::detail::renderer

namespace throng {

struct CharacterRenderer::State {
  using DrawnModel = detail::renderer::DrawnModel;
  using PipelineUse = detail::renderer::PipelineUse;

  std::shared_ptr<GpuDevice> gpu;
  RendererSettings settings;
  detail::renderer::SharedImages images;
  std::optional<detail::renderer::FarPipeline> far;
  detail::renderer::NearPipeline near;
  SceneBindings scene;
  DescriptorSets material_layout;  // no sets
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline speck = VK_NULL_HANDLE;
  std::vector<std::unique_ptr<DrawnModel>> models;
  glm::mat4 clip_from_world{1.0f};
  std::vector<glm::mat4> shadows;
  bool specks = false;
  bool prepared = false;
  bool recorded = false;  // whether the last call of record_prepare recorded an image, which may be dropped
  VkDescriptorSet scene_set = VK_NULL_HANDLE;  // of the last colour pass
  bool unshadowed = false;                     // and whether its scene had no shadows of the sun
  bool coloured = false;                       // whether the last prepared image had one

  bool moves() const { return settings.targets.motion != VK_FORMAT_UNDEFINED; }
  GraphicsPipelineInfo colour_info() const { return detail::renderer::colour_info(settings, layout); }
  GraphicsPipelineInfo shadow_info() const { return detail::renderer::shadow_info(settings.targets, layout); }
  Result<void> create_shared();

  // What add() does, step by step.
  Result<std::uint32_t> add(const Character& character, const ModelSettings& settings);
  Result<void> complete(DrawnModel& drawn, std::uint32_t number, const NearMesh* mesh, const ModelSettings& how);
  std::uint32_t vertex_source(const PipelineUse& use) const;
  Result<void> make_pipelines(DrawnModel& drawn, std::uint32_t model, const PipelineUse& use) const;

  // Compiles what draws near characters of a model, once.
  Result<void> make_near_pipelines(ModelId model);

  Result<void> check_model(ModelId model) const;
  Result<std::vector<std::uint32_t>> models_of(const Crowd& crowd) const;

  // What preparing and recording an image takes.
  PipelineUse use_of(std::uint32_t model) const;
  Result<void> make_overflow_pipelines();
  Result<void> prepare_props(VkCommandBuffer commands);
  void drop_image();
  bool may_draw(std::uint32_t model) const;
  std::uint32_t draw_model(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                           const glm::mat4& matrix) const;
  std::uint32_t draw_materials(VkCommandBuffer commands, std::uint32_t model, std::uint32_t view,
                               const glm::mat4& matrix) const;
  std::uint32_t draw_specks(VkCommandBuffer commands, std::uint32_t model) const;
};

}  // namespace throng
