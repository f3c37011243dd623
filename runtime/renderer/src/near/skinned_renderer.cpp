// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/skinned_renderer.h"
#include "throng/base/try.h"

#include <algorithm>

#include "near/skinned_state.h"
#include "shader_code.h"

namespace throng {
using namespace detail::renderer;
namespace {

// Pictures that were linked and not loaded are left out.
std::vector<Material> shown_materials(const Character& character) {
  std::vector<Material> materials(character.materials().begin(), character.materials().end());
  const auto drop_missing = [&](std::optional<std::uint32_t>& image) {
    if (image && character.images()[*image].bytes.size() == 0) image.reset();
  };
  for (Material& material : materials) {
    drop_missing(material.base_image);
    drop_missing(material.normal_image);
  }
  return materials;
}

std::vector<SkinnedSurface> new_surfaces(const SkinnedModel& model, std::uint32_t number,
                                         std::span<const Material> materials, VkSampleCountFlagBits samples,
                                         bool tangents) {
  std::vector<SkinnedSurface> made;
  for (std::uint32_t i = 0; i < materials.size(); ++i) {
    SkinnedSurface surface{.model = number, .material = i};
    const auto first = std::ranges::find(model.parts, i, &SkinnedPart::material);
    surface.first_part = model.first_part + static_cast<std::uint32_t>(first - model.parts.begin());
    surface.part_count = static_cast<std::uint32_t>(std::ranges::count(model.parts, i, &SkinnedPart::material));
    if (surface.part_count == 0) continue;
    surface.uniforms = surface_uniforms(materials[i], i, samples);
    surface.key = {key_of(materials[i]), tangents && materials[i].normal_image};
    made.push_back(surface);
  }
  return made;
}

}  // namespace

Result<void> SkinnedRenderer::State::create_shared() {
  THRONG_TRY(scene, SceneBindings::create(*gpu, ring.size()));
  const auto make = [&](DescriptorSets& into, const std::vector<BindingSpec>& specs) -> Result<void> {
    THRONG_TRY(into, DescriptorSets::create(*gpu, specs, 0));
    return {};
  };
  THRONG_CHECK(make(skin_layout, skin_bindings()));
  THRONG_CHECK(make(draw_layout, draw_bindings()));
  THRONG_CHECK(make(material_layout, Materials::bindings()));
  const std::array skin_sets{skin_layout.layout()};
  THRONG_TRY(skinning, create_pipeline_layout(*gpu, skin_sets, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(gpu::SkinnedBatch)));
  const std::array draw_sets{scene.set_layout(), draw_layout.layout(), material_layout.layout()};
  THRONG_TRY(drawing, create_pipeline_layout(*gpu, draw_sets, kDrawStages, sizeof(gpu::DrawUniforms)));
  return create_slots();
}

Result<void> SkinnedRenderer::State::create_slots() {
  slots.resize(ring.size());
  for (SkinnedSlot& made : slots) {
    THRONG_TRY(made.skinning, DescriptorSets::create(*gpu, skin_bindings(), 1));
    THRONG_TRY(made.drawing, DescriptorSets::create(*gpu, draw_bindings(), 1));
  }
  return {};
}

Result<VkOwned<VkPipeline>> SkinnedRenderer::State::create_skin(std::uint32_t wanted) const {
  const std::array constants{wanted};
  return create_compute_pipeline(*gpu, skinning.get(), shader_code::skinned_compute(), constants);
}

Result<void> SkinnedRenderer::State::create_pipelines(std::span<const SkinnedSurface> added) {
  SurfaceShaders shaders;
  shaders.colour = moves() ? shader_code::skinned_motion_vertex() : shader_code::skinned_vertex();
  shaders.shadow = shader_code::skinned_shadow_vertex();
  for (const SkinnedSurface& surface : added) {
    if (pipelines.contains(surface.key)) continue;
    const std::array constants{surface.key.tangents ? 1u : 0u};
    shaders.constants = constants;
    THRONG_TRY(auto pair,
               create_surface_pipelines(*gpu, settings.targets, drawing.get(), surface.key.surface, shaders));
    pipelines.emplace(surface.key, std::move(pair));
  }
  return {};
}

Result<SkinnedRenderer> SkinnedRenderer::create(const VulkanContext& context, const SkinnedSettings& settings) {
  THRONG_TRY(auto gpu, GpuDevice::create(context));
  return create(std::move(gpu), settings);
}

Result<SkinnedRenderer> SkinnedRenderer::create(std::shared_ptr<GpuDevice> gpu, const SkinnedSettings& settings) {
  auto state = std::make_unique<State>();
  state->gpu = std::move(gpu);
  state->settings = settings;
  state->ring = FrameRing(settings.targets.images_in_flight);
  state->readbacks = SkinnedReadbacks(settings.most_readbacks);
  THRONG_CHECK(state->create_shared());
  return SkinnedRenderer(std::move(state));
}

SkinnedRenderer::SkinnedRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
SkinnedRenderer::SkinnedRenderer(SkinnedRenderer&&) noexcept = default;
SkinnedRenderer& SkinnedRenderer::operator=(SkinnedRenderer&&) noexcept = default;
SkinnedRenderer::~SkinnedRenderer() = default;

Result<std::uint32_t> SkinnedRenderer::add_model(const Character& character, const SkinnedModelSettings& settings) {
  State& state = *state_;
  THRONG_TRY(const Motion motion, character.motion());
  THRONG_TRY(const NearMesh mesh, character.near_mesh());
  const std::vector<Material> looks = shown_materials(character);
  const SkinnedMeshes meshes = skinned_meshes(mesh, motion, settings.method, state.geometry.totals());
  const auto number = static_cast<std::uint32_t>(state.cast.models().size());
  SkinnedModel made(character, mesh, motion, settings.method, meshes.parts, state.part_count);
  const bool tangents = (meshes.features & gpu::kSkinTangents) != 0;
  const auto surfaces = new_surfaces(made, number, looks, state.settings.targets.samples, tangents);
  const auto on_gpu = [&]() -> Result<void> {
    THRONG_TRY(auto materials, Materials::create(*state.gpu, looks, character.images()));
    THRONG_CHECK(state.create_pipelines(surfaces));
    const std::uint32_t features = state.features | meshes.features;
    VkOwned<VkPipeline> skin, skin_uneven;
    if (features != state.features || state.skin.get() == VK_NULL_HANDLE) {
      THRONG_TRY(skin, state.create_skin(features));
      THRONG_TRY(skin_uneven, state.create_skin(features | gpu::kSkinUneven));
    }
    THRONG_TRY(auto geometry, state.geometry.with(*state.gpu, meshes));
    // The queue has finished all that read the old ones.
    state.geometry = std::move(geometry);
    if (skin.get() != VK_NULL_HANDLE) state.skin = std::move(skin);
    if (skin_uneven.get() != VK_NULL_HANDLE) state.skin_uneven = std::move(skin_uneven);
    state.features = features;
    state.materials.push_back(std::move(materials));
    return {};
  };
  if (auto done = on_gpu(); !done) return fail(with_context(character.name(), std::move(done).error()));
  state.part_count += static_cast<std::uint32_t>(made.parts.size());
  state.column_counts.insert(state.column_counts.end(), meshes.column_counts.begin(), meshes.column_counts.end());
  state.surfaces.insert(state.surfaces.end(), surfaces.begin(), surfaces.end());
  state.cast.add_model(std::move(made));
  state.prepared = false;
  return number;
}

std::optional<std::uint32_t> SkinnedRenderer::find_model(const Character& character) const {
  const auto mesh = character.near_mesh();
  const auto& models = state_->cast.models();
  for (std::uint32_t i = 0; mesh && i < models.size(); ++i)
    if (models[i]->mesh == *mesh) return i;
  return std::nullopt;
}

Result<CharacterId> SkinnedRenderer::add(std::uint32_t model) { return state_->cast.add(model); }
Result<CharacterId> SkinnedRenderer::add(std::uint32_t model, std::span<const PartRef> parts) {
  return state_->cast.add(model, parts);
}
Result<void> SkinnedRenderer::remove(CharacterId id) { return state_->cast.remove(id); }
Result<void> SkinnedRenderer::set_parts(CharacterId id, std::span<const PartRef> parts) {
  return state_->cast.set_parts(id, parts);
}
Result<void> SkinnedRenderer::set_pose(CharacterId id, const SkinnedPose& pose) {
  return state_->cast.set_pose(id, pose);
}

Result<std::span<const PartRef>> SkinnedRenderer::parts(CharacterId id) const {
  THRONG_TRY(const auto place, state_->cast.find(id));
  return std::span<const PartRef>(state_->cast.characters()[place].parts);
}

Result<Bounds> SkinnedRenderer::bounds(CharacterId id) const {
  THRONG_TRY(const auto place, state_->cast.find(id));
  const FloatBox& box = state_->cast.characters()[place].bounds;
  return Bounds{glm::dvec3(box.min), glm::dvec3(box.max)};
}

Bounds SkinnedRenderer::bounds() const {
  Bounds all;
  for (const SkinnedCharacterState& character : state_->cast.characters())
    if (character.alive && !character.bounds.empty())
      all.add(Bounds{glm::dvec3(character.bounds.min), glm::dvec3(character.bounds.max)});
  return all;
}

Result<std::uint64_t> SkinnedRenderer::request_vertices(CharacterId id, const PartRef& part) {
  THRONG_TRY(const auto place, state_->cast.find(id));
  for (const WornPart& worn : state_->cast.characters()[place].worn)
    if (worn.ref == part) return state_->readbacks.request(*state_->gpu, id, part, worn.part->vertex_count);
  return fail("character {} does not wear mesh {} of model {}", id.slot, part.mesh, part.model);
}

std::vector<VertexReadback> SkinnedRenderer::poll() {
  return state_->readbacks.take(state_->finished, state_->ring.recorded());
}
void SkinnedRenderer::all_finished() { state_->finished = state_->ring.recorded(); }
SkinnedCounts SkinnedRenderer::counts() const { return state_->counts; }
std::size_t SkinnedRenderer::model_count() const { return state_->cast.models().size(); }
std::size_t SkinnedRenderer::character_count() const { return state_->cast.size(); }

}  // namespace throng
