// SPDX-License-Identifier: Apache-2.0
#include "throng/renderer/character_renderer.h"

#include <algorithm>

#include "character_renderer_state.h"
#include "shader_code.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/gpu/pipelines.h"

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

}  // namespace

Result<void> CharacterRenderer::State::create_shared() {
  THRONG_TRY(images, SharedImages::create(*gpu, settings.targets.images_in_flight, settings.pool_vertices));
  FarPipelineSettings pipeline_settings;
  pipeline_settings.pooled = settings.skinning == Skinning::automatic || settings.skinning == Skinning::compute;
  pipeline_settings.motion = moves();
  pipeline_settings.qualities = settings.qualities;
  pipeline_settings.texels = suits_software(*gpu, settings.drawn_on);
  pipeline_settings.sift_samples = sifted_samples(*gpu, settings);
  THRONG_TRY(far, FarPipeline::create(gpu, images, pipeline_settings));
  THRONG_TRY(near, NearPipeline::create(*gpu, images, settings.most_readbacks, moves()));
  THRONG_TRY(scene, SceneBindings::create(*gpu, images.ring.size()));
  THRONG_TRY(material_layout, DescriptorSets::create(*gpu, Materials::bindings(), 0));
  const std::array sets{scene.set_layout(), far->model_layout(), material_layout.layout(), near.draw_layout()};
  THRONG_TRY(layout, pipeline_layout(*gpu, sets, kDrawStages, sizeof(gpu::DrawUniforms)));

  GraphicsPipelineInfo info = colour_info();
  info.vertex_code = moves() ? shader_code::speck_motion_vertex() : shader_code::speck_vertex();
  if (settings.shading == Shading::plain)
    info.fragment_code = moves() ? shader_code::speck_motion_plain_fragment() : shader_code::speck_plain_fragment();
  else
    info.fragment_code = moves() ? shader_code::speck_motion_fragment() : shader_code::speck_fragment();
  info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  THRONG_TRY(speck, graphics_pipeline(*gpu, info));
  return {};
}

Result<CharacterRenderer> CharacterRenderer::create(const VulkanContext& context, const RendererSettings& settings) {
  THRONG_TRY(auto gpu, GpuDevice::create(context));
  return create(std::move(gpu), settings);
}

Result<CharacterRenderer> CharacterRenderer::create(std::shared_ptr<GpuDevice> gpu, const RendererSettings& settings) {
  auto state = std::make_unique<State>();
  state->gpu = std::move(gpu);
  state->settings = settings;
  THRONG_CHECK(state->create_shared());
  return CharacterRenderer(std::move(state));
}

CharacterRenderer::CharacterRenderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
CharacterRenderer::CharacterRenderer(CharacterRenderer&&) noexcept = default;
CharacterRenderer& CharacterRenderer::operator=(CharacterRenderer&&) noexcept = default;
CharacterRenderer::~CharacterRenderer() = default;

// The number that shared/vertex_source.h gives it.
std::uint32_t CharacterRenderer::State::vertex_source(const PipelineUse& use) const {
  if (settings.skinning == Skinning::none) return gpu::kVerticesAtRest;
  if (!far->pooled()) return gpu::kVerticesAsDrawn;
  return use.overflow ? gpu::kVerticesPooledOrDrawn : gpu::kVerticesPooled;
}

// One pair for each kind of surface that the model has.
Result<void> CharacterRenderer::State::make_pipelines(DrawnModel& drawn, std::uint32_t model,
                                                      const PipelineUse& use) const {
  const auto fixed = far->model(model).constants();
  std::vector<std::uint32_t> constants(fixed.begin(), fixed.end());
  const std::uint32_t source = vertex_source(use);
  constants.push_back(source);
  constants.push_back(use.near ? drawn.near_vertices : gpu::kNoNearVertices);
  constants.push_back(far->sift_of(model).bits());
  SurfaceShaders shaders;
  // Motion vectors need the last image's vertex too, which no pool holds.
  const bool posed = far->model(model).posed();
  const bool found = posed || source == gpu::kVerticesPooled;
  if (moves())
    shaders.colour = posed ? shader_code::character_motion_posed_vertex() : shader_code::character_motion_vertex();
  else if (found && suits_software(*gpu, settings.drawn_on))
    shaders.colour = shader_code::character_posed_texels_vertex();
  else
    shaders.colour = found ? shader_code::character_posed_vertex() : shader_code::character_vertex();
  shaders.shadow = found ? shader_code::character_shadow_posed_vertex() : shader_code::character_shadow_vertex();
  if (found && suits_software(*gpu, settings.drawn_on))
    shaders.shadow = shader_code::character_shadow_posed_texels_vertex();
  shaders.constants = constants;
  Pipelines& into = drawn.pipelines[use];
  for (const MaterialDraw& draw : drawn.material_draws) {
    if (into.contains(draw.key)) continue;
    THRONG_TRY(const PipelinePair pair, create_surface_pipelines(*gpu, settings, layout, draw.key, shaders));
    into.emplace(draw.key, pair);
  }
  return {};
}

