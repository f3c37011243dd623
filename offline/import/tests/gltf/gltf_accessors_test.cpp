// SPDX-License-Identifier: Apache-2.0
// How vertex data may lie in a file: quantised, sparse, interleaved, in strips and fans, morphed.

#include "gltf_builder.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

Result<Imported> import_attributes(GltfBuilder& b, const Json& attributes, const ImportSettings& settings = {}) {
  b.append("meshes", {{"primitives", {{{"attributes", attributes}}}}});
  b.append("nodes", {{"mesh", 0}});
  return b.import(settings);
}

TEST(GltfAccessor, QuantisedPositionsAreIntegersOrFractions) {
  for (const bool normalized : {false, true}) {
    GltfBuilder b;
    b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_mesh_quantization"};
    // Three components of two bytes, padded to a stride of eight.
    const int view = b.view<std::int16_t>({0, 0, 0, 0, 32767, 0, 0, 0, 0, -32768, 0, 0});
    b.json["bufferViews"][static_cast<std::size_t>(view)]["byteStride"] = 8;
    const int positions = b.append("accessors", {{"bufferView", view},
                                                 {"componentType", kI16},
                                                 {"count", 3},
                                                 {"type", "VEC3"},
                                                 {"normalized", normalized},
                                                 {"min", {0, -32768, 0}},
                                                 {"max", {32767, 0, 0}}});
    const auto imported = import_attributes(b, {{"POSITION", positions}});
    ASSERT_TRUE(imported) << imported.error().message;
    const auto& mesh = imported->model.meshes()[0];
    EXPECT_EQ(mesh.positions[1], glm::vec3(normalized ? 1.0f : 32767.0f, 0, 0));
    EXPECT_EQ(mesh.positions[2], glm::vec3(0, normalized ? -1.0f : -32768.0f, 0));
  }
}

TEST(GltfAccessor, QuantisedPositionsWithoutTheExtensionAreRefusedStrictly) {
  GltfBuilder b;
  const int view = b.view<std::int16_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
  b.json["bufferViews"][static_cast<std::size_t>(view)]["byteStride"] = 8;
  const int positions = b.append("accessors", {{"bufferView", view},
                                               {"componentType", kI16},
                                               {"count", 3},
                                               {"type", "VEC3"},
                                               {"min", {0, 0, 0}},
                                               {"max", {1, 1, 0}}});
  const auto imported = import_attributes(b, {{"POSITION", positions}}, {.strict = true});
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("VEC3 of SHORT"), std::string::npos) << imported.error().message;
  const auto mended = b.import();
  ASSERT_TRUE(mended) << mended.error().message;
  EXPECT_EQ(mended->model.meshes()[0].positions[2], glm::vec3(0, 1, 0));
  EXPECT_TRUE(mentions(mended->notes, "1 use of an extension is not declared"));
}

TEST(GltfAccessor, NormalisedTextureCoordinatesAndColoursAreFractions) {
  GltfBuilder b;
  const int positions = b.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const int uvs = b.accessor<std::uint16_t>({0, 0, 65535, 0, 0, 13107}, "VEC2", kU16, true);
  const int colours = b.accessor<std::uint8_t>({255, 0, 51, 255, 0, 0, 0, 0, 1, 2, 3, 4}, "VEC4", kU8, true);
  const auto imported = import_attributes(b, {{"POSITION", positions}, {"TEXCOORD_0", uvs}, {"COLOR_0", colours}});
  ASSERT_TRUE(imported) << imported.error().message;
  const auto& mesh = imported->model.meshes()[0];
  EXPECT_EQ(mesh.uvs[1], glm::vec2(1, 0));
  EXPECT_NEAR(mesh.uvs[2].y, 0.2f, 1e-6f);
  EXPECT_NEAR(mesh.colours[0].z, 0.2f, 1e-6f);
  EXPECT_NEAR(mesh.colours[2].w, 4.0f / 255.0f, 1e-6f);
}

TEST(GltfAccessor, ColoursWithoutAlphaAreOpaque) {
  GltfBuilder b;
  const auto imported = import_attributes(b, {{"POSITION", b.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})},
                                              {"COLOR_0", b.floats("VEC3", {0.25f, 0.5f, 0.75f, 0, 0, 0, 1, 1, 1})}});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].colours[0], glm::vec4(0.25f, 0.5f, 0.75f, 1.0f));
}

