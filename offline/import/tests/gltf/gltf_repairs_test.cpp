// SPDX-License-Identifier: Apache-2.0
// What an import mends is counted exactly: vertices, influences, weights, rotation keys, normals, tangents.

#include "weighted_file.h"

namespace throng::test {
namespace {

TEST(GltfRepairs, WeightsAreCountedByWhatHappenedToThem) {
  const auto imported = weighted_file({{1, 0, 0, 0, 0, 0, 0, 0},
                                       {0.25f, 0.25f, 0.25f, 0.25f, 0, 0, 0, 0},
                                       {0.5f, 0.125f, 0.125f, 0.125f, 0.125f, 0, 0, 0},
                                       {0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f, 0.125f},
                                       {0, 0, 0, 0, 0, 0, 0, 0},
                                       {0.5f, 0, 0, 0, 0.25f, 0, 0, 0},
                                       {0.996f, 0, 0, 0, 0, 0, 0, 0}})
                            .import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Repairs& repairs = imported->repairs;
  EXPECT_EQ(repairs.vertices_cut, 2u);
  EXPECT_EQ(repairs.influences_dropped, 1u + 4u);
  EXPECT_DOUBLE_EQ(repairs.most_weight_dropped, 0.5);
  EXPECT_DOUBLE_EQ(repairs.mean_weight_dropped, (0.125 + 0.5) / 2.0);
  EXPECT_EQ(repairs.vertices_unweighted, 1u);
  EXPECT_EQ(repairs.weights_rescaled, 1u) << "0.996 is what 8-bit rounding does";
  EXPECT_EQ(repairs.quaternions_fixed, 0u);
  EXPECT_EQ(repairs.normals_fixed, 0u);
  EXPECT_TRUE(mentions(imported->notes, "31.25 % of the weight was dropped on average, 50.00 % at most"));
}

TEST(GltfRepairs, DroppedWeightIsAShareOfAllTheVertexHad) {
  const auto imported = weighted_file({{2, 2, 2, 2, 2, 0, 0, 0}}).import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_NEAR(imported->repairs.most_weight_dropped, 0.2, 1e-12);
  EXPECT_EQ(imported->repairs.weights_rescaled, 1u);
}

TEST(GltfRepairs, RotationKeysAreCountedAndTangentsOfSplinesAreNone) {
  GltfBuilder b = triangle_file();
  b.animate(0, "rotation", {0, 1, 2}, b.floats("VEC4", {0, 0, 0, 1.003f, 0, 0, 0, 1, 0, 0, 0, 0.997f}), "LINEAR");
  b.animate(0, "rotation", {0, 1},
            b.floats("VEC4", {0, 0, 0, 9, 0, 0, 0, 1.002f, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 9}),
            "CUBICSPLINE");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->repairs.quaternions_fixed, 3u);
}

TEST(GltfRepairs, NormalsWithoutLengthAreCountedAndAGoodFileHasNone) {
  GltfBuilder b = triangle_file();
  b.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = b.floats("VEC3", {0, 0, 0, 0, 0, 1, 0, 0, 0});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->repairs.normals_fixed, 2u);
  const auto good = triangle_file().import();
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->repairs.normals_fixed, 0u);
  EXPECT_EQ(good->repairs.weights_rescaled, 0u);
}

GltfBuilder tangent_file(const std::vector<float>& tangents) {
  GltfBuilder b = triangle_file();
  auto& attributes = b.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["NORMAL"] = b.floats("VEC3", {0, 0, 1, 0, 0, 1, 1, 0, 0});
  attributes["TANGENT"] = b.floats("VEC4", tangents);
  return b;
}

TEST(GltfTangents, AreReadWithTheirSideAndMadeUnitLength) {
  const auto imported = tangent_file({1, 0, 0, 1, 0, 1.004f, 0, -1, 0, 0, 0, 1}).import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto& tangents = imported->model.meshes()[0].tangents;
  ASSERT_EQ(tangents.size(), 3u);
  EXPECT_EQ(tangents[0], glm::vec4(1, 0, 0, 1));
  EXPECT_EQ(tangents[1], glm::vec4(0, 1, 0, -1));
  EXPECT_NEAR(glm::length(glm::vec3(tangents[2])), 1.0f, 1e-6f);
  EXPECT_NEAR(tangents[2].x, 0.0f, 1e-6f) << "across the normal";
  EXPECT_TRUE(mentions(imported->notes, "1 tangent has no length"));
}

TEST(GltfTangents, OfIntegersAreFractions) {
  GltfBuilder b = tangent_file({1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1});
  b.json["extensionsUsed"] = {"KHR_mesh_quantization"};
  b.json["meshes"][0]["primitives"][0]["attributes"]["TANGENT"] =
      b.accessor<std::int8_t>({90, 90, 0, 127, 0, 127, 0, -127, 0, 0, 127, -128}, "VEC4", kI8, true);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto& tangents = imported->model.meshes()[0].tangents;
  EXPECT_NEAR(tangents[0].x, std::sqrt(0.5f), 1e-6f);
  EXPECT_EQ(tangents[1], glm::vec4(0, 1, 0, -1));
  EXPECT_EQ(tangents[2].w, -1.0f);
}

TEST(GltfTangents, WithoutNormalsAreLeftOutWithANote) {
  GltfBuilder b = tangent_file({1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1});
  b.json["meshes"][0]["primitives"][0]["attributes"].erase("NORMAL");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.meshes()[0].tangents.empty());
  EXPECT_TRUE(mentions(imported->notes, "1 primitive has tangents but no normals"));
}

TEST(GltfTangents, OfMorphTargetsAreIgnored) {
  GltfBuilder b = tangent_file({1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1});
  b.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", b.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1})},
                                                      {"TANGENT", b.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1})}}};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].morph_targets.size(), 1u);
}

TEST(GltfTangents, ThatAreNoneAreRefusedStrictly) {
  const std::pair<std::vector<float>, const char*> cases[] = {
      {{1, 0, 0, 1, 0.5f, 0, 0, 1, 0, 1, 0, 1}, "tangent 1 has length 0.5"},
      {{1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0}, "tangent 2 has a w of 0"},
      {{1, 0, 0, 0.5f, 1, 0, 0, 1, 0, 1, 0, 1}, "tangent 0 has a w of 0.5"}};
  for (const auto& [tangents, because] : cases) {
    const auto imported = tangent_file(tangents).import({.strict = true});
    ASSERT_FALSE(imported) << because;
    EXPECT_NE(imported.error().message.find(because), std::string::npos) << imported.error().message;
  }
}

}  // namespace
}  // namespace throng::test