Result<void> CharacterRenderer::State::make_near_pipelines(ModelId model) {
  if (model.value >= models.size() || models[model.value]->near_vertices == gpu::kNoNearVertices)
    return {};  // the roster says why not
  return make_pipelines(*models[model.value], model.value, {.near = true});
}

// What draws a model that the pipeline of far characters has.
Result<void> CharacterRenderer::State::complete(DrawnModel& drawn, std::uint32_t number, const NearMesh* mesh,
                                                const ModelSettings& how) {
  const std::vector<Material> materials = shown_materials(drawn.character);
  THRONG_TRY(drawn.materials, Materials::create(*gpu, materials, drawn.character.images(), how.picture_budget));
  THRONG_TRY(drawn.triangles, upload_triangles(*gpu, drawn.character, mesh));
  for (const std::uint32_t material : drawn.draw_table.materials) {
    MaterialDraw draw{.material = material,
                      .uniforms = {},
                      .key = key_of(materials[material], suits_software(*gpu, settings.drawn_on))};
    draw.uniforms = surface_uniforms(materials[material], material, settings.targets.samples);
    drawn.material_draws.push_back(draw);
  }
  if (mesh != nullptr)
    drawn.near_vertices =
        (mesh->features() & gpu::kSkinTangents) != 0 ? gpu::kNearWithTangents : gpu::kNearWithoutTangents;
  std::vector<std::uint32_t> one_sided;
  for (const MaterialDraw& draw : drawn.material_draws) one_sided.push_back(draw.key.double_sided ? 0 : 1);
  THRONG_CHECK(far->sift(number, drawn.triangles, one_sided));
  if (how.far) THRONG_CHECK(make_pipelines(drawn, number, {}));
  THRONG_TRY(drawn.sockets, SocketPass::create(*gpu, drawn.character, *far, number));
  return {};
}

Result<std::uint32_t> CharacterRenderer::State::add(const Character& character, const ModelSettings& how) {
  if (!how.far && !how.near) return fail("it is to be added neither for far nor for near characters");
  const auto mesh = how.near ? character.near_mesh() : fail("'{}' was added for far characters only", character.name());
  if (!mesh && !how.far) return fail(mesh.error());
  const NearMesh* near_mesh = mesh ? &*mesh : nullptr;
  auto drawn = std::make_unique<DrawnModel>(character);
  drawn->far = how.far;
  drawn->draw_table = draw_table_of(character, near_mesh);
  std::optional<NearPipeline::Added> added;
  THRONG_TRY(const std::uint32_t number, far->add(character, drawn->draw_table, how.far));
  const auto rest = [&]() -> Result<void> {
    THRONG_CHECK(complete(*drawn, number, near_mesh, how));
    if (near_mesh == nullptr) return {};
    THRONG_TRY(added, near.make(*gpu, character, *near_mesh, how.near_method));
    return {};
  };
  if (auto done = rest(); !done) {
    far->drop_last_model();
    return fail(std::move(done));
  }
  if (added)
    near.add(std::move(*added), far->first_call(number), drawn->draw_table);
  else
    near.add_none(mesh.error().message);
  models.push_back(std::move(drawn));
  prepared = false;
  return number;
}

Result<ModelId> CharacterRenderer::add(const Character& character, const ModelSettings& settings) {
  const auto number = state_->add(character, settings);
  if (!number) return fail(with_context(character.name(), number.error()));
  return ModelId(*number);
}

std::optional<ModelId> CharacterRenderer::find(const Character& character) const {
  std::optional<ModelId> found;
  for (std::uint32_t i = 0; i < state_->models.size(); ++i) {
    const DrawnModel& model = *state_->models[i];
    if (!model.character.same_as(character)) continue;
    if (model.near_vertices != gpu::kNoNearVertices) return ModelId(i);
    if (!found) found = ModelId(i);
  }
  return found;
}

Result<ModelId> CharacterRenderer::find_model(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& model : state_->models) names.push_back(model->character.name());
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return fail("model '{}' does not exist; {}", name, did_you_mean(name, names));
  return find(state_->models[static_cast<std::size_t>(found - names.begin())]->character).value();
}

std::size_t CharacterRenderer::model_count() const { return state_->models.size(); }

Result<void> CharacterRenderer::State::check_model(ModelId model) const {
  if (model.value < models.size()) return {};
  return fail("model {} does not exist; {} were added", model.value, models.size());
}

