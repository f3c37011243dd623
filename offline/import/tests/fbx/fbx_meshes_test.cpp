// SPDX-License-Identifier: Apache-2.0
// Polygons, layers of corners and materials, each in a file of a few numbers.

#include <cmath>

#include "fbx_posed.h"

namespace throng::test {
namespace {

// A quad of two units in the xy plane, seen from +z.
const Numbers kQuad = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
const std::vector<int> kQuadCorners = {0, 1, 2, -4};

TEST(FbxMeshes, CornersAlikeShareAVertexAndOthersDoNot) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  // Two quads side by side: the two points between them have one normal each in the first file, two in the second.
  const Numbers points = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
  const std::vector<int> corners = {0, 1, 4, -4, 1, 2, 5, -5};
  const auto layer = [](const Numbers& normals, const char* mapping) {
    return fmt::format(
        "LayerElementNormal: 0 {{\nMappingInformationType: \"{}\"\nReferenceInformationType: \"Direct\"\n"
        "Normals: {}\n}}\n",
        mapping, array(normals));
  };
  Numbers smooth;
  Numbers creased;
  for (int i = 0; i < 6; ++i) smooth.insert(smooth.end(), {0, 0, 1});
  for (int i = 0; i < 8; ++i) creased.insert(creased.end(), {i < 4 ? 0.6 : -0.6, 0, 0.8});
  FbxBuilder sharp = b;
  b.geometry(2, 1, points, corners, layer(smooth, "ByVertice"));
  sharp.geometry(2, 1, points, corners, layer(creased, "ByPolygonVertex"));
  const auto soft_model = b.import();
  const auto sharp_model = sharp.import();
  ASSERT_TRUE(soft_model && sharp_model);
  EXPECT_EQ(soft_model->model.meshes()[0].positions.size(), 6u);
  EXPECT_EQ(sharp_model->model.meshes()[0].positions.size(), 8u);
  EXPECT_EQ(sharp_model->model.meshes()[0].indices.size(), 12u);
  EXPECT_TRUE(soft_model->notes.empty());
}

TEST(FbxMeshes, ConcavePolygonsAreCutInside) {
  FbxBuilder b;
  b.model(1, "arrow", 0, {}, "Mesh");
  // An arrowhead: a fan from the first point would leave the shape.
  b.geometry(2, 1, {0, 0, 0, 4, 2, 0, 0, 4, 0, 1, 2, 0}, {0, 1, 2, -4});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  ASSERT_EQ(mesh.indices.size(), 6u);
  double area = 0.0;
  for (std::size_t i = 0; i < 6; i += 3) {
    const auto p = [&](std::size_t k) { return glm::dvec3(mesh.positions[mesh.indices[i + k]]); };
    const double z = glm::cross(p(1) - p(0), p(2) - p(0)).z;
    EXPECT_GT(z, 0.0);
    area += 0.5 * z;
  }
  EXPECT_NEAR(area, 6.0, 1e-6);
}

TEST(FbxMeshes, APolygonThatCrossesItselfBecomesAFanAndIsCounted) {
  FbxBuilder b;
  b.model(1, "bow tie", 0, {}, "Mesh");
  b.geometry(2, 1, {0, 0, 0, 4, 4, 0, 4, 0, 0, 0, 2, 0, 9, 0, 0}, {0, 1, 2, -4, 0, 4, -2});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].indices.size(), 9u);
  EXPECT_TRUE(noted(*imported, "1 polygon crosses itself, so that no triangles cover it once; cut as a fan"));
}

TEST(FbxMeshes, TextureCoordinatesCountFromTheTopAndColoursAreKept) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, kQuadCorners,
             "LayerElementUV: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nUV: *4 { a: 0.25,0.125,0.5,1 }\nUVIndex: *4 { a: 0,1,1,0 }\n}\n"
             "LayerElementColor: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nColors: *4 { a: 0.5,0.25,0.125,1 }\nColorIndex: *4 { a: 0,0,0,0 }\n}\n");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  ASSERT_EQ(mesh.uvs.size(), 4u);
  EXPECT_EQ(mesh.uvs[0], glm::vec2(0.25f, 0.875f));
  EXPECT_EQ(mesh.uvs[1], glm::vec2(0.5f, 0.0f));
  ASSERT_EQ(mesh.colours.size(), 4u);
  EXPECT_EQ(mesh.colours[2], glm::vec4(0.5f, 0.25f, 0.125f, 1.0f));
}

