// SPDX-License-Identifier: Apache-2.0
// Nearest points of triangles and trees, and distances in eight poses at once, against plain sums in double.
#include <gtest/gtest.h>

#include <random>

#include "levels/pose_block.h"
#include "mesh/mesh_models.h"
#include "plans.h"
#include "vertices/vertex_models.h"

namespace throng {
using namespace detail::bake;
namespace {

constexpr std::size_t kTries = 4000;

class Chance {
 public:
  // Coarse steps, so that points lie on corners, sides and planes often.
  Float4 place() { return Float4{step(), step(), step(), 0.0f}; }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  // Anywhere, so that every triangle has an area.
  Float4 fine_place() { return place() + 0.1f * Float4{fine(), fine(), fine(), 0.0f}; }

 private:
  float step() { return static_cast<float>(below(9)) / 4.0f - 1.0f; }
  float fine() { return static_cast<float>(below(1000)) / 1000.0f; }

  std::mt19937 random_{7};
};

glm::dvec3 exact(Float4 v) { return glm::dvec3(three(v)); }

// On a side as a line has it.
double to_side(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b) {
  const double length = glm::dot(b - a, b - a);
  const double along = length > 0.0 ? glm::clamp(glm::dot(p - a, b - a) / length, 0.0, 1.0) : 0.0;
  return glm::distance(p, a + along * (b - a));
}

// From its sides, or its plane where the point lies over it.
double to_triangle(const glm::dvec3& p, const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c) {
  const double sides = std::min({to_side(p, a, b), to_side(p, b, c), to_side(p, c, a)});
  const glm::dvec3 across = glm::cross(b - a, c - a);
  if (glm::length(across) == 0.0) return sides;
  const auto inside = [&](const glm::dvec3& from, const glm::dvec3& to) {
    return glm::dot(glm::cross(to - from, p - from), across) >= 0.0;
  };
  if (!inside(a, b) || !inside(b, c) || !inside(c, a)) return sides;
  return std::abs(glm::dot(p - a, across)) / glm::length(across);
}

TEST(NearestOfTriangles, IsTheirSideCornerOrInside) {
  Chance chance;
  for (std::size_t i = 0; i < kTries; ++i) {
    std::array<std::array<Float4, 4>, 3> corners;
    std::array<Float4, 4> points;
    for (auto& of_four : corners)
      for (Float4& corner : of_four) corner = chance.place();
    for (Float4& point : points) point = chance.place();
    const NearestPoints4 found = nearest_of_triangles(
        {vectors_of(corners[0].data()), vectors_of(corners[1].data()), vectors_of(corners[2].data())},
        vectors_of(points.data()));
    for (std::size_t k = 0; k < 4; ++k) {
      const glm::dvec3 a = exact(corners[0][k]), b = exact(corners[1][k]), c = exact(corners[2][k]);
      const double off = std::sqrt(static_cast<double>(found.squared[k])),
                   least = to_triangle(exact(points[k]), a, b, c);
      EXPECT_GE(off, least - 1e-5);
      const bool has_area = glm::length(glm::cross(b - a, c - a)) > 0.0;
      EXPECT_LE(off, has_area ? least + 1e-5 : std::numeric_limits<double>::infinity());
      const double wb = static_cast<double>(found.b_weight[k]), wc = static_cast<double>(found.c_weight[k]);
      EXPECT_GE(std::min({wb, wc, 1.0 - wb - wc}), -1e-6);
      EXPECT_NEAR(glm::distance((1.0 - wb - wc) * a + wb * b + wc * c, exact(points[k])), off, 1e-5);
    }
  }
}

// From one triangle on, so that leaves of every size are met.
TEST(TriangleTree, FindsTheNearestOfAllItsTriangles) {
  Chance chance;
  for (std::uint32_t count = 1; count < 40; ++count) {
    std::vector<Float4> positions;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t v = 0; v < count + 2; ++v) positions.push_back(chance.fine_place());
    for (std::uint32_t t = 0; t < count; ++t) indices.insert(indices.end(), {t, t + 1, t + 2});
    std::shuffle(positions.begin(), positions.end(), std::mt19937(count));
    const TriangleTree tree(positions, indices);
    // Made in one pose and asked in another.
    for (Float4& position : positions) position = chance.fine_place();
    TriangleTree::Fitted pose;
    tree.fit(positions, pose);
    for (int i = 0; i < 50; ++i) {
      const Float4 point = chance.place();
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t t = 0; t < indices.size(); t += 3) {
        const auto corner = [&](std::size_t k) { return exact(positions[indices[t + k]]); };
        least = std::min(least, to_triangle(exact(point), corner(0), corner(1), corner(2)));
      }
      const NearestPoint found = tree.nearest(pose, point, std::numeric_limits<float>::infinity());
      EXPECT_NEAR(std::sqrt(static_cast<double>(found.squared)), least, 1e-5);
      const SurfacePoint on_it = tree.point_of(found);
      glm::dvec3 place(0.0);
      for (std::size_t k = 0; k < 3; ++k)
        place += static_cast<double>(on_it.weights[k]) * exact(positions[on_it.corners[k]]);
      EXPECT_NEAR(glm::distance(place, exact(point)), least, 1e-5);
    }
  }
}