TEST(GltfAccessor, NormalsAreMadeUnitLengthAndMissingOnesStayMissing) {
  GltfBuilder b;
  const int positions = b.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const auto imported =
      import_attributes(b, {{"POSITION", positions}, {"NORMAL", b.floats("VEC3", {0, 0, 1.005f, 0, 0, 0, 1, 0, 0})}});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].normals[0], glm::vec3(0, 0, 1));
  EXPECT_EQ(imported->model.meshes()[0].normals[1], glm::vec3(0, 1, 0));
  EXPECT_TRUE(mentions(imported->notes, "1 normal has no length"));
  const auto without = triangle_file().import();
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_TRUE(without->model.meshes()[0].normals.empty());
}

TEST(GltfAccessor, SparseValuesReplaceThoseOfTheBase) {
  GltfBuilder b;
  const int positions = b.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  auto& accessor = b.json["accessors"][static_cast<std::size_t>(positions)];
  accessor["sparse"] = {{"count", 1},
                        {"indices", {{"bufferView", b.view<std::uint16_t>({2})}, {"componentType", kU16}}},
                        {"values", {{"bufferView", b.view<float>({7, 8, 9})}}}};
  accessor["max"] = {7, 8, 9};
  const auto imported = import_attributes(b, {{"POSITION", positions}});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].positions[1], glm::vec3(1, 0, 0));
  EXPECT_EQ(imported->model.meshes()[0].positions[2], glm::vec3(7, 8, 9));
}

TEST(GltfAccessor, SparseValuesWithoutABaseLieAmongZeros) {
  GltfBuilder b;
  const int positions =
      b.append("accessors", {{"componentType", kF32},
                             {"count", 3},
                             {"type", "VEC3"},
                             {"min", {0, 0, 0}},
                             {"max", {4, 5, 6}},
                             {"sparse",
                              {{"count", 1},
                               {"indices", {{"bufferView", b.view<std::uint8_t>({1})}, {"componentType", kU8}}},
                               {"values", {{"bufferView", b.view<float>({4, 5, 6})}}}}}});
  const auto imported = import_attributes(b, {{"POSITION", positions}});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].positions[0], glm::vec3(0));
  EXPECT_EQ(imported->model.meshes()[0].positions[1], glm::vec3(4, 5, 6));
}

TEST(GltfAccessor, SparseIndicesPastTheEndOrOutOfOrderAreRefused) {
  for (const std::vector<std::uint16_t>& indices : {std::vector<std::uint16_t>{1, 3}, {2, 1}, {1, 1}}) {
    GltfBuilder b;
    const int positions = b.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
    b.json["accessors"][static_cast<std::size_t>(positions)]["sparse"] = {
        {"count", 2},
        {"indices", {{"bufferView", b.view(indices)}, {"componentType", kU16}}},
        {"values", {{"bufferView", b.view<float>({0, 0, 0, 1, 0, 0})}}}};
    const auto imported = import_attributes(b, {{"POSITION", positions}});
    ASSERT_FALSE(imported);
    EXPECT_NE(imported.error().message.find("sparse index"), std::string::npos) << imported.error().message;
  }
}

TEST(GltfAccessor, InterleavedAttributesAreTakenApartByStride) {
  GltfBuilder b;
  const int view = b.view<float>({0, 0, 0, 0.5f, 0.5f, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
  b.json["bufferViews"][static_cast<std::size_t>(view)]["byteStride"] = 20;
  const int positions = b.append("accessors", {{"bufferView", view},
                                               {"componentType", kF32},
                                               {"count", 3},
                                               {"type", "VEC3"},
                                               {"min", {0, 0, 0}},
                                               {"max", {1, 1, 0}}});
  const int uvs = b.append(
      "accessors", {{"bufferView", view}, {"byteOffset", 12}, {"componentType", kF32}, {"count", 3}, {"type", "VEC2"}});
  const auto imported = import_attributes(b, {{"POSITION", positions}, {"TEXCOORD_0", uvs}});
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].positions[2], glm::vec3(0, 1, 0));
  EXPECT_EQ(imported->model.meshes()[0].uvs[2], glm::vec2(0, 1));
}

