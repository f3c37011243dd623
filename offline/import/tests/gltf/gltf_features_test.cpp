// SPDX-License-Identifier: Apache-2.0
// What glTF can say about skeletons, meshes and skins, each in a file of its own.

#include "gltf_builder.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

constexpr double kExact = 1e-6;

void expect_near(const glm::dvec3& found, const glm::dvec3& expected, double tolerance = kExact) {
  EXPECT_LE(glm::length(found - expected), tolerance)
      << "(" << found.x << ", " << found.y << ", " << found.z << ") is not (" << expected.x << ", " << expected.y
      << ", " << expected.z << ")";
}

std::vector<glm::dvec3> positions_at_rest(const Model& model, std::size_t mesh = 0) {
  const Pose pose = rest_pose(model);
  return skin_mesh(model, mesh, pose, skinning_palette(model, pose)).positions;
}

const std::vector<float> kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

std::vector<float> translation_matrix(float x, float y, float z) {
  std::vector<float> matrix = kIdentity;
  matrix[12] = x;
  matrix[13] = y;
  matrix[14] = z;
  return matrix;
}

// A triangle whose vertices hang on joints 0, 1 and 0, with joint nodes 1 (at x = 2) and 2 (at x = 5), mesh on node 0.
GltfBuilder skinned_file(int weights_type = kF32, bool inverse_bind_matrices = true) {
  GltfBuilder b;
  Json primitive = triangle(b);
  primitive["attributes"]["JOINTS_0"] = b.accessor<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4", kU8);
  int weights = 0;
  if (weights_type == kF32) weights = b.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0});
  if (weights_type == kU8)
    weights = b.accessor<std::uint8_t>({255, 0, 0, 0, 255, 0, 0, 0, 51, 204, 0, 0}, "VEC4", kU8, true);
  if (weights_type == kU16)
    weights = b.accessor<std::uint16_t>({65535, 0, 0, 0, 65535, 0, 0, 0, 13107, 52428, 0, 0}, "VEC4", kU16, true);
  primitive["attributes"]["WEIGHTS_0"] = weights;
  b.append("meshes", {{"primitives", {primitive}}});
  b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}, {"translation", {100, 100, 100}}},
                     {{"translation", {2, 0, 0}}, {"children", {2}}, {"name", "hip"}},
                     {{"translation", {3, 0, 0}}, {"name", "knee"}}};
  b.json["scenes"] = {{{"nodes", {0, 1}}}};
  Json skin = {{"joints", {1, 2}}};
  if (inverse_bind_matrices) {
    std::vector<float> matrices = translation_matrix(-2, 0, 0);
    const auto second = translation_matrix(-5, 0, 0);
    matrices.insert(matrices.end(), second.begin(), second.end());
    skin["inverseBindMatrices"] = b.floats("MAT4", matrices);
  }
  b.append("skins", skin);
  return b;
}

TEST(GltfScene, TransformsAboveAMeshMoveIt) {
  GltfBuilder b = triangle_file();
  const double half = std::sqrt(0.5);
  b.json["nodes"] = {{{"mesh", 0}, {"scale", {2, 2, 2}}},
                     {{"children", {0}}, {"rotation", {0, 0, half, half}}},
                     {{"children", {1}}, {"translation", {10, 0, 0}}}};
  b.json["scenes"] = {{{"nodes", {2}}}};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto positions = positions_at_rest(imported->model);
  expect_near(positions[0], {10, 0, 0});
  expect_near(positions[1], {10, 2, 0});
  expect_near(positions[2], {8, 0, 0});
}

TEST(GltfScene, BonesComeAfterTheirParentsWhateverTheFilesOrder) {
  GltfBuilder b;
  b.json["nodes"] = {
      {{"name", "leaf"}}, {{"name", "root"}, {"children", {2}}}, {{"name", "middle"}, {"children", {0}}}};
  b.json["scenes"] = {{{"nodes", {1}}}};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto& bones = imported->model.bones();
  ASSERT_EQ(bones.size(), 3u);
  EXPECT_EQ(bones[0].name, "root");
  EXPECT_EQ(bones[1].name, "middle");
  EXPECT_EQ(bones[2].name, "leaf");
  EXPECT_EQ(bones[2].parent, 1u);
}

TEST(GltfScene, TheDefaultSceneIsReadAndTheOthersAreNot) {
  GltfBuilder b = triangle_file();
  b.json["nodes"] = {{{"name", "shown"}}, {{"name", "hidden"}, {"mesh", 0}}};
  b.json["scenes"] = {{{"nodes", {1}}}, {{"nodes", {0}}}};
  b.json["scene"] = 1;
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.bones().size(), 1u);
  EXPECT_EQ(imported->model.bones()[0].name, "shown");
  EXPECT_TRUE(imported->model.meshes().empty());
}