TEST(FbxMeshes, LayersThatDoNotFitAreLeftOutWithANote) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, kQuadCorners,
             "LayerElementUV: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nUV: *4 { a: 0,0,1,1 }\nUVIndex: *4 { a: 0,1,2,0 }\n}\n");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.meshes()[0].uvs.empty());
  EXPECT_TRUE(noted(*imported, "UV do not fit its polygons"));
}

TEST(FbxMeshes, PointsLinesAndPolygonsWithoutAreaDoNotDisturbTheRest) {
  FbxBuilder b;
  b.model(1, "odd", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {-1, 0, -2, 0, 0, -1, 0, 1, 2, -4, 1, 1, 1, 1, -2, 3});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes().size(), 1u);
  const Mesh& mesh = imported->model.meshes()[0];
  double area = 0.0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto p = [&](std::size_t k) { return glm::dvec3(mesh.positions[mesh.indices[i + k]]); };
    area += 0.5 * glm::length(glm::cross(p(1) - p(0), p(2) - p(0)));
  }
  EXPECT_NEAR(area, 4.0, 1e-6);
}

TEST(FbxMeshes, AMaterialThatHangsOnANodeTwiceIsOne) {
  FbxBuilder b;
  b.model(1, "quads", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {0, 1, -3, 0, 2, -4, 1, 2, -4},
             "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nMaterials: *3 { a: 0,1,2 }\n}\n");
  b.object("Material", 3, "Material", "red", "", "");
  b.object("Material", 4, "Material", "blue", "", "");
  for (const int material : {3, 3, 4}) b.connect(material, 1);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes().size(), 2u);
  for (const Mesh& mesh : imported->model.meshes()) {
    const bool red = imported->model.materials()[mesh.material].name == "red";
    EXPECT_EQ(mesh.indices.size(), red ? 6u : 3u);
  }
}

TEST(FbxMeshes, AnIndexPastTheLastPointIsRefused) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {0, 1, 2, -5});
  const auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("mesh 'quad' has a polygon that names vertex 4 of 4"), std::string::npos)
      << imported.error().message;
}

TEST(FbxMeshes, PolygonsOfSeveralMaterialsBecomeMeshesOfOne) {
  FbxBuilder b;
  b.model(1, "quads", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {0, 1, -3, 0, 2, -4, 1, 2, -4},
             "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nMaterials: *3 { a: 1,0,1 }\n}\n");
  b.object("Material", 3, "Material", "red", "",
           properties({{"DiffuseColor", {0.5, 0.25, 0}}, {"DiffuseFactor", {0.5}}, {"Opacity", {0.75}}}));
  b.object("Material", 4, "Material", "blue", "", properties({{"DiffuseColor", {0, 0, 1}}}));
  b.connect(3, 1);
  b.connect(4, 1);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ASSERT_EQ(model.meshes().size(), 2u);
  std::size_t triangles_of_red = 0;
  for (const Mesh& mesh : model.meshes()) {
    const Material& material = model.materials()[mesh.material];
    if (material.name == "red") {
      triangles_of_red = mesh.indices.size() / 3;
      EXPECT_EQ(material.base_colour, glm::vec4(0.25f, 0.125f, 0.0f, 0.75f));
      EXPECT_EQ(material.alpha_mode, AlphaMode::blend);
    } else {
      EXPECT_EQ(material.name, "blue");
      EXPECT_EQ(mesh.indices.size(), 6u);
      EXPECT_EQ(material.alpha_mode, AlphaMode::opaque);
    }
  }
  EXPECT_EQ(triangles_of_red, 1u);
}

}  // namespace
}  // namespace throng::test
