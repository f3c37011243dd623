// SPDX-License-Identifier: Apache-2.0
// What the GPU makes of poses against the reference in double, for random models that have everything and for every
// model there is; and against what other programs exported.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "mannequin_model.h"
#include "near_stage.h"
#include "paths.h"
#include "test_device.h"
#include "test_models.h"
#include "throng/import/import.h"

namespace throng {
namespace {

using test::expected;
using test::NearShape;
using test::NearStage;
using test::random_near_model;
using test::random_pose;

constexpr double kPosition = 1e-5;  // of the diagonal
constexpr double kDegrees = 0.05;   // of a normal: it is packed in a word, before and after its bones turn it
constexpr std::array kMethods{SkinMethod::linear, SkinMethod::dual_quaternion};

const char* name_of(SkinMethod method) { return method == SkinMethod::linear ? "linear" : "dual quaternions"; }

struct Case {
  const char* name;
  NearShape shape;
  bool uneven = false;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class NearReference : public test::OnDevice, public testing::WithParamInterface<Case> {};

TEST_P(NearReference, IsMetByEveryVertexOfEveryMethod) {
  const Model model = random_near_model(GetParam().shape);
  for (const SkinMethod method : kMethods) {
    NearStage stage(context());
    const ModelId number = stage.add_model(model, {.near_method = method});
    // More than one group of threads takes at once, each at its own place.
    std::vector<CharacterId> ids;
    for (unsigned i = 0; i < 10; ++i) {
      ids.push_back(stage.add(number));
      const Pose pose = random_pose(model, 100 + i, GetParam().uneven);
      const Placement placement{{0.5f * static_cast<float>(i), 0.0f, -1.0f},
                                glm::normalize(glm::quat(1.0f, 0.1f * static_cast<float>(i), 0.3f, 0.0f)),
                                1.0f + 0.1f * static_cast<float>(i)};
      stage.pose(ids[i], model, pose, placement);
    }
    for (const std::uint32_t i : {0u, 7u, 9u})
      for (std::uint32_t mesh = 0; mesh < model.meshes().size(); ++mesh) {
        const Pose pose = random_pose(model, 100 + i, GetParam().uneven);
        const Placement placement{{0.5f * static_cast<float>(i), 0.0f, -1.0f},
                                  glm::normalize(glm::quat(1.0f, 0.1f * static_cast<float>(i), 0.3f, 0.0f)),
                                  1.0f + 0.1f * static_cast<float>(i)};
        const auto found = stage.vertices(ids[i], {number, mesh});
        const auto off = test::deviation(found, expected(model, mesh, pose, method, placement),
                                         pose_bounds(model, pose).diagonal() * static_cast<double>(placement.scale));
        EXPECT_LT(off.position, kPosition) << name_of(method) << ", character " << i;
        EXPECT_LT(off.degrees, kDegrees) << name_of(method) << ", character " << i;
      }
  }
}

// One that takes the longer way takes nobody along: the others are as they are without it, to the bit.
TEST_F(NearReference, IsMetByEvenCharactersBesideUnevenOnes) {
  const Model model = random_near_model({.influences = 8, .meshes = 2, .targets = 2});
  for (const SkinMethod method : kMethods) {
    NearStage stage(context());
    const ModelId number = stage.add_model(model, {.near_method = method});
    std::vector<CharacterId> ids;
    for (std::uint32_t i = 0; i < 20; ++i) {
      ids.push_back(stage.add(number));
      stage.pose(ids[i], model, random_pose(model, i));
    }
    const auto all_vertices = [&](std::uint32_t mesh) {
      std::vector<VertexReadback> found;
      for (std::uint32_t i = 0; i < 20; ++i) found.push_back(stage.vertices(ids[i], {number, mesh}));
      return found;
    };
    const std::array before{all_vertices(0), all_vertices(1)};
    EXPECT_EQ(stage.renderer.near_counts().dispatches, 1u);
    for (std::uint32_t i = 0; i < 20; i += 3) stage.pose(ids[i], model, random_pose(model, i, true));
    for (std::uint32_t mesh = 0; mesh < 2; ++mesh) {
      const auto found = all_vertices(mesh);
      EXPECT_EQ(stage.renderer.near_counts().dispatches, 2u);
      for (std::uint32_t i = 0; i < 20; ++i) {
        SCOPED_TRACE(std::string(name_of(method)) + ", character " + std::to_string(i));
        const Pose pose = random_pose(model, i, i % 3 == 0);
        const auto off =
            test::deviation(found[i], expected(model, mesh, pose, method), pose_bounds(model, pose).diagonal());
        EXPECT_LT(off.position, kPosition);
        EXPECT_LT(off.degrees, kDegrees);
        if (i % 3 == 0) continue;
        EXPECT_EQ(found[i].positions, before.at(mesh)[i].positions);
        EXPECT_EQ(found[i].normals, before.at(mesh)[i].normals);
      }
    }
    for (std::uint32_t i = 0; i < 20; ++i) stage.pose(ids[i], model, random_pose(model, i, true));
    stage.image();
    EXPECT_EQ(stage.renderer.near_counts().dispatches, 1u) << "nobody is even";
  }
}

const auto kCases = testing::Values(
    Case{"four", {}}, Case{"five", {.influences = 5, .all_influences = true}}, Case{"eight", {.influences = 8}},
    Case{"one_bone", {.bones = 1}}, Case{"many_vertices", {.vertices = 3000}},
    Case{"many_bones", {.bones = 400, .vertices = 900, .influences = 8}}, Case{"morphs", {.meshes = 2, .targets = 3}},
    Case{"morphs_and_eight", {.vertices = 1200, .influences = 8, .targets = 5}},
    Case{"uneven_scales", {.influences = 8, .targets = 1}, true},
    Case{"meshes_and_materials", {.meshes = 5, .materials = 2}});

INSTANTIATE_TEST_SUITE_P(Models, NearReference, kCases, [](const auto& one) { return one.param.name; });

// What linear skinning makes of a tangent, as far characters have it: the directions that its bones make of it are
// blended, and its side is the other one where they mirror.
glm::dvec4 exact_tangent(const Mesh& mesh, std::size_t v, const std::vector<glm::dmat4>& palette) {
  glm::dvec3 sum(0.0);
  double side = 0.0;
  const auto add = [&](const Influences& influences) {
    for (std::size_t i = 0; i < kInfluences; ++i) {
      const auto weight = static_cast<double>(influences.weights[i]);
      if (weight == 0.0) continue;
      const glm::dmat3 linear(palette[influences.bindings[i]]);
      sum += weight * glm::normalize(linear * glm::dvec3(mesh.tangents[v]));
      side += glm::determinant(linear) < 0.0 ? -weight : weight;
    }
  };
  add(mesh.influences[v]);
  if (!mesh.extra_influences.empty()) add(mesh.extra_influences[v]);
  return {glm::normalize(sum), side < 0.0 ? -mesh.tangents[v].w : mesh.tangents[v].w};
}

// Random, with a normal map; mirrored: all of it rests so.
Model bumpy_near_model(NearShape shape, bool mirrored) {
  shape.tangents = true;
  ModelDraft draft = random_near_model(shape).draft();
  draft.images.push_back({.name = "bumps", .mime_type = "image/png", .bytes = test::png({}).bytes});
  for (Material& material : draft.materials) material.normal_image = 0;
  for (Binding& binding : draft.bindings)
    if (mirrored) binding.bone_from_mesh = binding.bone_from_mesh * glm::dmat4(glm::dmat3(-1, 0, 0, 0, 1, 0, 0, 0, 1));
  return build_model(std::move(draft)).value();
}

class NearTangents : public NearReference {
 protected:
  void expect_all_met(const Model& model);
};

TEST_P(NearTangents, AreMetByEveryVertex) { expect_all_met(bumpy_near_model(GetParam().shape, false)); }

// What mirrors changes the side once, not when it is packed as well.
TEST_P(NearTangents, AreMetWhereMeshesRestMirrored) { expect_all_met(bumpy_near_model(GetParam().shape, true)); }

void NearTangents::expect_all_met(const Model& model) {
  for (const SkinMethod method : kMethods) {
    // What dual quaternions make of uneven scales is their own; where there are none they turn as matrices do, but
    // blend otherwise.
    const bool dual = method == SkinMethod::dual_quaternion;
    NearStage stage(context());
    const ModelId number = stage.add_model(model, {.near_method = method});
    const CharacterId id = stage.add(number);
    const Pose pose = random_pose(model, 21, GetParam().uneven);
    const Placement placement{{0.5f, 0.0f, -1.0f}, glm::normalize(glm::quat(1.0f, 0.4f, 0.3f, 0.0f)), 1.3f};
    stage.pose(id, model, pose, placement);
    const auto palette = skinning_palette(model, pose);
    for (std::uint32_t m = 0; m < model.meshes().size(); ++m) {
      const Mesh& mesh = model.meshes()[m];
      const VertexReadback found = stage.vertices(id, {number, m});
      ASSERT_EQ(found.tangents.size(), mesh.positions.size());
      std::size_t compared = 0;
      for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const bool one_bone = mesh.influences[v].weights[0] == 1.0f;
        if (dual && (GetParam().uneven || !one_bone)) continue;
        ++compared;
        const glm::dvec4 exact = exact_tangent(mesh, v, palette);
        const glm::dvec3 turned = glm::dquat(placement.rotation) * glm::dvec3(exact);
        ASSERT_LT(
            glm::degrees(std::asin(std::min(glm::length(glm::cross(turned, glm::dvec3(found.tangents[v]))), 1.0))),
            kDegrees)
            << name_of(method) << ", vertex " << v;
        ASSERT_GT(glm::dot(turned, glm::dvec3(found.tangents[v])), 0.0);
        ASSERT_EQ(double{found.tangents[v].w}, exact.w) << name_of(method) << ", vertex " << v;
      }
      const bool none_of_one = GetParam().uneven || GetParam().shape.all_influences;
      const std::size_t least = dual ? (none_of_one ? 0 : 3) : mesh.positions.size();
      EXPECT_GE(compared, least);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, NearTangents, kCases, [](const auto& one) { return one.param.name; });

// As they are drawn, from where the bones have brought their corners.
TEST_F(NearReference, IsMetByTheSidesOfTrianglesThoughAMeshRestsMirrored) {
  for (const bool mirrored : {false, true}) {
    ModelDraft draft = test::card().draft();
    if (mirrored) {
      // The same card, in a space that mirrors: its triangles face outwards there as well, so not where bones bring
      // them.
      draft.bindings[0].bone_from_mesh[0][0] = -1.0;
      for (glm::vec3& position : draft.meshes[0].positions) position.x = -position.x;
      draft.meshes[0].indices = {0, 2, 1, 0, 3, 2};
    }
    const Model model = build_model(std::move(draft)).value();
    const Character character = test::near_character(model);
    NearStage stage(context());
    const ModelId number = stage.add_model(character, {.far = false});
    const CharacterId id = stage.add(number);
    stage.pose(id, model, rest_pose(model));
    const VertexReadback found = stage.vertices(id, {number, 0});
    const NearMesh mesh = character.near_mesh().value();
    ASSERT_EQ(mesh.data().indices.size(), 6u);
    for (std::size_t i = 0; i < 6; i += 3) {
      const auto corner = [&](std::size_t k) { return found.positions[mesh.data().indices[i + k]]; };
      EXPECT_GT(glm::cross(corner(1) - corner(0), corner(2) - corner(0)).z, 0.0f) << mirrored;
      EXPECT_GT(found.normals[mesh.data().indices[i]].z, 0.9f);
    }
  }
}

TEST_F(NearReference, IsMetBeforeAndAfterOtherModelsAreAddedThatNeedMoreAndLess) {
  const Model plain = random_near_model({.vertices = 60, .seed = 5});
  const Model rich = random_near_model({.bones = 30, .vertices = 1500, .influences = 8, .targets = 2, .seed = 6});
  NearStage stage(context());
  const ModelId first = stage.add_model(plain);
  const CharacterId one = stage.add(first);
  const Pose pose = random_pose(plain, 3);
  stage.pose(one, plain, pose);
  const VertexReadback before = stage.vertices(one, {first, 0});
  const ModelId second = stage.add_model(rich, {.near_method = SkinMethod::dual_quaternion});
  const CharacterId other = stage.add(second);
  const Pose rich_pose = random_pose(rich, 4);
  stage.pose(other, rich, rich_pose);
  const auto rich_vertices = stage.vertices(other, {second, 0});
  const VertexReadback after = stage.vertices(one, {first, 0});
  EXPECT_EQ(before.positions, after.positions);
  EXPECT_EQ(before.normals, after.normals);
  const auto off = test::deviation(rich_vertices, expected(rich, 0, rich_pose, SkinMethod::dual_quaternion),
                                   pose_bounds(rich, rich_pose).diagonal());
  EXPECT_LT(off.position, kPosition);
  stage.add_model(random_near_model({.vertices = 30, .seed = 7}));
  const VertexReadback last = stage.vertices(other, {second, 0});
  EXPECT_EQ(rich_vertices.positions, last.positions);
  EXPECT_EQ(rich_vertices.normals, last.normals);
}

// Unless told otherwise, each mesh is blended as its author has it.
TEST_F(NearReference, IsMetByMeshesOfEitherMethodOnOneCharacter) {
  ModelDraft draft = random_near_model({}).draft();
  draft.meshes.push_back(draft.meshes[0]);
  draft.meshes[1].node = 1;
  draft.meshes[1].skin_method = SkinMethod::dual_quaternion;
  const Model model = build_model(std::move(draft)).value();
  NearStage stage(context());
  const ModelId number = stage.add_model(model);
  const CharacterId id = stage.add(number);
  const Pose pose = random_pose(model, 12);
  stage.pose(id, model, pose);
  const double size = pose_bounds(model, pose).diagonal();
  for (const std::uint32_t mesh : {0u, 1u}) {
    const auto found = stage.vertices(id, {number, mesh});
    const SkinMethod method = model.meshes()[mesh].skin_method;
    const SkinMethod other = mesh == 0 ? SkinMethod::dual_quaternion : SkinMethod::linear;
    EXPECT_LT(test::deviation(found, expected(model, mesh, pose, method), size).position, kPosition);
    EXPECT_GT(test::deviation(found, expected(model, mesh, pose, other), size).position, 100.0 * kPosition);
  }
}

TEST_F(NearReference, FollowsTheFourStrongestOfEightWhenAskedTo) {
  const Model eight = random_near_model({.influences = 8});
  ModelDraft cut = eight.draft();
  cut.meshes[0].influences = strongest_four(cut.meshes[0]);
  cut.meshes[0].extra_influences.clear();
  const Model four = build_model(std::move(cut)).value();
  NearStage stage(context());
  const ModelId number = stage.add_model(test::near_character(eight, {.influences = 4}));
  const CharacterId id = stage.add(number);
  const Pose pose = random_pose(eight, 9);
  stage.pose(id, eight, pose);
  const auto found = stage.vertices(id, {number, 0});
  const double diagonal = pose_bounds(four, pose).diagonal();
  EXPECT_LT(test::deviation(found, expected(four, 0, pose, SkinMethod::linear), diagonal).position, kPosition);
  EXPECT_GT(test::deviation(found, expected(eight, 0, pose, SkinMethod::linear), diagonal).position, 1e-3)
      << "for the difference to be one";
}

std::filesystem::path models_folder() { return test::shared_folder() / "models"; }

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(models_folder())) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models_folder())) {
    const auto extension = entry.path().extension();
    if (extension == ".glb" || extension == ".gltf" || extension == ".fbx") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// At rest, and where its first and last clip bend it.
std::vector<Pose> poses_of(const Model& model) {
  std::vector<Pose> poses{rest_pose(model)};
  if (model.clips().empty()) return poses;
  for (const Clip* clip : {&model.clips().front(), &model.clips().back()})
    poses.push_back(sample(model, *clip, clip->start + 0.37 * clip->length()));
  return poses;
}

// All poses at once, each on a character of its own.
void expect_reference(NearStage& stage, const Model& model, SkinMethod method) {
  const ModelId number = stage.add_model(model, {.near_method = method});
  const std::vector<Pose> poses = poses_of(model);
  std::vector<std::size_t> meshes;
  for (std::size_t mesh = 0; mesh < model.meshes().size(); ++mesh)
    if (!model.meshes()[mesh].indices.empty()) meshes.push_back(mesh);
  std::vector<CharacterId> ids;
  for (const Pose& pose : poses) {
    std::vector<PieceRef> all;
    for (const std::size_t mesh : meshes) all.push_back({number, static_cast<std::uint32_t>(mesh)});
    ids.push_back(stage.renderer.add_near(number, all).value());
    stage.pose(ids.back(), model, pose);
    for (const std::size_t mesh : meshes)
      ASSERT_TRUE(stage.renderer.request_vertices(ids.back(), {number, static_cast<std::uint32_t>(mesh)}));
  }
  stage.image();
  const auto read = stage.renderer.poll();
  ASSERT_EQ(read.size(), poses.size() * meshes.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    const Pose& pose = poses[i / meshes.size()];
    const SkinnedVertices right = expected(model, meshes[i % meshes.size()], pose, method);
    const auto off = test::deviation(read[i], right, pose_bounds(model, pose).diagonal());
    EXPECT_LT(off.position, kPosition) << name_of(method) << ", mesh " << i % meshes.size();
    EXPECT_LT(off.degrees, kDegrees) << name_of(method) << ", mesh " << i % meshes.size();
    const Bounds box = stage.renderer.bounds(read[i].character).value();
    for (const glm::vec3& position : read[i].positions) {
      ASSERT_TRUE(glm::all(glm::greaterThanEqual(glm::dvec3(position), box.min)) &&
                  glm::all(glm::lessThanEqual(glm::dvec3(position), box.max)))
          << name_of(method) << ", mesh " << i % meshes.size() << ": a vertex lies outside the bounds";
    }
  }
  for (const CharacterId id : ids) ASSERT_TRUE(stage.renderer.remove(id));
}

class NearModels : public test::OnDevice {};

TEST_F(NearModels, MannequinMeetsTheReference) {
  NearStage stage(context(), {.most_readbacks = 1000});
  for (const SkinMethod method : kMethods) expect_reference(stage, test::mannequin_model(), method);
}

// "gltf/khronos", …: all files of one folder in one renderer.
std::vector<std::string> model_folders() {
  std::set<std::string> folders;
  for (const std::filesystem::path& file : model_files()) {
    const auto relative = std::filesystem::relative(file, models_folder());
    folders.insert((*relative.begin() / *std::next(relative.begin())).string());
  }
  return {folders.begin(), folders.end()};
}

class NearFiles : public test::OnDevice, public testing::WithParamInterface<std::string> {};

TEST_P(NearFiles, MeetTheReference) {
  NearStage stage(context(), {.most_readbacks = 1000});
  std::size_t skinned = 0;
  for (const std::filesystem::path& file : model_files()) {
    if (!file.string().starts_with((models_folder() / GetParam()).string() + "/")) continue;
    SCOPED_TRACE(file.filename().string());
    const auto imported = import_model(file, {.influences = 8});
    if (!imported) continue;  // what an importer refuses is its tests' matter
    const auto has_triangles = [](const Mesh& mesh) { return !mesh.indices.empty(); };
    if (std::ranges::none_of(imported->model.meshes(), has_triangles)) continue;  // clips alone
    ++skinned;
    for (const SkinMethod method : kMethods) expect_reference(stage, imported->model, method);
  }
  EXPECT_GT(skinned, 0u);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NearFiles);  // where there is no shared folder
INSTANTIATE_TEST_SUITE_P(Shared, NearFiles, testing::ValuesIn(model_folders()), [](const auto& folder) {
  std::string name = folder.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

// Frames that Maya, 3ds Max and Blender exported, as offline/import/tests/fbx/fbx_truth_test.cpp has them.
struct Truth {
  const char* fbx;
  const char* clip;  // none: at rest
  double seconds;
  const char* obj;
  double tolerance;  // of the diagonal
  bool z_up = false;
};

const Truth kTruths[] = {
    {"maya_game_sausage_7500_binary_combined", "wiggle", 10 / 24.0, "maya_game_sausage_wiggle_10", kPosition},
    {"maya_game_sausage_7500_binary_combined", "wiggle", 18 / 24.0, "maya_game_sausage_wiggle_18", kPosition},
    {"maya_game_sausage_7500_binary_combined", "spin", 27 / 24.0, "maya_game_sausage_spin_7", kPosition},
    {"maya_game_sausage_7500_binary_combined", "spin", 35 / 24.0, "maya_game_sausage_spin_15", kPosition},
    {"maya_game_sausage_7500_binary_combined", "deform", 48 / 24.0, "maya_game_sausage_deform_8", kPosition},
    {"maya_game_sausage_7500_binary_combined", "deform", 55 / 24.0, "maya_game_sausage_deform_15", kPosition},
    {"blender_279_sausage_7400_binary", "Skeleton|Spin", 15 / 24.0, "blender_279_sausage_spin_15", kPosition},
    {"blender_279_sausage_7400_binary", "Skeleton|Wiggle", 20 / 24.0, "blender_279_sausage_wiggle_20", kPosition},
    {"blender_293_half_skinned_7400_binary", nullptr, 0.0, "blender_293_half_skinned", kPosition},
    // 3ds Max writes four decimals of numbers near 100, and says itself that they are good to 0.01.
    {"max_transformed_skin_7500_binary", "Take 001", 5 / 30.0, "max_transformed_skin_5", 1e-4, true},
    {"max_transformed_skin_7500_binary", "Take 001", 15 / 30.0, "max_transformed_skin_15", 1e-4, true},
    {"maya_blend_inbetween_7500_binary", "Take 001", 1 / 24.0, "maya_blend_inbetween_1", kPosition},
    {"maya_blend_inbetween_7500_binary", "Take 001", 30 / 24.0, "maya_blend_inbetween_30", kPosition},
    {"maya_blend_inbetween_7500_binary", "Take 001", 65 / 24.0, "maya_blend_inbetween_65", kPosition},
};

std::vector<glm::dvec3> obj_points(const std::filesystem::path& path, bool z_up) {
  std::vector<glm::dvec3> points;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string word;
    glm::dvec3 point(0.0);
    if (!(words >> word >> point.x >> point.y >> point.z) || word != "v") continue;
    points.push_back(z_up ? glm::dvec3(point.x, point.z, -point.y) : point);
  }
  return points;
}

// How far the point that is worst off is from the nearest of the others.
double farthest(const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) {
  double worst = 0.0;
  for (const glm::dvec3& point : from) {
    double best = 1e30;
    for (const glm::dvec3& other : to) best = std::min(best, glm::distance(point, other));
    worst = std::max(worst, best);
  }
  return worst;
}

TEST_F(NearModels, StandWhereTheProgramsThatMadeThemPutThem) {
  const std::filesystem::path folder = models_folder() / "fbx/ufbx";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared folder";
  std::map<std::string, Model> models;  // several truths are of one
  for (const Truth& truth : kTruths) {
    SCOPED_TRACE(truth.obj);
    if (!models.contains(truth.fbx)) {
      auto imported = import_model(folder / (std::string(truth.fbx) + ".fbx"));
      ASSERT_TRUE(imported) << imported.error().message;
      models.emplace(truth.fbx, std::move(imported->model));
    }
    const Model& model = models.at(truth.fbx);
    Pose pose = rest_pose(model);
    if (truth.clip) pose = sample(model, model.clips()[model.find_clip(truth.clip).value()], truth.seconds);
    NearStage stage(context());
    const CharacterId id = stage.add(stage.add_model(model));
    stage.pose(id, model, pose);
    const std::span<const PieceRef> worn = stage.renderer.pieces(id).value();
    const std::vector<PieceRef> pieces(worn.begin(), worn.end());
    std::vector<glm::dvec3> found;
    for (const PieceRef& piece : pieces)
      for (const glm::vec3& position : stage.vertices(id, piece).positions) found.emplace_back(position);
    const auto points = obj_points(folder / (std::string(truth.obj) + ".obj"), truth.z_up);
    ASSERT_FALSE(points.empty());
    Bounds bounds;
    for (const glm::dvec3& point : points) bounds.add(point);
    EXPECT_LT(farthest(found, points), truth.tolerance * bounds.diagonal());
    EXPECT_LT(farthest(points, found), truth.tolerance * bounds.diagonal());
  }
}

}  // namespace
}  // namespace throng