TEST(GltfScene, WhatIsNotVisibleIsLeftOutWithAllBelowItAndIsABoneAllTheSame) {
  GltfBuilder b = triangle_file();
  b.json["nodes"] = {{{"mesh", 0}, {"extensions", {{"KHR_node_visibility", {{"visible", true}}}}}},
                     {{"mesh", 0}, {"children", {2}}, {"extensions", {{"KHR_node_visibility", {{"visible", false}}}}}},
                     {{"mesh", 0}}};
  b.json["scenes"] = {{{"nodes", {0, 1}}}};
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_node_visibility"};
  for (const bool strict : {false, true}) {
    const auto imported = b.import({.strict = strict});
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->model.bones().size(), 3u);
    ASSERT_EQ(imported->model.meshes().size(), 1u);
    EXPECT_EQ(imported->model.meshes()[0].node, 0u);
    EXPECT_EQ(imported->notes, std::vector<std::string>{"2 meshes on nodes that are not visible left out"});
  }
  b.json["nodes"][1]["extensions"]["KHR_node_visibility"]["visible"] = "no";
  EXPECT_EQ(b.import()->model.meshes().size(), 3u) << "anything but false is visible";
}

TEST(GltfScene, WhatAClipMakesVisibleIsReadAsShown) {
  for (const std::uint8_t later : {std::uint8_t{0}, std::uint8_t{1}}) {
    GltfBuilder b = triangle_file();
    b.json["nodes"][0]["extensions"]["KHR_node_visibility"]["visible"] = false;
    b.animate(0, "pointer", {0, 1}, b.accessor<std::uint8_t>({0, later}, "SCALAR", kU8), "STEP");
    b.json["animations"][0]["channels"][0]["target"] = {
        {"path", "pointer"},
        {"extensions", {{"KHR_animation_pointer", {{"pointer", "/nodes/0/extensions/KHR_node_visibility/visible"}}}}}};
    b.json["extensionsUsed"] = {"KHR_node_visibility", "KHR_animation_pointer"};
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->model.meshes().size(), later);
  }
}

TEST(GltfScene, WithoutScenesEveryRootIsRead) {
  GltfBuilder b = triangle_file();
  b.json.erase("scenes");
  b.json["nodes"] = {{{"mesh", 0}}, {{"mesh", 0}, {"translation", {5, 0, 0}}}};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes().size(), 2u);
  expect_near(positions_at_rest(imported->model, 1)[0], {5, 0, 0});
}

TEST(GltfScene, AMatrixBecomesTranslationRotationAndScale) {
  GltfBuilder b = triangle_file();
  // x → 3y, y → −2x, z → 4z, moved to (7, 8, 9)
  b.json["nodes"][0]["matrix"] = {0, 3, 0, 0, -2, 0, 0, 0, 0, 0, 4, 0, 7, 8, 9, 1};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  expect_near(imported->model.bones()[0].rest.scale, {3, 2, 4});
  const auto positions = positions_at_rest(imported->model);
  expect_near(positions[1], {7, 11, 9});
  expect_near(positions[2], {5, 8, 9});
}

TEST(GltfScene, AMirroringMatrixKeepsItsMirror) {
  GltfBuilder b = triangle_file();
  b.json["nodes"][0]["matrix"] = {1, 0, 0, 0, 0, -2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  expect_near(positions_at_rest(imported->model)[2], {0, -2, 0});
  const glm::dvec3 scale = imported->model.bones()[0].rest.scale;
  EXPECT_LT(scale.x * scale.y * scale.z, 0.0);
}

TEST(GltfScene, AMatrixThatScalesToNothingIsRead) {
  GltfBuilder b = triangle_file();
  b.json["nodes"][0]["matrix"] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  expect_near(positions_at_rest(imported->model)[1], {1, 2, 3});
}

TEST(GltfScene, InstancesBecomeRigidCopiesInTheirOrder) {
  GltfBuilder b = triangle_file();
  b.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = b.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
  const auto half = static_cast<float>(std::sqrt(0.5));
  b.json["nodes"][0]["translation"] = {100, 0, 0};
  b.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
      {"TRANSLATION", b.floats("VEC3", {0, 0, 0, 5, 0, 0, 0, 7, 0})},
      {"ROTATION", b.floats("VEC4", {0, 0, 0, 1, half, 0, 0, half, 0, 0, 0, 1})},
      {"SCALE", b.floats("VEC3", {1, 1, 1, 2, 2, 2, -1, 1, 1})}};
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
  const auto imported = b.import({.strict = true});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
  ASSERT_EQ(imported->model.meshes().size(), 1u);
  const auto positions = positions_at_rest(imported->model);
  ASSERT_EQ(positions.size(), 9u);
  expect_near(positions[1], {101, 0, 0});
  expect_near(positions[4], {107, 0, 0});
  expect_near(positions[5], {105, 0, 2});  // turned about x: y becomes z
  expect_near(positions[7], {99, 7, 0});
  const Mesh& mesh = imported->model.meshes()[0];
  expect_near(mesh.normals[3], {0, -1, 0});
  expect_near(mesh.normals[6], {0, 0, 1});
  EXPECT_EQ(mesh.indices, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 8, 7})) << "a mirror turns it around";
}

