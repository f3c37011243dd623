// SPDX-License-Identifier: Apache-2.0
#include "near_stage.h"

#include <algorithm>

#include "dice.h"

namespace throng::test {
namespace {

glm::dquat small_turn(Dice& dice, double angle) {
  return glm::angleAxis(dice.between(-angle, angle), dice.direction());
}

glm::dvec3 random_scale(Dice& dice, bool uneven) {
  if (!uneven) return glm::dvec3(1.0);
  const glm::dvec3 scale(dice.between(0.6, 1.6), dice.between(0.6, 1.6), dice.between(0.6, 1.6));
  return dice.below(5) == 0 ? scale * glm::dvec3(-1.0, 1.0, 1.0) : scale;
}

// Falling, summing to one.
void bind(Mesh& mesh, Dice& dice, const NearShape& shape) {
  const std::uint32_t most = std::min(shape.influences, shape.bones);
  const std::uint32_t count = shape.all_influences ? most : 1 + dice.below(most);
  std::vector<std::uint16_t> bindings(shape.bones);
  for (std::uint32_t i = 0; i < shape.bones; ++i) bindings[i] = static_cast<std::uint16_t>(i);
  std::vector<double> weights(count);
  double sum = 0.0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::swap(bindings[i], bindings[i + dice.below(shape.bones - i)]);
    weights[i] = dice.between(0.05, 1.0);
    sum += weights[i];
  }
  std::ranges::sort(weights, std::greater{});
  Influences first, second;
  for (std::uint32_t i = 0; i < count; ++i) {
    Influences& to = i < kInfluences ? first : second;
    to.bindings[i % kInfluences] = bindings[i];
    to.weights[i % kInfluences] = static_cast<float>(weights[i] / sum);
  }
  mesh.influences.push_back(first);
  if (shape.influences > kInfluences) mesh.extra_influences.push_back(second);
}

Mesh random_mesh(Dice& dice, const NearShape& shape, std::uint32_t number) {
  Mesh mesh;
  mesh.name = "mesh " + std::to_string(number);
  mesh.primitive = number;
  mesh.material = number % shape.materials;
  for (std::uint32_t v = 0; v < shape.vertices; ++v) {
    const glm::dvec3 normal = dice.direction();
    mesh.positions.emplace_back(dice.point(1.0));
    mesh.normals.emplace_back(normal);
    mesh.uvs.emplace_back(dice.between(0.0, 1.0), dice.between(0.0, 1.0));
    mesh.colours.emplace_back(dice.point(0.5) + 0.5, 1.0);
    if (shape.tangents)
      mesh.tangents.emplace_back(glm::vec3(glm::normalize(glm::cross(normal, dice.direction()))),
                                 dice.below(2) == 0 ? 1.0f : -1.0f);
    bind(mesh, dice, shape);
    mesh.indices.push_back(v);
  }
  for (std::uint32_t t = 0; t < shape.targets; ++t) {
    MorphTarget target{.name = "target " + std::to_string(t), .positions = {}, .normals = {}};
    for (std::uint32_t v = 0; v < shape.vertices; ++v) {
      const bool still = dice.below(3) == 0;
      target.positions.emplace_back(still ? glm::dvec3(0.0) : dice.point(0.3));
      target.normals.emplace_back(still ? glm::dvec3(0.0) : dice.point(0.3));
    }
    mesh.morph_targets.push_back(std::move(target));
    mesh.morph_weights.push_back(static_cast<float>(dice.between(0.0, 1.0)));
  }
  return mesh;
}

}  // namespace

Model random_near_model(const NearShape& shape) {
  Dice dice(shape.seed);
  ModelDraft draft;
  draft.name = "random";
  for (std::uint32_t i = 0; i < shape.bones; ++i) {
    Bone bone;
    bone.name = shape.names + " " + std::to_string(i);
    if (i > 0) bone.parent = (i - 1) / 2;
    bone.rest.translation = dice.point(0.3);
    bone.rest.rotation = small_turn(dice, 1.0);
    draft.bones.push_back(bone);
    glm::dmat4 bone_from_mesh = glm::inverse(to_matrix({dice.point(0.5), small_turn(dice, 0.5), glm::dvec3(1.0)}));
    draft.bindings.push_back({i, bone_from_mesh});
  }
  for (std::uint32_t i = 0; i < shape.materials; ++i) {
    Material material;
    material.name = "material " + std::to_string(i);
    draft.materials.push_back(material);
  }
  for (std::uint32_t i = 0; i < shape.meshes; ++i) draft.meshes.push_back(random_mesh(dice, shape, i));
  return build_model(std::move(draft)).value();
}

