// SPDX-License-Identifier: Apache-2.0
#include "throng/pose/pose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace throng {
namespace {

constexpr double kHalfPi = std::numbers::pi / 2.0;

// A chain of two bones of length 1 along +Y; a vertex at each joint and at the tip.
ModelDraft chain() {
  ModelDraft draft;
  draft.bones = {{"lower", std::nullopt, {}},
                 {"upper", 0u, {glm::dvec3(0, 1, 0), glm::dquat(1, 0, 0, 0), glm::dvec3(1)}}};
  glm::dmat4 upper_from_mesh(1.0);
  upper_from_mesh[3] = glm::dvec4(0, -1, 0, 1);
  draft.bindings = {{0, glm::dmat4(1.0)}, {1, upper_from_mesh}};
  draft.materials = {{}};
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}};
  mesh.normals.assign(3, {1, 0, 0});
  mesh.influences = {{{0, 0, 0, 0}, {1, 0, 0, 0}}, {{0, 1, 0, 0}, {0.5f, 0.5f, 0, 0}}, {{1, 0, 0, 0}, {1, 0, 0, 0}}};
  draft.meshes = {mesh};
  return draft;
}

Curve<glm::quat> turn_about_z(double radians) {
  return {Interpolation::linear,
          {0.0f, 1.0f},
          {glm::quat(1, 0, 0, 0), glm::quat(glm::angleAxis(radians, glm::dvec3(0, 0, 1)))}};
}

void expect_near(const glm::dvec3& a, const glm::dvec3& b, double tolerance = 1e-6) {
  EXPECT_LT(glm::distance(a, b), tolerance) << a.x << ' ' << a.y << ' ' << a.z;
}

TEST(Pose, BendsAChainAsGeometrySaysItShould) {
  ModelDraft draft = chain();
  Clip clip;
  clip.end = 1.0;
  clip.bones = {{1, {}, turn_about_z(kHalfPi), {}}};
  draft.clips = {clip};
  const Model model = build_model(draft).value();
  const Pose pose = sample(model, model.clips()[0], 1.0);
  const auto vertices = skin_mesh(model, 0, pose, skinning_palette(model, pose));
  expect_near(vertices.positions[0], {0, 0, 0});
  expect_near(vertices.positions[1], {0, 1, 0});
  expect_near(vertices.positions[2], {-1, 1, 0});
  expect_near(vertices.normals[2], {0, 1, 0});
  const Pose half = sample(model, model.clips()[0], 0.5);
  const double h = std::sqrt(0.5);
  expect_near(skin_mesh(model, 0, half, skinning_palette(model, half)).positions[2], {-h, 1 + h, 0});
}

TEST(Pose, StaysAtRestWhereTheClipSaysNothing) {
  ModelDraft draft = chain();
  draft.bones[1].rest.scale = glm::dvec3(2.0);
  Clip clip;
  clip.end = 1.0;
  clip.bones = {{1, {}, turn_about_z(1.0), {}}};
  draft.clips = {clip};
  const Model model = build_model(draft).value();
  const Pose pose = sample(model, model.clips()[0], 0.7);
  expect_near(pose.bones[1].translation, {0, 1, 0});
  expect_near(pose.bones[1].scale, {2, 2, 2});
}

TEST(Pose, ClampsToTheClipsOwnTime) {
  ModelDraft draft = chain();
  Clip clip;
  clip.start = 0.5;
  clip.end = 1.0;
  clip.bones = {{1, {Interpolation::linear, {0.5f, 1.0f}, {{0, 1, 0}, {0, 3, 0}}}, {}, {}}};
  draft.clips = {clip};
  const Model model = build_model(draft).value();
  EXPECT_EQ(sample(model, model.clips()[0], 0.0).bones[1].translation.y, 1.0);
  EXPECT_EQ(sample(model, model.clips()[0], 9.0).bones[1].translation.y, 3.0);
}