// Five poses: the lanes behind them repeat the last one.
TEST(PoseBlock, FindsThePairsThatAreApartInAnyPose) {
  const Model model = built(swelling_bar());
  std::vector<std::string> notes;
  BakeSettings settings;
  settings.levels = 1;
  const BakedMesh mesh = rest_mesh_of(model, settings, notes);
  SerialExecutor executor;
  const LevelPoses poses(model, mesh, planned(model).plans, executor, 5);
  ASSERT_EQ(poses.count(), 5u);
  std::vector<SkinPose> skinned;
  for (std::size_t pose = 0; pose < poses.count(); ++pose) skinned.push_back(poses.skinned(pose));
  PoseBlock block;
  block.place(poses, skinned);
  Chance chance;
  std::vector<SurfacePoint> points(200), others(200);
  const auto any_point = [&](SurfacePoint& point) {
    const float a = 0.1f * static_cast<float>(chance.below(8)), b = 0.3f * static_cast<float>(chance.below(4));
    point.weights = {1.0f - a - b, a, b};
    for (std::uint32_t& corner : point.corners) corner = chance.below(static_cast<std::uint32_t>(mesh.vertices.size()));
  };
  std::ranges::for_each(points, any_point);
  std::ranges::for_each(others, any_point);
  const auto squared = [&](std::size_t pair, std::size_t pose) {
    const std::span<const Float4> at = block.positions(pose);
    EXPECT_TRUE(std::ranges::equal(at, poses.placed(pose), [](Float4 a, Float4 b) { return three(a) == three(b); }));
    glm::dvec3 apart(0.0);
    for (std::size_t k = 0; k < 3; ++k) {
      apart += static_cast<double>(points[pair].weights[k]) * exact(at[points[pair].corners[k]]);
      apart -= static_cast<double>(others[pair].weights[k]) * exact(at[others[pair].corners[k]]);
    }
    return glm::dot(apart, apart);
  };
  // In each pose with a limit of its own, the others none: what that one finds is what is asked.
  for (std::size_t asked = 0; asked < poses.count(); ++asked) {
    std::vector<double> sizes;
    for (std::size_t pair = 0; pair < points.size(); ++pair) sizes.push_back(squared(pair, asked));
    std::vector<double> sorted = sizes;
    std::ranges::sort(sorted);
    const double limit = 0.5 * (sorted[150] + sorted[151]);
    PoseBlock::Lanes limits, narrow{}, wide{};
    limits.fill(std::numeric_limits<float>::infinity());
    limits[asked] = static_cast<float>(limit);
    std::size_t found = 0;
    for (std::size_t i = 0;; ++i) {
      const std::size_t first = block.first_apart(points, others, i, points.size(), limits, narrow, false);
      EXPECT_EQ(block.first_apart(points, others, i, points.size(), limits, wide, has_wide()), first);
      EXPECT_EQ(narrow, wide);
      for (; i < first; ++i) EXPECT_LE(sizes[i], 1.00001 * limit) << i;
      if (first == points.size()) break;
      ++found;
      EXPECT_GE(sizes[i], 0.99999 * limit) << i;
      for (std::size_t lane = 0; lane < PoseBlock::kPoses; ++lane) {
        const double here = squared(i, std::min(lane, poses.count() - 1));
        EXPECT_NEAR(static_cast<double>(narrow[lane]), here, 1e-5 * (1.0 + here)) << lane;
      }
    }
    EXPECT_EQ(found, points.size() - 151);
  }
}

}  // namespace
}  // namespace throng