Pose random_pose(const Model& model, unsigned seed, bool uneven) {
  Dice dice(seed);
  Pose pose = rest_pose(model);
  for (Transform& bone : pose.bones) {
    bone.translation += dice.point(0.1);
    bone.rotation = glm::normalize(bone.rotation * small_turn(dice, 1.2));
    bone.scale = random_scale(dice, uneven);
  }
  for (auto& weights : pose.morph_weights)
    for (double& weight : weights) weight = dice.below(4) == 0 ? 0.0 : dice.between(-0.3, 1.3);
  return pose;
}

Model card(const Material& material) {
  ModelDraft draft;
  draft.name = "card";
  draft.bones.push_back({.name = "root", .parent = {}, .rest = {}});
  draft.bindings.push_back({});
  draft.materials.push_back(material);
  Mesh mesh;
  mesh.name = "card";
  mesh.positions = {{-1.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {1.0f, 2.0f, 0.0f}, {-1.0f, 2.0f, 0.0f}};
  mesh.normals.assign(4, {0.0f, 0.0f, 1.0f});
  mesh.uvs = {{0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}};
  mesh.influences.assign(4, bound_to(0));
  mesh.indices = {0, 1, 2, 0, 2, 3};
  draft.meshes.push_back(std::move(mesh));
  return build_model(std::move(draft)).value();
}

std::vector<Affine> affines_of(const Model& model, const Pose& pose) {
  std::vector<Affine> affines;
  for (const glm::dmat4& matrix : model_from_bones(model, pose)) {
    const glm::mat4 rows(glm::transpose(matrix));
    affines.push_back({{rows[0], rows[1], rows[2]}});
  }
  return affines;
}

std::vector<float> morphs_of(const Pose& pose) {
  std::vector<float> all;
  for (const auto& weights : pose.morph_weights)
    for (const double weight : weights) all.push_back(static_cast<float>(weight));
  return all;
}

SkinnedVertices expected(const Model& model, std::size_t mesh, const Pose& pose, SkinMethod method,
                         const Placement& placement) {
  SkinnedVertices skinned = skin_mesh(model, mesh, pose, skinning_palette(model, pose), method);
  const glm::dquat turn(placement.rotation);
  for (glm::dvec3& position : skinned.positions)
    position = turn * (static_cast<double>(placement.scale) * position) + glm::dvec3(placement.position);
  for (glm::dvec3& normal : skinned.normals) normal = turn * normal;
  return skinned;
}

NearDeviation deviation(const VertexReadback& found, const SkinnedVertices& right, double diagonal) {
  NearDeviation worst;
  if (found.positions.size() != right.positions.size()) return {1e30, 180.0};
  for (std::size_t v = 0; v < right.positions.size(); ++v) {
    const double distance = glm::distance(glm::dvec3(found.positions[v]), right.positions[v]) / diagonal;
    worst.position = std::max(worst.position, std::isfinite(distance) ? distance : 1e30);
    if (right.normals.empty()) continue;
    const glm::dvec3 normal(found.normals[v]);
    const double sine = glm::length(glm::cross(normal, right.normals[v]));
    worst.degrees = std::max(worst.degrees, glm::degrees(std::atan2(sine, glm::dot(normal, right.normals[v]))));
  }
  return worst;
}

ModelId NearStage::add_model(const Model& model, const ModelSettings& settings) {
  ModelSettings near_only = settings;
  near_only.far = false;
  return add_model(near_character(model), near_only);
}

ModelId NearStage::add_model(const Character& character, const ModelSettings& settings) {
  const auto added = renderer.add(character, settings);
  EXPECT_TRUE(added) << added.error().message;
  return added.value_or(ModelId());
}

CharacterId NearStage::add(ModelId model) {
  const auto added = renderer.add_near(model);
  EXPECT_TRUE(added) << added.error().message;
  return added.value_or(CharacterId{});
}

void NearStage::pose(CharacterId id, const Model& model, const Pose& at, const Placement& placement) {
  const std::vector<Affine> bones = affines_of(model, at);
  const std::vector<float> morphs = morphs_of(at);
  const auto set = renderer.set_pose(id, {.model_from_bones = bones, .morph_weights = morphs, .placement = placement});
  EXPECT_TRUE(set) << set.error().message;
}

void NearStage::image(const RendererImage& what) {
  Result<void> prepared;
  const auto done = gpu->run([&](VkCommandBuffer commands) { prepared = renderer.record_prepare(commands, what); });
  EXPECT_TRUE(prepared) << prepared.error().message;
  EXPECT_TRUE(done) << done.error().message;
  renderer.all_finished();
}

VertexReadback NearStage::vertices(CharacterId id, const PieceRef& piece) {
  const auto request = renderer.request_vertices(id, piece);
  EXPECT_TRUE(request) << request.error().message;
  image();
  auto read = renderer.poll();
  EXPECT_EQ(read.size(), 1u);
  return read.empty() ? VertexReadback{} : std::move(read[0]);
}

}  // namespace throng::test
