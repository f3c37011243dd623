// SPDX-License-Identifier: Apache-2.0
// A vertex keeps its four strongest influences, or eight where they are asked for.

#include "fbx/fbx_builder.h"
#include "throng/pose/pose.h"
#include "weighted_file.h"

namespace throng::test {
namespace {

const ImportSettings kEight{.scene = {}, .influences = 8};

const std::vector<float> kFalling = {0.25f, 0.2f, 0.15f, 0.12f, 0.1f, 0.08f, 0.06f, 0.04f};

std::vector<float> weights_of(const Mesh& mesh, std::size_t vertex) {
  std::vector<float> weights;
  for_each_influence(mesh, vertex, [&](std::uint16_t, float weight) { weights.push_back(weight); });
  return weights;
}

TEST(EightInfluences, OfAGltfFileAreAllKeptStrongestFirst) {
  const std::vector<float> mixed = {0.04f, 0.25f, 0.06f, 0.2f, 0.08f, 0.15f, 0.1f, 0.12f};
  const auto imported = weighted_file({kFalling, mixed, {1, 0, 0, 0, 0, 0, 0, 0}}).import(kEight);
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  ASSERT_EQ(mesh.extra_influences.size(), 3u);
  for (const std::size_t vertex : {0u, 1u}) {
    const auto weights = weights_of(mesh, vertex);
    ASSERT_EQ(weights.size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(weights[i], kFalling[i], 1e-6f);
  }
  const Model& model = imported->model;
  const auto bone_of = [&](std::uint16_t binding) { return model.bindings()[binding].bone; };
  EXPECT_EQ(bone_of(mesh.influences[1].bindings[0]), bone_of(mesh.influences[0].bindings[1]));
  EXPECT_EQ(bone_of(mesh.extra_influences[1].bindings[3]), bone_of(mesh.influences[0].bindings[0]));
  EXPECT_EQ(weights_of(mesh, 2), std::vector<float>{1.0f});
  EXPECT_EQ(imported->repairs.vertices_cut, 0u);
  EXPECT_FALSE(mentions(imported->notes, "influences"));
}

TEST(EightInfluences, AreFourWhenNobodyAsks) {
  const auto imported = weighted_file({kFalling}).import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.meshes()[0].extra_influences.empty());
  EXPECT_EQ(imported->repairs.influences_dropped, 4u);
  EXPECT_NEAR(imported->repairs.most_weight_dropped, 0.28, 1e-6);
}

// The last joint, which a vertex follows by 0.04, lies so far up, and the mesh is one unit wide: 4 % of 1.8 m where
// that is one unit. Up to 1 % is a note, and more a warning.
TEST(EightInfluences, WhatDroppingThemDoesToTheSurfaceIsSaidAndWarnedOfWhereItShows) {
  const ScratchFolder folder;
  const std::string said = "dropping influences beyond the 4 strongest moves the surface by up to ";
  for (const auto& [up, mm, shows] :
       {std::tuple(1.0, "72.0 mm", true), {0.26, "18.7 mm", true}, {0.24, "17.3 mm", false}}) {
    SCOPED_TRACE(mm);
    GltfBuilder b = weighted_file({kFalling, {1, 0, 0, 0, 0, 0, 0, 0}});
    b.json["nodes"][8]["translation"] = {0, up, 0};
    const auto path = folder.write("cut.gltf", b.gltf());
    const auto four = import_model(path);
    ASSERT_TRUE(four) << four.error().message;
    EXPECT_TRUE(mentions(shows ? four->warnings : four->notes, said + mm));
    EXPECT_FALSE(mentions(shows ? four->notes : four->warnings, said));
    const auto eight = import_model(path, kEight);
    ASSERT_TRUE(eight) << eight.error().message;
    EXPECT_FALSE(mentions(eight->notes, "moves the surface") || mentions(eight->warnings, "moves the surface"));
  }
}

TEST(EightInfluences, TakeNoRoomInAMeshThatHasNoMoreThanFour) {
  const auto imported = weighted_file({{0.4f, 0.3f, 0, 0, 0.2f, 0.1f, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 1}}).import(kEight);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.meshes()[0].extra_influences.empty());
  EXPECT_EQ(weights_of(imported->model.meshes()[0], 0).size(), 4u);
}

// A third set: what is past the eighth is cut, counted and said.
TEST(EightInfluences, WhatIsPastTheEighthIsDroppedAndCounted) {
  GltfBuilder b = weighted_file({{0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f}});
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_2"] = b.accessor<std::uint8_t>({8, 9, 0, 0}, "VEC4", kU8);
  attributes["WEIGHTS_2"] = b.floats("VEC4", {0.15f, 0.05f, 0, 0});
  for (int i = 9; i <= 10; ++i) {
    b.json["nodes"].push_back(Json::object());
    b.json["nodes"][1]["children"].push_back(i);
    b.json["skins"][0]["joints"].push_back(i);
  }
  const auto imported = b.import(kEight);
  ASSERT_TRUE(imported) << imported.error().message;
  const auto weights = weights_of(imported->model.meshes()[0], 0);
  ASSERT_EQ(weights.size(), 8u);
  EXPECT_NEAR(weights[0], 0.15f / 0.85f, 1e-6f);
  EXPECT_NEAR(weights[7], 0.1f / 0.85f, 1e-6f);
  EXPECT_EQ(imported->repairs.vertices_cut, 1u);
  EXPECT_EQ(imported->repairs.influences_dropped, 2u);
  EXPECT_NEAR(imported->repairs.most_weight_dropped, 0.15, 1e-6);
  EXPECT_TRUE(mentions(imported->notes, "1 vertex has more than 8 influences; the 8 strongest were kept"));
}

FbxBuilder nine_clusters() {
  FbxBuilder b;
  b.model(1, "triangle", 0, {}, "Mesh");
  b.triangle(2, 1);
  b.object("Deformer", 10, "Deformer", "", "Skin", "");
  b.connect(10, 2);
  for (int i = 0; i < 9; ++i) {
    b.model(20 + i, fmt::format("bone{}", i), 0);
    const double weight = 0.05 + 0.01 * i;
    b.object("Deformer", 30 + i, "SubDeformer", "", "Cluster",
             fmt::format("Indexes: {}\nWeights: {}\n", array(std::vector<int>{0}), array(Numbers{weight})));
    b.connect(30 + i, 10);
    b.connect(20 + i, 30 + i);
  }
  return b;
}

TEST(EightInfluences, OfAnFbxFileAreKeptToo) {
  const auto imported = nine_clusters().import(kEight);
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  const Mesh& mesh = model.meshes()[0];
  ASSERT_EQ(mesh.extra_influences.size(), mesh.positions.size());
  const auto weights = weights_of(mesh, 0);
  ASSERT_EQ(weights.size(), 8u);
  double all = 0.0;
  for (int i = 1; i < 9; ++i) all += 0.05 + 0.01 * i;
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(weights[i], (0.13 - 0.01 * static_cast<double>(i)) / all, 1e-6);
  EXPECT_EQ(model.bones()[model.bindings()[mesh.extra_influences[0].bindings[3]].bone].name, "bone1");
  EXPECT_EQ(imported->repairs.influences_dropped, 1u);
  EXPECT_NEAR(imported->repairs.most_weight_dropped, 0.05 / (all + 0.05), 1e-9);
  EXPECT_TRUE(mentions(imported->notes, "1 vertex has more than 8 influences; the 8 strongest were kept"));
  const auto four = nine_clusters().import();
  ASSERT_TRUE(four) << four.error().message;
  EXPECT_TRUE(four->model.meshes()[0].extra_influences.empty());
  EXPECT_EQ(four->repairs.influences_dropped, 5u);
}

TEST(EightInfluences, OtherNumbersAreRefused) {
  for (const std::uint32_t count : {0u, 5u, 9u}) {
    const ImportSettings settings{.scene = {}, .influences = count};
    const std::string because = fmt::format("{} influences a vertex are asked for; 4 or 8 are possible", count);
    const auto gltf = weighted_file({kFalling}).import(settings);
    ASSERT_FALSE(gltf);
    EXPECT_NE(gltf.error().message.find(because), std::string::npos) << gltf.error().message;
    const auto fbx = nine_clusters().import(settings);
    ASSERT_FALSE(fbx);
    EXPECT_NE(fbx.error().message.find(because), std::string::npos) << fbx.error().message;
  }
}

}  // namespace
}  // namespace throng::test