TEST(GltfPrimitive, StripsAndFansBecomeTrianglesWithTheirWinding) {
  const std::vector<std::uint32_t> strip = {0, 1, 2, 1, 3, 2, 2, 3, 4};
  const std::vector<std::uint32_t> fan = {1, 2, 0, 2, 3, 0, 3, 4, 0};
  for (const int mode : {5, 6}) {
    GltfBuilder b = triangle_file();
    const int positions = b.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0});
    b.json["meshes"][0]["primitives"][0] = {{"attributes", {{"POSITION", positions}}}, {"mode", mode}};
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->model.meshes()[0].indices, mode == 5 ? strip : fan);
  }
}

TEST(GltfPrimitive, PointsAndLinesAreLeftOutWithANote) {
  GltfBuilder b = triangle_file();
  for (const int mode : {0, 1, 2, 3}) {
    Json primitive = b.json["meshes"][0]["primitives"][0];
    primitive["mode"] = mode;
    b.json["meshes"][0]["primitives"].push_back(primitive);
  }
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes().size(), 1u);
  EXPECT_TRUE(mentions(imported->notes, "4 primitives of points or lines"));
}

TEST(GltfPrimitive, IndicesOfEveryWidthAreReadAndSpareOnesLeftOut) {
  GltfBuilder b = triangle_file();
  auto& primitives = b.json["meshes"][0]["primitives"];
  const Json base = primitives[0];
  for (int i = 0; i < 3; ++i) primitives.push_back(base);
  primitives[1]["indices"] = b.accessor<std::uint8_t>({2, 1, 0}, "SCALAR", kU8);
  primitives[2]["indices"] = b.accessor<std::uint16_t>({2, 1, 0, 1}, "SCALAR", kU16);
  primitives[3]["indices"] = b.accessor<std::uint32_t>({2, 1, 0}, "SCALAR", kU32);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].indices, (std::vector<std::uint32_t>{0, 1, 2}));
  for (std::size_t m = 1; m < 4; ++m) {
    EXPECT_EQ(imported->model.meshes()[m].indices, (std::vector<std::uint32_t>{2, 1, 0}));
    EXPECT_EQ(imported->model.meshes()[m].primitive, m);
  }
  EXPECT_TRUE(mentions(imported->notes, "1 index after the last whole triangle"));
}

GltfBuilder morph_file() {
  GltfBuilder b = triangle_file();
  auto& mesh = b.json["meshes"][0];
  mesh["primitives"][0]["targets"] = {{{"POSITION", b.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1})}},
                                      {{"POSITION", b.floats("VEC3", {2, 0, 0, 2, 0, 0, 2, 0, 0})}}};
  mesh["weights"] = {0.5, 0.0};
  mesh["extras"] = {{"targetNames", {"smile", "frown"}}};
  return b;
}

TEST(GltfMorph, TargetsNamesAndRestWeightsAreCarriedAlong) {
  const auto imported = morph_file().import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  ASSERT_EQ(mesh.morph_targets.size(), 2u);
  EXPECT_EQ(mesh.morph_targets[0].name, "smile");
  EXPECT_EQ(mesh.morph_targets[1].positions[2], glm::vec3(2, 0, 0));
  EXPECT_EQ(mesh.morph_weights, (std::vector<float>{0.5f, 0.0f}));
}

TEST(GltfMorph, ANodesWeightsOverrideItsMeshs) {
  GltfBuilder b = morph_file();
  b.json["nodes"][0]["weights"] = {0.0, 0.25};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].morph_weights, (std::vector<float>{0.0f, 0.25f}));
}

TEST(GltfMorph, AnimatedWeightsMoveEveryPrimitiveOfTheNode) {
  GltfBuilder b = morph_file();
  b.json["meshes"][0]["primitives"].push_back(b.json["meshes"][0]["primitives"][0]);
  b.animate(0, "weights", {0, 1}, b.accessor<std::uint8_t>({0, 0, 255, 51}, "SCALAR", kU8, true), "LINEAR");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ASSERT_EQ(model.clips()[0].morphs.size(), 2u);
  const Pose pose = sample(model, model.clips()[0], 0.5);
  for (std::size_t mesh = 0; mesh < 2; ++mesh) {
    const glm::dvec3 first = skin_mesh(model, mesh, pose, skinning_palette(model, pose)).positions[0];
    EXPECT_NEAR(first.x, 0.2, 1e-6);
    EXPECT_NEAR(first.z, 0.5, 1e-6);
  }
}

}  // namespace
}  // namespace throng::test
