// SPDX-License-Identifier: Apache-2.0
// Skinning by dual quaternions against what geometry says, and eight influences in both methods.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "throng/pose/pose.h"

namespace throng {
namespace {

constexpr double kPi = std::numbers::pi;

struct Bound {
  glm::vec3 position;
  std::vector<float> weights;  // of matrices 0, 1, …; strongest need not be first
};

// Vertices bound straight to the matrices of a palette, as if each were a bone.
Model bound_model(std::size_t matrices, const std::vector<Bound>& vertices) {
  ModelDraft draft;
  draft.materials = {{}};
  for (std::uint32_t i = 0; i < matrices; ++i) {
    draft.bones.push_back({"bone", std::nullopt, {}});
    draft.bindings.push_back({i, glm::dmat4(1.0)});
  }
  Mesh mesh;
  for (const Bound& vertex : vertices) {
    std::vector<std::pair<float, std::uint16_t>> order;
    for (std::uint16_t i = 0; i < vertex.weights.size(); ++i) order.emplace_back(-vertex.weights[i], i);
    std::sort(order.begin(), order.end());
    order.resize(8, {0.0f, 0});
    Influences first, more;
    for (std::size_t i = 0; i < 4; ++i) {
      first.weights[i] = -order[i].first;
      first.bindings[i] = order[i].second;
      more.weights[i] = -order[i + 4].first;
      more.bindings[i] = order[i + 4].second;
    }
    mesh.positions.push_back(vertex.position);
    mesh.normals.push_back(glm::normalize(glm::vec3(vertex.position.x + 0.1f, 0.5f, vertex.position.z)));
    mesh.influences.push_back(first);
    mesh.extra_influences.push_back(more);
  }
  draft.meshes = {mesh};
  auto model = build_model(std::move(draft));
  EXPECT_TRUE(model) << model.error().message;
  return *model;
}

SkinnedVertices skinned(const Model& model, const std::vector<glm::dmat4>& palette,
                        SkinMethod method = SkinMethod::dual_quaternion) {
  return skin_mesh(model, 0, rest_pose(model), palette, method);
}

glm::dmat4 turn_about(const glm::dvec3& pivot, double angle, const glm::dvec3& axis) {
  return to_matrix({pivot, glm::angleAxis(angle, glm::normalize(axis)), glm::dvec3(1.0)}) *
         to_matrix({-pivot, glm::dquat(1, 0, 0, 0), glm::dvec3(1.0)});
}

void expect_near(const glm::dvec3& a, const glm::dvec3& b, double tolerance = 1e-12) {
  EXPECT_LT(glm::distance(a, b), tolerance)
      << a.x << ' ' << a.y << ' ' << a.z << " is not " << b.x << ' ' << b.y << ' ' << b.z;
}

// What is left of a turn by `angle` that weighs `weight` against none at all.
double blended_angle(double angle, double weight) {
  return 2.0 * std::atan2(weight * std::sin(angle / 2.0), 1.0 - weight + weight * std::cos(angle / 2.0));
}

TEST(DualQuaternions, KeepTheRadiusOfATwistedLimbThatLinearBlendingCollapses) {
  const Model model = bound_model(2, {{{1, 2, 0}, {0.5f, 0.5f}}, {{1, 2, 0}, {0.75f, 0.25f}}});
  for (const double angle : {0.5, kPi / 2.0, 2.5, kPi - 1e-3}) {
    const std::vector<glm::dmat4> palette = {glm::dmat4(1.0), turn_about({0, 1, 0}, angle, {0, 1, 0})};
    const auto out = skinned(model, palette);
    const double weights[] = {0.5, 0.25};
    for (std::size_t v = 0; v < 2; ++v) {
      const double turned = blended_angle(angle, weights[v]);
      expect_near(out.positions[v], {std::cos(turned), 2.0, -std::sin(turned)});
    }
    const glm::dvec3 linear = skinned(model, palette, SkinMethod::linear).positions[0];
    EXPECT_NEAR(std::hypot(linear.x, linear.z), std::cos(angle / 2.0), 1e-12) << "which is the fault being cured";
  }
}

// Two turns about one axis through one point blend into a turn about that axis through that point.
TEST(DualQuaternions, BendAboutThePivotWhereverItIs) {
  const glm::dvec3 pivot(3, 7, -2);
  const glm::dvec3 axis = glm::normalize(glm::dvec3(1, 2, -0.5));
  const Model model = bound_model(2, {{{4, 7, 1}, {0.625f, 0.375f}}});
  const std::vector<glm::dmat4> palette = {turn_about(pivot, 0.4, axis), turn_about(pivot, 1.9, axis)};
  const auto out = skinned(model, palette);
  const glm::dmat4 expected = turn_about(pivot, 0.4 + blended_angle(1.5, 0.375), axis);
  expect_near(out.positions[0], expected * glm::dvec4(4, 7, 1, 1));
  expect_near(out.normals[0], glm::dmat3(expected) * glm::dvec3(model.meshes()[0].normals[0]), 1e-7);
}

TEST(DualQuaternions, OfRotationsWrittenWithOppositeSignsTakeTheShortWay) {
  const double first = 2.0 * std::acos(-0.6);
  const double second = 2.0 * std::acos(0.9);
  const std::vector<glm::dmat4> palette = {turn_about({0, 0, 0}, first, {1, 0, 0}),
                                           turn_about({0, 0, 0}, second, {1, 0, 0})};
  ASSERT_LT(glm::dot(to_dual_quaternion(palette[0]).real, to_dual_quaternion(palette[1]).real), 0.0)
      << "or this shows nothing";
  const Model model = bound_model(2, {{{0, 1, 0}, {0.5f, 0.5f}}});
  const double half_way = (first - 2.0 * kPi + second) / 2.0;
  expect_near(skinned(model, palette).positions[0], {0, std::cos(half_way), std::sin(half_way)});
}

glm::dmat4 random_matrix(std::mt19937& dice, const glm::dvec3& scale) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const glm::dquat turn = glm::normalize(glm::dquat(any(dice), any(dice), any(dice), any(dice)));
  return to_matrix({{any(dice), any(dice), any(dice)}, turn, scale});
}

TEST(DualQuaternions, OfOneBoneAreThatBoneMirroredAndScaledAsItMayBe) {
  std::mt19937 dice(7);
  const Model model = bound_model(1, {{{0.3f, -1.2f, 2.0f}, {1.0f}}, {{-1.0f, 0.2f, 0.5f}, {1.0f}}});
  for (const glm::dvec3& scale : {glm::dvec3(1), glm::dvec3(2.5), glm::dvec3(0.01), glm::dvec3(-1, 1, 1),
                                  glm::dvec3(1, -2, 1), glm::dvec3(-1), glm::dvec3(0.5, 2, 3), glm::dvec3(-1, -2, 3)}) {
    for (int i = 0; i < 20; ++i) {
      const std::vector<glm::dmat4> palette = {random_matrix(dice, scale)};
      const auto linear = skinned(model, palette, SkinMethod::linear);
      const auto dual = skinned(model, palette);
      for (std::size_t v = 0; v < 2; ++v) {
        expect_near(dual.positions[v], linear.positions[v]);
        expect_near(dual.normals[v], linear.normals[v]);
      }
    }
  }
}

TEST(DualQuaternions, OfBonesThatMoveAsOneAreThatMovement) {
  std::mt19937 dice(3);
  const Model model = bound_model(3, {{{0.3f, -1.2f, 2.0f}, {0.25f, 0.5f, 0.25f}}});
  const std::vector<glm::dmat4> palette(3, random_matrix(dice, glm::dvec3(1.5)));
  expect_near(skinned(model, palette).positions[0], skinned(model, palette, SkinMethod::linear).positions[0]);
}

TEST(DualQuaternions, BlendScalesBeforeTheyTurn) {
  const Model model = bound_model(2, {{{1, 2, 3}, {0.75f, 0.25f}}});
  const std::vector<glm::dmat4> palette = {to_matrix({{0, 0, 0}, glm::dquat(1, 0, 0, 0), {1, 1, 1}}),
                                           to_matrix({{0, 4, 0}, glm::dquat(1, 0, 0, 0), {3, 1, 5}})};
  expect_near(skinned(model, palette).positions[0], {1.5, 3, 6});
}

TEST(DualQuaternions, OfAShearedBoneDropTheShear) {
  glm::dmat4 sheared(1.0);
  sheared[1] = glm::dvec4(1, 1, 0, 0);
  const DualQuaternion move = to_dual_quaternion(sheared);
  expect_near(move.scale, {1, std::sqrt(2.0), 1});
  EXPECT_NEAR(std::abs(move.real.w), 1.0, 1e-12) << "x stays where it is, y is made upright";
}

TEST(DualQuaternions, OfBonesScaledToNothingAreDefined) {
  const Model model = bound_model(2, {{{1, 2, 3}, {1.0f}}, {{1, 2, 3}, {0.5f, 0.5f}}});
  for (const glm::dvec3& scale : {glm::dvec3(0, 1, 1), glm::dvec3(1, 0, 1), glm::dvec3(1, 1, 0), glm::dvec3(0, 0, 1),
                                  glm::dvec3(0, 1, 0), glm::dvec3(1, 0, 0), glm::dvec3(0)}) {
    std::mt19937 dice(11);
    const std::vector<glm::dmat4> palette = {random_matrix(dice, scale), glm::dmat4(1.0)};
    const auto out = skinned(model, palette);
    expect_near(out.positions[0], palette[0] * glm::dvec4(1, 2, 3, 1));
    for (std::size_t v = 0; v < 2; ++v) {
      EXPECT_TRUE(std::isfinite(glm::dot(out.positions[v], out.positions[v])));
      EXPECT_NEAR(glm::length(out.normals[v]), 1.0, 1e-12);
    }
  }
}

TEST(SkinMesh, FollowsAllEightInfluencesInBothMethods) {
  std::mt19937 dice(5);
  const std::vector<float> weights = {0.0625f, 0.25f, 0.125f, 0.1875f, 0.0625f, 0.1875f, 0.0625f, 0.0625f};
  const Model model = bound_model(8, {{{1, 2, 3}, weights}});
  std::vector<glm::dmat4> palette;
  for (int i = 0; i < 8; ++i) palette.push_back(random_matrix(dice, glm::dvec3(1.0)));
  glm::dvec3 expected(0.0);
  for (std::size_t i = 0; i < 8; ++i) {
    expected += static_cast<double>(weights[i]) * glm::dvec3(palette[i] * glm::dvec4(1, 2, 3, 1));
  }
  expect_near(skinned(model, palette, SkinMethod::linear).positions[0], expected);

  std::vector<glm::dmat4> turns;
  glm::dquat sum(0, 0, 0, 0);
  for (std::size_t i = 0; i < 8; ++i) {
    const glm::dquat turn = glm::angleAxis(0.2 * static_cast<double>(i), glm::normalize(glm::dvec3(1, i, 2)));
    turns.push_back(glm::mat4_cast(turn));
    sum += turn * static_cast<double>(weights[i]);
  }
  expect_near(skinned(model, turns).positions[0], glm::normalize(sum) * glm::dvec3(1, 2, 3));
}

}  // namespace
}  // namespace throng