TEST(SampleCurve, StepsAndInterpolates) {
  Curve<glm::vec3> curve{Interpolation::step, {0.0f, 1.0f, 3.0f}, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
  EXPECT_EQ(sample_curve(curve, 0.99).x, 0.0);
  EXPECT_EQ(sample_curve(curve, 1.0).x, 1.0);
  EXPECT_EQ(sample_curve(curve, 5.0).x, 2.0);
  curve.interpolation = Interpolation::linear;
  EXPECT_DOUBLE_EQ(sample_curve(curve, 2.0).x, 1.5);
  EXPECT_EQ(sample_curve(curve, -1.0).x, 0.0);
}

// f(t) = t³ − 2t is a cubic: its Hermite form with exact tangents reproduces it everywhere, over uneven keys.
TEST(SampleCurve, ReproducesACubicFromItsTangents) {
  const auto f = [](double t) { return t * t * t - 2.0 * t; };
  const auto slope = [](double t) { return 3.0 * t * t - 2.0; };
  Curve<glm::vec3> curve{Interpolation::cubic_spline, {0.0f, 0.5f, 2.0f}, {}};
  for (const float t : curve.times) {
    const auto tangent = glm::vec3(static_cast<float>(slope(t)));
    curve.values.insert(curve.values.end(), {tangent, glm::vec3(static_cast<float>(f(t))), tangent});
  }
  for (double t = 0.0; t <= 2.0; t += 0.01) EXPECT_NEAR(sample_curve(curve, t).y, f(t), 1e-6);
}

TEST(SampleCurve, TakesTheShortArcWhateverTheSigns) {
  const glm::quat to(glm::angleAxis(1.0, glm::dvec3(0, 0, 1)));
  for (const float sign : {1.0f, -1.0f}) {
    const Curve<glm::quat> curve{Interpolation::linear, {0.0f, 1.0f}, {glm::quat(1, 0, 0, 0), to * sign}};
    const glm::dquat q = sample_curve(curve, 0.25);
    EXPECT_NEAR(std::abs(glm::dot(q, glm::angleAxis(0.25, glm::dvec3(0, 0, 1)))), 1.0, 1e-7);
  }
}

TEST(SampleCurve, TurnsAtAnEvenPaceBetweenRotations) {
  const Curve<glm::quat> curve = turn_about_z(3.0);
  for (double t = 0.0; t <= 1.0; t += 0.125) {
    EXPECT_NEAR(std::abs(glm::dot(sample_curve(curve, t), glm::angleAxis(3.0 * t, glm::dvec3(0, 0, 1)))), 1.0, 1e-7);
  }
}

// F6: a plane sheared by non-uniform scale keeps its normal at right angles.
TEST(SkinMesh, KeepsNormalsAtRightAnglesUnderNonUniformScale) {
  ModelDraft draft = chain();
  draft.bones[0].rest.scale = glm::dvec3(3.0, 1.0, 1.0);
  const float h = std::sqrt(0.5f);
  Mesh& mesh = draft.meshes[0];
  mesh.positions = {{0, 0, 0}, {1, -1, 0}, {0, 0, 1}};
  mesh.normals.assign(3, {h, h, 0});
  mesh.influences.assign(3, bound_to(0));
  const Model model = build_model(draft).value();
  const Pose pose = rest_pose(model);
  const auto v = skin_mesh(model, 0, pose, skinning_palette(model, pose));
  EXPECT_NEAR(glm::dot(v.normals[0], v.positions[1] - v.positions[0]), 0.0, 1e-6);
  EXPECT_NEAR(glm::length(v.normals[0]), 1.0, 1e-12);
}

TEST(SkinMesh, MirrorsNormalsWithTheMesh) {
  ModelDraft draft = chain();
  draft.bones[0].rest.scale = glm::dvec3(-1.0, 1.0, 1.0);
  const Model model = build_model(draft).value();
  const Pose pose = rest_pose(model);
  expect_near(skin_mesh(model, 0, pose, skinning_palette(model, pose)).normals[0], {-1, 0, 0});
}

TEST(SkinMesh, AddsMorphTargetsBeforeSkinning) {
  ModelDraft draft = chain();
  draft.meshes[0].morph_targets = {{"out", {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, {}}};
  draft.meshes[0].morph_weights = {0.0f};
  Clip clip;
  clip.end = 1.0;
  clip.bones = {{1, {}, turn_about_z(kHalfPi), {}}};
  clip.morphs = {{0, {Interpolation::linear, {0.0f, 1.0f}, {0.0f, 0.5f}}}};
  draft.clips = {clip};
  const Model model = build_model(draft).value();
  const Pose pose = sample(model, model.clips()[0], 1.0);
  expect_near(skin_mesh(model, 0, pose, skinning_palette(model, pose)).positions[2], {-1, 1.5, 0});
}

TEST(PoseBounds, HoldEveryVertexAndNothingElse) {
  const Model model = build_model(chain()).value();
  const Bounds bounds = pose_bounds(model, rest_pose(model));
  expect_near(bounds.min, {0, 0, 0});
  expect_near(bounds.max, {0, 2, 0});
  EXPECT_TRUE(Bounds{}.empty());
  EXPECT_EQ(Bounds{}.diagonal(), 0.0);
}

}  // namespace
}  // namespace throng
