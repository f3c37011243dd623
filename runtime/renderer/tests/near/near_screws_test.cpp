// SPDX-License-Identifier: Apache-2.0
// Boxes around what dual quaternions make of vertices, found four at a time in floats, against blends in double.
#include "near/near_screws.h"

#include <gtest/gtest.h>

#include "dice.h"
#include "throng/math/dual_quaternion.h"

namespace throng {
namespace {

using namespace detail::renderer;

// What the bones of a skeleton are made of.
enum class Bones { rigid, scaled, uneven, mirrored, flat, turned_over };

struct Screws {
  std::vector<Affine> bones;
  std::vector<std::uint32_t> bound_bones;
  std::vector<MotionBinding> bindings;
  std::vector<ScrewBox> boxes;
  std::vector<float> weights{0.7f, -0.4f, 0.0f};
  std::vector<DualQuaternion> palette;

  Screws(std::uint32_t count, Bones kind) {
    test::Dice dice(count);
    const auto vector = [&] { return dice.between(0.1, 1.0) * dice.direction(); };
    for (std::uint32_t i = 0; i < count; ++i) {
      const double turn = kind == Bones::turned_over ? (i % 2) * 3.14159265358979 : dice.between(-1.5, 1.5);
      glm::dmat4 matrix = glm::mat4_cast(glm::angleAxis(turn, dice.direction()));
      glm::dvec3 scale(1.0);
      if (kind == Bones::scaled) scale = glm::dvec3(dice.between(0.01, 3.0));
      if (kind == Bones::uneven) scale = {dice.between(0.3, 2.0), dice.between(0.3, 2.0), dice.between(0.3, 2.0)};
      if (kind == Bones::mirrored) scale[static_cast<glm::length_t>(i % 3)] = -1.0;
      if (kind == Bones::flat) scale[static_cast<glm::length_t>(i % 3)] = i % 2 == 0 ? 0.0 : 1e-4;
      for (glm::length_t axis = 0; axis < 3; ++axis) matrix[axis] *= scale[axis];
      matrix[3] = glm::dvec4(2.0 * vector(), 1.0);
      bones.push_back(to_affine(glm::mat4(matrix)));
      bound_bones.push_back(count - 1 - i);
      glm::dmat4 bone_from_mesh = glm::mat4_cast(glm::angleAxis(dice.between(-3.0, 3.0), dice.direction()));
      bone_from_mesh[3] = glm::dvec4(vector(), 1.0);
      bindings.push_back({.bone_from_mesh = bone_from_mesh, .bone = i});
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      ScrewBox box{.binding = i, .others = {}, .least_weight = 0.4f, .box = {}, .reaches = {}};
      for (std::uint32_t other = 0; other < i % 7 && other + 1 < count; ++other)
        box.others.push_back((i + other + 1) % count);
      box.box.add(glm::vec3(vector()));
      box.box.add(glm::vec3(vector()));
      for (std::uint32_t target = 0; target < i % 4; ++target) {
        MorphReach reach{.target = target, .offsets = {}};
        reach.offsets.add(glm::vec3(0.0f));
        reach.offsets.add(glm::vec3(0.5 * vector()));
        box.reaches.push_back(reach);
      }
      boxes.push_back(box);
      palette.push_back(to_dual_quaternion(glm::dmat4(to_matrix(bones[bound_bones[i]])) * bindings[i].bone_from_mesh));
    }
  }

  FloatBox found() const { return ScrewBoxes(boxes, bindings).moved({bones, bound_bones, weights}); }

  // With what targets add to it.
  static Bounds grown(const ScrewBox& box, const std::vector<float>& weights) {
    Bounds grown{glm::dvec3(box.box.min), glm::dvec3(box.box.max)};
    for (const MorphReach& reach : box.reaches) {
      const auto weight = static_cast<double>(weights[reach.target]);
      grown.min += glm::min(weight * glm::dvec3(reach.offsets.min), weight * glm::dvec3(reach.offsets.max));
      grown.max += glm::max(weight * glm::dvec3(reach.offsets.min), weight * glm::dvec3(reach.offsets.max));
    }
    return grown;
  }

  static glm::dvec3 moved(const DualQuaternion& by, const glm::dvec3& scaled) {
    const glm::dquat shift = by.dual * glm::conjugate(by.real);
    return by.real * scaled + 2.0 * glm::dvec3(shift.x, shift.y, shift.z);
  }

