// SPDX-License-Identifier: Apache-2.0
// What vertices are bound to, and the shapes that they blend to.

#include <cmath>

#include "fbx_posed.h"

namespace throng::test {
namespace {

// A quad of two units in the xy plane, seen from +z.
const Numbers kQuad = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
const std::vector<int> kQuadCorners = {0, 1, 2, -4};

const Numbers kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

Numbers translation(double x, double y, double z) {
  Numbers matrix = kIdentity;
  matrix[12] = x;
  matrix[13] = y;
  matrix[14] = z;
  return matrix;
}

void add_skin(FbxBuilder& b, int id, int geometry) {
  b.object("Deformer", id, "Deformer", "", "Skin", "");
  b.connect(id, geometry);
}

void add_cluster(FbxBuilder& b, int id, int skin, int bone, const std::vector<int>& points, const Numbers& weights,
                 const Numbers& transform = kIdentity) {
  b.object("Deformer", id, "SubDeformer", "", "Cluster",
           fmt::format("Indexes: {}\nWeights: {}\nTransform: {}\n", array(points), array(weights), array(transform)));
  b.connect(id, skin);
  b.connect(bone, id);
}

TEST(FbxSkins, VerticesFollowTheBonesTheyAreBoundTo) {
  FbxBuilder b;
  b.model(1, "quad", 0, {{"Lcl Translation", {100, 0, 0}}}, "Mesh");
  b.geometry(2, 1, kQuad, kQuadCorners);
  b.model(3, "still", 0);
  b.model(4, "moving", 0, {{"Lcl Translation", {5, 0, 0}}});
  add_skin(b, 10, 2);
  add_cluster(b, 11, 10, 3, {0, 1, 2}, {1, 0.25, 0.5});
  add_cluster(b, 12, 10, 4, {1, 2}, {0.75, 0.5}, translation(-5, 0, 0));
  b.take(20, "up");
  b.curve(30, 20, 4, "Lcl Translation", "d|Y", {0, 1}, {0, 8});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  const auto found = posed(model, sample(model, model.clips()[0], 1.0));
  // A skinned vertex does not follow its mesh's node; one without weights does.
  expect_near(found[0], {0, 0, 0}, 1e-5, "all still");
  expect_near(found[1], {2, 6, 0}, 1e-5, "three quarters");
  expect_near(found[2], {2, 6, 0}, 1e-5, "half");
  expect_near(found[3], {100, 2, 0}, 1e-5, "none");
  EXPECT_EQ(imported->repairs.vertices_unweighted, 1u);
  EXPECT_EQ(model.bindings().size(), 3u);
}

TEST(FbxSkins, OnlyTheFourStrongestInfluencesAreKeptAndTheLossIsCounted) {
  FbxBuilder b;
  b.model(1, "triangle", 0, {}, "Mesh");
  b.triangle(2, 1);
  add_skin(b, 10, 2);
  const Numbers weights = {0.1, 0.3, 0.05, 0.2, 0.35};
  for (int i = 0; i < 5; ++i) {
    b.model(20 + i, fmt::format("bone{}", i), 0);
    const double weight = weights[static_cast<std::size_t>(i)];
    add_cluster(b, 30 + i, 10, 20 + i, {0, 1, 2}, {weight, i == 0 ? 0.5 : 0.0, i == 0 ? 1.0 : 0.0});
  }
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Repairs& repairs = imported->repairs;
  EXPECT_EQ(repairs.vertices_cut, 1u);
  EXPECT_EQ(repairs.influences_dropped, 1u);
  EXPECT_NEAR(repairs.most_weight_dropped, 0.05, 1e-9);
  EXPECT_NEAR(repairs.mean_weight_dropped, 0.05, 1e-9);
  EXPECT_EQ(repairs.weights_rescaled, 1u);
  const Influences& first = imported->model.meshes()[0].influences[0];
  EXPECT_NEAR(first.weights[0], 0.35 / 0.95, 1e-6);
  EXPECT_EQ(imported->model.bones()[imported->model.bindings()[first.bindings[0]].bone].name, "bone4");
  EXPECT_NEAR(first.weights[3], 0.1 / 0.95, 1e-6);
  EXPECT_NEAR(imported->model.meshes()[0].influences[1].weights[0], 1.0, 1e-6);
}

TEST(FbxSkins, OtherWaysThanLinearBlendingAreKeptAndNoted) {
  using enum SkinMethod;
  for (const auto& [content, otherwise, method] :
       {std::tuple("SkinningType: \"DualQuaternion\"\n", true, dual_quaternion),
        {"SkinningType: \"Linear\"\n", false, linear},
        {"SkinningType: \"Blend\"\nBlendWeights: *2 { a: 0,0 }\n", false, linear},
        {"SkinningType: \"Blend\"\nBlendWeights: *2 { a: 0,0.5 }\n", true, linear},
        {"SkinningType: \"Blend\"\nBlendWeights: *3 { a: 0.2,1,1 }\n", true, dual_quaternion}}) {
    FbxBuilder b;
    b.model(1, "triangle", 0, {}, "Mesh");
    b.triangle(2, 1);
    b.object("Deformer", 10, "Deformer", "", "Skin", content);
    b.connect(10, 2);
    add_cluster(b, 11, 10, 1, {0, 1, 2}, {1, 1, 1});
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(noted(*imported, "dual quaternions"), otherwise) << content;
    EXPECT_EQ(imported->model.meshes()[0].skin_method, method) << content;
  }
}

// A point on the axis between two bones that twist against each other by 90°: dual quaternions keep its distance from
// the axis, lines between the two places do not.
TEST(FbxSkins, WhatLinearBlendingCostsIsSaid) {
  FbxBuilder b;
  b.model(1, "arm", 0, {}, "Mesh");
  b.geometry(2, 1, {0, 0, 0, 1, 0, 0, 0, 2, 0}, {0, 1, -3});
  b.model(3, "upper", 0);
  b.model(4, "lower", 0);
  b.object("Deformer", 10, "Deformer", "", "Skin", "SkinningType: \"DualQuaternion\"\n");
  b.connect(10, 2);
  add_cluster(b, 11, 10, 3, {0, 1, 2}, {0.5, 0.5, 1});
  add_cluster(b, 12, 10, 4, {0, 1}, {0.5, 0.5});
  b.take(20, "twist");
  b.curve(30, 20, 4, "Lcl Rotation", "d|Y", {0, 1}, {0, 90});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  // 1 − cos 45° of 2 units' height, which stand for 1.8 m.
  EXPECT_TRUE(noted(*imported, "off by up to 263.6 mm on a character 1.8 m tall (clip 'twist' at 1.00 s)"));
}

TEST(FbxSkins, WithoutMatricesTheBindPoseOrTheRestTells) {
  FbxBuilder b;
  b.model(1, "triangle", 0, {{"Lcl Translation", {3, 0, 0}}}, "Mesh");
  b.triangle(2, 1);
  b.model(3, "bone", 0, {{"Lcl Translation", {0, 7, 0}}});
  add_skin(b, 10, 2);
  b.object("Deformer", 11, "SubDeformer", "", "Cluster", "Indexes: *3 { a: 0,1,2 }\nWeights: *3 { a: 1,1,1 }\n");
  b.connect(11, 10);
  b.connect(3, 11);
  FbxBuilder with_pose = b;
  with_pose.object("Pose", 40, "Pose", "", "BindPose",
                   fmt::format("PoseNode: {{\nNode: 3\nMatrix: {}\n}}\n", array(translation(0, 1, 0))));
  const auto at_rest = b.import();
  const auto bound = with_pose.import();
  ASSERT_TRUE(at_rest && bound);
  expect_near(posed(at_rest->model, rest_pose(at_rest->model))[0], {3, 0, 0}, 1e-6, "bound at rest");
  expect_near(posed(bound->model, rest_pose(bound->model))[0], {3, 6, 0}, 1e-6, "bound one up, now seven up");
}

TEST(FbxShapes, InBetweensAreReachedOnTheWayAndPassed) {
  FbxBuilder b = with_shapes();
  b.take(20, "talk");
  b.curve(30, 20, 11, "DeformPercent", "d|DeformPercent", {0, 1, 2}, {-50, 100, 200});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ASSERT_EQ(model.meshes()[0].morph_targets.size(), 2u);
  EXPECT_EQ(model.meshes()[0].morph_targets[0].name, "smile 50 %");
  EXPECT_EQ(model.meshes()[0].morph_targets[1].name, "smile");
  expect_near(posed(model, rest_pose(model))[1], {1, 0, 0.5}, 1e-6, "rest, 25 %");
  const std::pair<double, glm::dvec3> wanted[] = {{-50, {1, 0, -1}}, {0, {1, 0, 0}},   {50, {1, 0, 1}},
                                                  {75, {3, 0, 0.5}}, {100, {5, 0, 0}}, {200, {13, 0, -2}}};
  for (const auto& [percent, place] : wanted) {
    const double time = percent <= 100 ? (percent + 50) / 150 : 2.0;
    expect_near(posed(model, sample(model, model.clips()[0], time))[1], place, 0.02, fmt::format("{} %", percent));
  }
}

// Blender writes the weights of a vertex group there.
TEST(FbxShapes, FullWeightsOfASingleShapeWeighItsOffsets) {
  FbxBuilder b;
  b.model(1, "triangle", 0, {}, "Mesh");
  b.geometry(2, 1, {0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, -3},
             "LayerElementNormal: 0 {\nMappingInformationType: \"ByVertice\"\n"
             "ReferenceInformationType: \"Direct\"\nNormals: *9 { a: 0,0,1, 0,0,1, 0,0,1 }\n}\n");
  b.object("Deformer", 10, "Deformer", "", "BlendShape", "");
  b.connect(10, 2);
  b.object("Deformer", 11, "SubDeformer", "smile", "BlendShapeChannel",
           "DeformPercent: 100\nFullWeights: *3 { a: 100,50,0 }\n");
  b.connect(11, 10);
  b.object("Geometry", 12, "Geometry", "smile", "Shape",
           "Indexes: *3 { a: 0,1,2 }\nVertices: *9 { a: 0,0,4, 0,0,4, 0,0,4 }\n"
           "Normals: *9 { a: 1,0,0, 1,0,0, 1,0,0 }\n");
  b.connect(12, 11);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes()[0].morph_targets.size(), 1u);
  const std::vector<glm::vec3> turned{{1, 0, 0}, {0.5f, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(imported->model.meshes()[0].morph_targets[0].normals, turned) << "of their normals, too";
  const auto found = posed(imported->model, rest_pose(imported->model));
  expect_near(found[0], {0, 0, 4}, 1e-6, "all of it");
  expect_near(found[1], {1, 0, 2}, 1e-6, "half");
  expect_near(found[2], {0, 1, 0}, 1e-6, "none");
}

TEST(FbxShapes, MayLieInTheirGeometry) {
  FbxBuilder b;
  b.version = 7100;
  b.model(1, "face", 0, {{"smile", {50}}}, "Mesh");
  b.geometry(2, 1, {0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, -3},
             "Shape: \"smile\" {\nIndexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,4 }\n}\n");
  b.take(20, "talk");
  b.curve(30, 20, 1, "smile", "d|smile", {0, 1}, {0, 100});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ASSERT_EQ(model.meshes()[0].morph_targets.size(), 1u);
  EXPECT_EQ(model.meshes()[0].morph_targets[0].name, "smile");
  expect_near(posed(model, rest_pose(model))[1], {1, 0, 2}, 1e-6, "rest");
  ASSERT_EQ(model.clips().size(), 1u);
  expect_near(posed(model, sample(model, model.clips()[0], 0.25))[1], {1, 0, 1}, 1e-6, "a quarter");
}

TEST(FbxShapes, AShapeThatDoesNotFitItsMeshIsLeftOut) {
  FbxBuilder b = with_shapes();
  b.object("Geometry", 14, "Geometry", "far", "Shape", "Indexes: *1 { a: 3 }\nVertices: *3 { a: 4,0,0 }\n");
  b.connect(14, 11);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].morph_targets.size(), 2u);
  EXPECT_TRUE(noted(*imported, "'smile': a shape that does not fit"));
}

}  // namespace
}  // namespace throng::test