Result<void> CharacterRenderer::add_prop(const PropMesh& mesh, ModelId model, SocketId socket) {
  State& state = *state_;
  THRONG_CHECK(state.check_model(model));
  DrawnModel& drawn = *state.models[model.value];
  const auto sockets = static_cast<std::uint32_t>(drawn.character.sockets().size());
  if (socket.value >= sockets)
    return fail("socket {} does not exist; the model has {}: bake it with the socket exposed", socket.value, sockets);
  if (!drawn.drawn_sockets) {
    THRONG_TRY(auto pass, DrawnSocketPass::create(*state.gpu, drawn.character, *state.far, model.value));
    drawn.drawn_sockets = std::move(pass);
  }
  const PropPass::Description description{
      .mesh = &mesh, .model = model.value, .socket = socket.value, .sockets = sockets};
  THRONG_TRY(auto prop, PropPass::create(*state.gpu, description, state.scene.set_layout(), *state.far,
                                         state.colour_info(), state.shadow_info()));
  drawn.props.push_back(std::move(prop));
  float size = 0.0f;
  for (const glm::vec3& position : mesh.positions) size = std::max(size, glm::length(position));
  state.far->carry(model.value, carried_reach(drawn.character, socket, static_cast<double>(size)));
  return {};
}

// Which of the renderer's each of the crowd's models is.
Result<std::vector<std::uint32_t>> CharacterRenderer::State::models_of(const Crowd& from) const {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < from.model_count(); ++i) {
    const Character& wanted = from.character(ModelId(i));
    const auto found =
        std::ranges::find_if(models, [&](const auto& model) { return model->far && model->character.same_as(wanted); });
    if (found == models.end())
      return fail("'{}' was not added to the renderer for far characters; call add with the crowd's character",
                  wanted.name());
    numbers.push_back(static_cast<std::uint32_t>(found - models.begin()));
  }
  return numbers;
}

Result<void> CharacterRenderer::update(const Crowd& crowd) {
  THRONG_TRY(const auto models, state_->models_of(crowd));
  return state_->far->update(crowd, models);
}

Result<void> CharacterRenderer::set_instances(ModelId model, std::span<const InstanceRecord> instances,
                                              std::span<const PlayRecord> plays) {
  return state_->far->set_instances(model.value, instances, plays);
}

Result<void> CharacterRenderer::prepare_near(ModelId model) {
  THRONG_CHECK(state_->near.roster().check_model(model));
  return state_->make_near_pipelines(model);
}

Result<CharacterId> CharacterRenderer::add_near(ModelId model) {
  THRONG_CHECK(state_->make_near_pipelines(model));
  return state_->near.roster().add(model);
}
Result<CharacterId> CharacterRenderer::add_near(ModelId model, std::span<const PieceRef> pieces) {
  for (const PieceRef& piece : pieces) THRONG_CHECK(state_->make_near_pipelines(piece.model));
  return state_->near.roster().add(model, pieces);
}
Result<void> CharacterRenderer::remove(CharacterId id) { return state_->near.roster().remove(id); }
Result<void> CharacterRenderer::set_pieces(CharacterId id, std::span<const PieceRef> pieces) {
  for (const PieceRef& piece : pieces) THRONG_CHECK(state_->make_near_pipelines(piece.model));
  return state_->near.roster().set_pieces(id, pieces);
}
Result<void> CharacterRenderer::set_pose(CharacterId id, const NearPose& pose) {
  return state_->near.roster().set_pose(id, pose);
}

Result<std::span<const PieceRef>> CharacterRenderer::pieces(CharacterId id) const {
  const NearRoster& roster = state_->near.roster();
  THRONG_TRY(const auto place, roster.find(id));
  return std::span<const PieceRef>(roster.characters()[place].pieces);
}

Result<Bounds> CharacterRenderer::bounds(CharacterId id) const {
  const NearRoster& roster = state_->near.roster();
  THRONG_TRY(const auto place, roster.find(id));
  const FloatBox& box = roster.characters()[place].bounds;
  return Bounds{glm::dvec3(box.min), glm::dvec3(box.max)};
}

Bounds CharacterRenderer::bounds() const {
  Bounds all = state_->far->bounds();
  all.add(state_->near.bounds());
  return all;
}

Result<std::uint64_t> CharacterRenderer::request_vertices(CharacterId id, const PieceRef& piece) {
  return state_->near.request_vertices(*state_->gpu, id, piece);
}
std::vector<VertexReadback> CharacterRenderer::poll() { return state_->near.poll(); }
void CharacterRenderer::all_finished() { state_->near.all_finished(); }

CrowdCounts CharacterRenderer::far_counts() const { return state_->far->counts(); }
NearCounts CharacterRenderer::near_counts() const { return state_->near.counts(); }

Skinning CharacterRenderer::skinning() const {
  return state_->settings.skinning == Skinning::automatic ? Skinning::compute : state_->settings.skinning;
}

std::uint64_t CharacterRenderer::far_count() const {
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < state_->models.size(); ++i) count += state_->far->instance_count(i);
  return count;
}

std::size_t CharacterRenderer::near_count() const { return state_->near.roster().size(); }

}  // namespace throng