TEST(GltfScene, InstancesThatDoNotGoTogetherAreRefusedAndThoseThatAreNoNumbersLeftOut) {
  GltfBuilder b = triangle_file();
  b.json["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
  auto& attributes = b.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
  attributes = {{"TRANSLATION", b.floats("VEC3", {0, 0, 0, 5, 0, 0})}, {"SCALE", b.floats("VEC3", {1, 1, 1})}};
  ASSERT_FALSE(b.import());
  EXPECT_NE(b.import().error().message.find("nodes[0] has 1 instances by one attribute and 2 by another"),
            std::string::npos)
      << b.import().error().message;
  attributes = {{"TRANSLATION", b.floats("VEC2", {0, 0, 5, 0})}};
  EXPECT_NE(b.import().error().message.find("cannot be VEC2 of FLOAT"), std::string::npos);
  attributes = {{"TRANSLATION", b.floats("VEC3", {0, 0, 0, std::numeric_limits<float>::quiet_NaN(), 0, 0})}};
  for (Json& accessor : b.json["accessors"]) {
    if (accessor["count"] == 2) accessor.erase("min"), accessor.erase("max");
  }
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].positions.size(), 3u);
  EXPECT_TRUE(mentions(imported->notes, "1 instance of a mesh was not at finite numbers"));
}

TEST(GltfSkin, AtRestASkinnedMeshLiesWhereItsJointsPutItNotItsNode) {
  const auto imported = skinned_file().import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto positions = positions_at_rest(imported->model);
  expect_near(positions[0], {0, 0, 0});
  expect_near(positions[1], {1, 0, 0});
  expect_near(positions[2], {0, 1, 0});
}

TEST(GltfSkin, MissingInverseBindMatricesAreIdentity) {
  const auto imported = skinned_file(kF32, false).import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto positions = positions_at_rest(imported->model);
  expect_near(positions[0], {2, 0, 0});
  expect_near(positions[1], {6, 0, 0});
  expect_near(positions[2], {3.5, 1, 0});
}

TEST(GltfSkin, NormalisedIntegerWeightsMeanTheirFractions) {
  for (const int type : {kU8, kU16}) {
    const auto imported = skinned_file(type, false).import();
    ASSERT_TRUE(imported) << imported.error().message;
    const Influences& influences = imported->model.meshes()[0].influences[2];
    EXPECT_NEAR(influences.weights[0], 0.8f, 1e-6f);
    EXPECT_NEAR(influences.weights[1], 0.2f, 1e-6f);
    EXPECT_EQ(imported->model.bones()[imported->model.bindings()[influences.bindings[0]].bone].name, "knee");
    expect_near(positions_at_rest(imported->model)[2], {0.8 * 5 + 0.2 * 2, 1, 0}, 1e-5);
  }
}

TEST(GltfSkin, TheSameSkinOnTwoPrimitivesSharesItsBindings) {
  GltfBuilder b = skinned_file();
  b.json["meshes"][0]["primitives"].push_back(b.json["meshes"][0]["primitives"][0]);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes().size(), 2u);
  EXPECT_EQ(imported->model.bindings().size(), 2u);
}

TEST(GltfSkin, TwoSkinsBindTheSameBonesDifferently) {
  GltfBuilder b = skinned_file();
  b.append("skins", {{"joints", {2, 1}}});
  b.append("nodes", {{"mesh", 0}, {"skin", 1}});
  b.json["scenes"][0]["nodes"].push_back(3);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes().size(), 2u);
  EXPECT_EQ(imported->model.bindings().size(), 4u);
  expect_near(positions_at_rest(imported->model, 0)[1], {1, 0, 0});
  expect_near(positions_at_rest(imported->model, 1)[0], {5, 0, 0});
  expect_near(positions_at_rest(imported->model, 1)[1], {3, 0, 0});
}