  // Where a point of a box comes to rest that its bones share by these weights, the strongest first.
  glm::dvec3 blended(const ScrewBox& box, const std::vector<double>& shares, const glm::dvec3& point) const {
    const DualQuaternion& strongest = palette[box.binding];
    DualQuaternion sum{.real = strongest.real * shares[0], .dual = strongest.dual * shares[0]};
    sum.scale = shares[0] * strongest.scale;
    for (std::size_t i = 0; i < box.others.size(); ++i) {
      const DualQuaternion& other = palette[box.others[i]];
      const double share = glm::dot(strongest.real, other.real) < 0.0 ? -shares[i + 1] : shares[i + 1];
      sum.real += other.real * share;
      sum.dual += other.dual * share;
      sum.scale += shares[i + 1] * other.scale;
    }
    const double length = glm::length(sum.real);
    sum.real /= length;
    sum.dual /= length;
    return moved(sum, sum.scale * point);
  }

  // By the same rule in double: what near_mesh.h promises of a box.
  Bounds exact() const {
    Bounds all;
    for (const ScrewBox& box : boxes) {
      const Bounds grown = Screws::grown(box, weights);
      const glm::dvec3 middle = grown.centre();
      const DualQuaternion& own = palette[box.binding];
      const glm::dvec3 centre = moved(own, own.scale * middle);
      const auto most = [](const glm::dvec3& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); };
      double reach = 0.0, cosine = 1.0, scale = most(own.scale), apart = 0.0;
      for (const std::uint32_t binding : box.others) {
        const DualQuaternion& other = palette[binding];
        reach = std::max(reach, glm::distance(centre, moved(other, own.scale * middle)));
        cosine = std::min(cosine, std::abs(glm::dot(own.real, other.real)));
        scale = std::max(scale, most(other.scale));
        apart = std::max(apart, most(other.scale - own.scale));
      }
      const auto weight = static_cast<double>(box.least_weight);
      const double length = weight + (1.0 - weight) * cosine;
      const double radius = reach + 0.5 * scale * glm::length(grown.size()) + apart * glm::length(middle);
      all.add(centre - radius / (length * length));
      all.add(centre + radius / (length * length));
    }
    return all;
  }
};

class NearScrews : public ::testing::TestWithParam<Bones> {};

TEST_P(NearScrews, AreHeldHoweverTheirBonesShareThem) {
  for (std::uint32_t count = 1; count <= 23; ++count) {
    const Screws screws(count, GetParam());
    const FloatBox found = screws.found();
    test::Dice dice(100 + count);
    for (const ScrewBox& box : screws.boxes) {
      const Bounds grown = Screws::grown(box, screws.weights);
      for (int i = 0; i < 40; ++i) {
        glm::dvec3 point;
        for (glm::length_t axis = 0; axis < 3; ++axis)
          point[axis] = glm::mix(grown.min[axis], grown.max[axis], std::round(dice.between(0.0, 1.0)));
        // All of what is not the strongest's to one other, or to all of them.
        std::vector<double> shares(1 + box.others.size(), 0.0);
        shares[0] = box.others.empty() ? 1.0 : i % 2 == 0 ? 0.4 : dice.between(0.4, 1.0);
        for (std::size_t other = 0; other < box.others.size(); ++other)
          shares[other + 1] = i % 3 == 0 ? (1.0 - shares[0]) / static_cast<double>(box.others.size()) : 0.0;
        if (i % 3 != 0 && !box.others.empty())
          shares[1 + static_cast<std::size_t>(i) % box.others.size()] = 1.0 - shares[0];
        const glm::dvec3 at = screws.blended(box, shares, point);
        for (glm::length_t axis = 0; axis < 3; ++axis) {
          ASSERT_LE(static_cast<double>(found.min[axis]), at[axis]) << count;
          ASSERT_GE(static_cast<double>(found.max[axis]), at[axis]) << count;
        }
      }
    }
  }
}

TEST_P(NearScrews, HaveTheBoxOfTheRuleInDoubleAndLittleMore) {
  for (std::uint32_t count = 1; count <= 23; ++count) {
    const Screws screws(count, GetParam());
    const FloatBox found = screws.found();
    const Bounds exact = screws.exact();
    // A turn near half of one swings vertices so far that what floats leave of it shows.
    const double little = 4e-3 * exact.diagonal();
    for (glm::length_t axis = 0; axis < 3; ++axis) {
      EXPECT_LE(static_cast<double>(found.min[axis]), exact.min[axis]) << count;
      EXPECT_GE(static_cast<double>(found.max[axis]), exact.max[axis]) << count;
      EXPECT_NEAR(static_cast<double>(found.min[axis]), exact.min[axis], little) << count;
      EXPECT_NEAR(static_cast<double>(found.max[axis]), exact.max[axis], little) << count;
    }
  }
  EXPECT_TRUE(ScrewBoxes().moved(BoxMoves{}).empty());
}

INSTANTIATE_TEST_SUITE_P(OfBones, NearScrews,
                         ::testing::Values(Bones::rigid, Bones::scaled, Bones::uneven, Bones::mirrored, Bones::flat,
                                           Bones::turned_over));

}  // namespace
}  // namespace throng
