// SPDX-License-Identifier: Apache-2.0
// Where FBX puts a node: every part of its chain, by hand.

#include <glm/gtc/matrix_transform.hpp>

#include "fbx_builder.h"

namespace throng::test {
namespace {

constexpr double kExact = 1e-6;

// One node with a triangle, at rest.
Model node_with(const Properties& list) {
  FbxBuilder b;
  b.model(1, "node", 0, list, "Mesh");
  b.triangle(2, 1);
  auto imported = b.import();
  EXPECT_TRUE(imported) << imported.error().message;
  return std::move(imported->model);
}

glm::dvec3 at_rest(const Model& model, std::string_view bone, const glm::dvec3& point) {
  return moved(model_from_bone(model, rest_pose(model), bone), point);
}

glm::dvec3 turned(const glm::dvec3& point, int axis, double degrees) {
  glm::dvec3 direction(0.0);
  direction[axis] = 1.0;
  return glm::dmat3(glm::rotate(glm::dmat4(1.0), glm::radians(degrees), direction)) * point;
}

TEST(FbxTransforms, AnglesApplyInTheOrderTheNodeNames) {
  constexpr int kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
  const glm::dvec3 angles(20.0, 50.0, -70.0);
  for (int order = 0; order < 6; ++order) {
    const Model model = node_with({{"Lcl Rotation", {angles.x, angles.y, angles.z}},
                                   {"RotationActive", {1}},
                                   {"RotationOrder", {static_cast<double>(order)}}});
    glm::dvec3 wanted(1.0, 2.0, 3.0);
    for (const int axis : kOrders[order]) wanted = turned(wanted, axis, angles[axis]);
    expect_near(at_rest(model, "node", {1, 2, 3}), wanted, kExact, fmt::format("order {}", order));
  }
}

TEST(FbxTransforms, PreRotationComesAfterAndPostRotationIsTakenBackBefore) {
  const Model model = node_with({{"RotationActive", {1}},
                                 {"PreRotation", {90, 0, 0}},
                                 {"Lcl Rotation", {0, 0, 30}},
                                 {"PostRotation", {0, 90, 0}}});
  const glm::dvec3 wanted = turned(turned(turned({1, 2, 3}, 1, -90.0), 2, 30.0), 0, 90.0);
  expect_near(at_rest(model, "node", {1, 2, 3}), wanted, kExact, "pre, post");
}

TEST(FbxTransforms, WithoutRotationActiveOnlyTheAnglesCount) {
  const Model model = node_with(
      {{"RotationActive", {0}}, {"PreRotation", {90, 0, 0}}, {"RotationOrder", {5}}, {"Lcl Rotation", {90, 0, 90}}});
  expect_near(at_rest(model, "node", {0, 1, 0}), turned(turned({0, 1, 0}, 0, 90.0), 2, 90.0), kExact, "inactive");
}

TEST(FbxTransforms, RotationAndScaleGoAboutTheirPivots) {
  const Model turned_model =
      node_with({{"RotationPivot", {1, 0, 0}}, {"RotationOffset", {0, 0, 5}}, {"Lcl Rotation", {0, 0, 90}}});
  expect_near(at_rest(turned_model, "node", {2, 0, 0}), {1, 1, 5}, kExact, "rotation pivot");
  const Model scaled =
      node_with({{"ScalingPivot", {1, 0, 0}}, {"ScalingOffset", {0, 7, 0}}, {"Lcl Scaling", {3, 1, 1}}});
  expect_near(at_rest(scaled, "node", {2, 0, 0}), {4, 7, 0}, kExact, "scaling pivot");
}

TEST(FbxTransforms, AllPartsOfTheChainTogether) {
  const Model model = node_with({{"Lcl Translation", {10, 20, 30}},
                                 {"RotationOffset", {1, 2, 3}},
                                 {"RotationPivot", {4, 5, 6}},
                                 {"RotationActive", {1}},
                                 {"PreRotation", {30, 0, 0}},
                                 {"Lcl Rotation", {0, 40, 0}},
                                 {"PostRotation", {0, 0, 50}},
                                 {"ScalingOffset", {-1, -2, -3}},
                                 {"ScalingPivot", {7, 8, 9}},
                                 {"Lcl Scaling", {2, 3, 4}}});
  // T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹, from the right.
  glm::dvec3 p(0.5, 0.25, -1.0);
  p = (p - glm::dvec3(7, 8, 9)) * glm::dvec3(2, 3, 4) + glm::dvec3(7, 8, 9) + glm::dvec3(-1, -2, -3);
  p = turned(turned(turned(p - glm::dvec3(4, 5, 6), 2, -50.0), 1, 40.0), 0, 30.0);
  p += glm::dvec3(4, 5, 6) + glm::dvec3(1, 2, 3) + glm::dvec3(10, 20, 30);
  expect_near(at_rest(model, "node", {0.5, 0.25, -1.0}), p, 1e-5, "chain");
}

TEST(FbxTransforms, GeometricTransformsMoveTheMeshAndNotTheChildren) {
  FbxBuilder b;
  b.model(1, "node", 0,
          {{"GeometricTranslation", {10, 0, 0}}, {"GeometricRotation", {0, 0, 90}}, {"GeometricScaling", {2, 2, 2}}},
          "Mesh");
  b.triangle(2, 1);
  b.model(3, "child", 1, {{"Lcl Translation", {0, 0, 1}}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  const auto skinned = skin_mesh(model, 0, rest_pose(model), skinning_palette(model, rest_pose(model)));
  expect_near(skinned.positions[1], {10, 2, 0}, kExact, "mesh");
  expect_near(at_rest(model, "child", {0, 0, 0}), {0, 0, 1}, kExact, "child");
}

// A parent scaled unevenly, and a child turned by 90° about z: where does the child's x axis end up?
glm::dvec3 inherited(int type, bool grandchild) {
  FbxBuilder b;
  b.model(1, "parent", 0, {{"Lcl Scaling", {2, 3, 5}}});
  b.model(2, "child", 1,
          {{"InheritType", {static_cast<double>(type)}}, {"Lcl Translation", {1, 1, 1}}, {"Lcl Rotation", {0, 0, 90}}});
  b.model(3, "grandchild", 2, {{"InheritType", {static_cast<double>(type)}}, {"Lcl Translation", {1, 0, 0}}});
  const auto imported = b.import();
  EXPECT_TRUE(imported) << imported.error().message;
  // The child's own children do not inherit its scale either: it is two bones, the second with the scale.
  const bool split = !grandchild && type == 0;
  const std::string_view bone = grandchild ? "grandchild" : split ? "child (scale)" : "child";
  return at_rest(imported->model, bone, {1, 0, 0}) - at_rest(imported->model, bone, {0, 0, 0});
}

TEST(FbxTransforms, AParentsScaleIsInheritedInThreeWays) {
  expect_near(inherited(1, false), {0, 3, 0}, kExact, "RSrs: turned, then scaled along the parent's axes");
  expect_near(inherited(0, false), {0, 2, 0}, kExact, "RrSs: scaled along its own axes, then turned");
  expect_near(inherited(2, false), {0, 1, 0}, kExact, "Rrs: not scaled");
  expect_near(inherited(1, true), {0, 3, 0}, kExact, "RSrs of a grandparent");
  expect_near(inherited(0, true), {0, 2, 0}, kExact, "RrSs of a grandparent");
  expect_near(inherited(2, true), {0, 1, 0}, kExact, "Rrs of a grandparent");
}

TEST(FbxTransforms, AChildThatDoesNotInheritScaleIsStillPlacedByIt) {
  FbxBuilder b;
  b.model(1, "parent", 0, {{"Lcl Scaling", {2, 3, 5}}});
  b.model(2, "child", 1, {{"InheritType", {2}}, {"Lcl Translation", {1, 1, 1}}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  expect_near(at_rest(imported->model, "child", {0, 0, 0}), {2, 3, 5}, kExact, "placed");
  ASSERT_EQ(imported->model.bones().size(), 3u);
  EXPECT_EQ(imported->model.bones()[1].name, "parent (scale)");
  EXPECT_EQ(imported->model.bones()[2].parent, 0u);
}

TEST(FbxTransforms, AnEvenScaleNeedsNoSecondBone) {
  FbxBuilder b;
  b.model(1, "parent", 0, {{"Lcl Scaling", {4, 4, 4}}});
  b.model(2, "child", 1, {{"InheritType", {2}}, {"Lcl Translation", {1, 2, 3}}, {"Lcl Scaling", {1, 2, 1}}});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.bones().size(), 2u);
  expect_near(at_rest(imported->model, "child", {0, 0, 0}), {4, 8, 12}, kExact, "placed");
  expect_near(at_rest(imported->model, "child", {1, 1, 1}), {5, 10, 13}, kExact, "not scaled by four");
}

// The file's axes: which is right, which is up, which is front.
Model with_axes(const Numbers& right, const Numbers& up, const Numbers& front) {
  FbxBuilder b;
  b.settings = {{"CoordAxis", {right[0]}}, {"CoordAxisSign", {right[1]}}, {"UpAxis", {up[0]}},
                {"UpAxisSign", {up[1]}},   {"FrontAxis", {front[0]}},     {"FrontAxisSign", {front[1]}}};
  b.model(1, "node", 0, {{"Lcl Translation", {10, 20, 30}}, {"Lcl Rotation", {0, 0, 90}}, {"Lcl Scaling", {1, 2, 3}}});
  b.model(2, "child", 1, {{"Lcl Translation", {1, 0, 0}}});
  auto imported = b.import();
  EXPECT_TRUE(imported) << imported.error().message;
  return std::move(imported->model);
}

TEST(FbxTransforms, DeclaredAxesBecomeYUpAndZFront) {
  // In the file the node is at (10, 20, 30), the child one to its y, and (1, 1, 1) of the node at (8, 21, 33).
  const Model max = with_axes({0, 1}, {2, 1}, {1, -1});
  expect_near(at_rest(max, "node", {0, 0, 0}), {10, 30, -20}, kExact, "z up");
  expect_near(at_rest(max, "child", {0, 0, 0}), {10, 30, -21}, kExact, "child, z up");
  expect_near(at_rest(max, "node", {1, 1, 1}), {8, 33, -21}, kExact, "point, z up");
  const Model x_up = with_axes({1, -1}, {0, 1}, {2, 1});
  expect_near(at_rest(x_up, "node", {1, 1, 1}), {-21, 8, 33}, kExact, "x up");
}

TEST(FbxTransforms, LeftHandedAxesAreMirrored) {
  const Model mirrored = with_axes({0, 1}, {1, 1}, {2, -1});
  expect_near(at_rest(mirrored, "node", {0, 0, 0}), {10, 20, -30}, kExact, "node");
  expect_near(at_rest(mirrored, "node", {1, 1, 1}), {8, 21, -33}, kExact, "point");
  expect_near(at_rest(mirrored, "child", {0, 0, 0}), {10, 21, -30}, kExact, "child");
}

TEST(FbxTransforms, AxesThatAreNoneAreRefused) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.settings = {{"UpAxis", {7}}};
  auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("UpAxis 7"), std::string::npos) << imported.error().message;
  b.settings = {{"UpAxis", {2}}, {"FrontAxis", {2}}};
  imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("one axis twice"), std::string::npos) << imported.error().message;
}

}  // namespace
}  // namespace throng::test
