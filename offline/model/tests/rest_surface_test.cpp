// SPDX-License-Identifier: Apache-2.0
#include "throng/model/rest_surface.h"

#include <gtest/gtest.h>

namespace throng {
namespace {

// A unit square in the plane z = 0, u along y. Its one morph target lifts the corner (1, 1), and is half in at rest.
Mesh square() {
  Mesh mesh;
  mesh.name = "square";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.uvs = {{0, 0}, {0, -1}, {1, -1}, {1, 0}};
  mesh.indices = {0, 1, 3, 1, 2, 3};
  mesh.influences.assign(4, {{0, 0, 0, 0}, {1.0f, 0.0f, 0.0f, 0.0f}});
  mesh.morph_targets = {{"lift", {{0, 0, 0}, {0, 0, 0}, {0, 0, 2}, {0, 0, 0}}, {}}};
  mesh.morph_weights = {0.5f};
  return mesh;
}

TEST(RestSurface, HasMorphTargetsAsFarInAsTheyAreAndNormalsOfItsTriangles) {
  const RestSurface surface = rest_surface(square(), false);
  EXPECT_EQ(surface.positions[2], glm::dvec3(1, 1, 1));
  EXPECT_EQ(glm::normalize(surface.normals[0]), glm::dvec3(0, 0, 1)) << "which only the flat triangle touches";
  EXPECT_LT(glm::distance(glm::normalize(surface.normals[2]), glm::normalize(glm::dvec3(-1, -1, 1))), 1e-12);
  EXPECT_TRUE(surface.tangents.empty()) << "nobody asked for them";
}

TEST(RestSurface, KeepsTangentsThatTheMeshHasAndComputesOthers) {
  Mesh mesh = square();
  mesh.morph_weights = {0.0f};
  const RestSurface computed = rest_surface(mesh, true);
  ASSERT_EQ(computed.tangents.size(), 4u);
  for (const glm::dvec4& tangent : computed.tangents)
    EXPECT_LT(glm::distance(tangent, glm::dvec4(0, 1, 0, 1)), 1e-12) << "u grows along y";
  EXPECT_EQ(computed.tangents_without_direction, 0u);
  mesh.tangents.assign(4, {1, 0, 0, -1});
  EXPECT_EQ(rest_surface(mesh, true).tangents[3], glm::dvec4(1, 0, 0, -1));
  mesh.tangents.clear();
  mesh.uvs.clear();
  EXPECT_EQ(rest_surface(mesh, true).tangents_without_direction, 4u);
}

TEST(RestSurface, OfMeshesWithoutTrianglesHasNoTangents) {
  ModelDraft draft;
  draft.name = "squares";
  draft.bones = {{"root", std::nullopt, {}}};
  draft.bindings = {{0, glm::dmat4(1.0)}};
  draft.materials = {{}};
  draft.meshes = {square(), square()};
  draft.meshes[1].indices.clear();
  const auto model = build_model(std::move(draft));
  ASSERT_TRUE(model) << model.error().message;
  const std::vector<RestSurface> surfaces = rest_surfaces(*model, true);
  ASSERT_EQ(surfaces.size(), 2u);
  EXPECT_EQ(surfaces[0].tangents.size(), 4u);
  EXPECT_EQ(surfaces[1].normals.size(), 4u);
  EXPECT_TRUE(surfaces[1].tangents.empty());
}

}  // namespace
}  // namespace throng