TEST(GltfSkin, OfMoreThanFourInfluencesTheLargestFourAreKeptAndANoteSaysWhatWasLost) {
  GltfBuilder b;
  Json primitive = triangle(b);
  primitive["attributes"]["JOINTS_0"] = b.accessor<std::uint16_t>({0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", kU16);
  primitive["attributes"]["JOINTS_1"] = b.accessor<std::uint16_t>({4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", kU16);
  primitive["attributes"]["WEIGHTS_0"] = b.floats("VEC4", {0.05f, 0.1f, 0.2f, 0.15f, 1, 0, 0, 0, 1, 0, 0, 0});
  primitive["attributes"]["WEIGHTS_1"] = b.floats("VEC4", {0.3f, 0.2f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  b.append("meshes", {{"primitives", {primitive}}});
  b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}},
                     {{"children", {2, 3, 4, 5, 6}}},
                     {{"name", "1"}},
                     {{"name", "2"}},
                     {{"name", "3"}},
                     {{"name", "4"}},
                     {{"name", "5"}}};
  b.json["skins"] = {{{"joints", {1, 2, 3, 4, 5, 6}}}};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Influences& influences = imported->model.meshes()[0].influences[0];
  const float expected[] = {0.3f / 0.85f, 0.2f / 0.85f, 0.2f / 0.85f, 0.15f / 0.85f};
  const char* bones[] = {"4", "2", "5", "3"};
  for (std::size_t i = 0; i < kInfluences; ++i) {
    EXPECT_NEAR(influences.weights[i], expected[i], 1e-6f);
    EXPECT_EQ(imported->model.bones()[imported->model.bindings()[influences.bindings[i]].bone].name, bones[i]);
  }
  EXPECT_TRUE(mentions(imported->notes, "1 vertex has more than 4 influences"));
  EXPECT_TRUE(mentions(imported->notes, "15.00 %"));
}

TEST(GltfSkin, WeightsThatDoNotSumToOneAreRescaledAndAbsentOnesBoundToTheFirstJoint) {
  GltfBuilder b = skinned_file(kF32, false);
  b.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] =
      b.floats("VEC4", {3, 0, 0, 0, 0, 0, 0, 0, 0.25f, 0.25f, 0, 0});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto positions = positions_at_rest(imported->model);
  expect_near(positions[0], {2, 0, 0});
  expect_near(positions[1], {3, 0, 0});
  expect_near(positions[2], {3.5, 1, 0});
  EXPECT_TRUE(mentions(imported->notes, "2 vertices have weights that do not sum to one"));
  EXPECT_TRUE(mentions(imported->notes, "1 vertex has no weight"));
}

TEST(GltfSkin, AJointNamedTwiceByAVertexCountsOnceWithBothWeights) {
  GltfBuilder b = skinned_file();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = b.accessor<std::uint8_t>({0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", kU8);
  attributes["WEIGHTS_0"] = b.floats("VEC4", {0.4f, 0.3f, 0.3f, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Influences& influences = imported->model.meshes()[0].influences[0];
  EXPECT_NEAR(influences.weights[0], 0.6f, 1e-6f);
  EXPECT_NEAR(influences.weights[1], 0.4f, 1e-6f);
  EXPECT_EQ(influences.weights[2], 0.0f);
}

TEST(GltfSkin, AJointPastTheSkinIsRefused) {
  GltfBuilder b = skinned_file();
  b.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] =
      b.accessor<std::uint8_t>({0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0}, "VEC4", kU8);
  const auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("joint 2 of 2"), std::string::npos) << imported.error().message;
}

TEST(GltfSkin, ARigidPartOnAnAnimatedNodeMovesWithIt) {
  GltfBuilder b = triangle_file();
  b.json["nodes"] = {{{"mesh", 0}, {"translation", {0, 1, 0}}}, {{"children", {0}}, {"name", "arm"}}};
  b.json["scenes"] = {{{"nodes", {1}}}};
  b.animate(1, "translation", {0, 2}, b.floats("VEC3", {0, 0, 0, 4, 0, 0}), "LINEAR");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  const Pose pose = sample(model, model.clips()[0], 1.5);
  expect_near(skin_mesh(model, 0, pose, skinning_palette(model, pose)).positions[0], {3, 1, 0});
}

}  // namespace
}  // namespace throng::test
