// SPDX-License-Identifier: Apache-2.0
// Boxes moved four at a time, against the corners of each moved one by one in double.
#include "near/near_bounds.h"

#include <gtest/gtest.h>

#include <glm/gtc/quaternion.hpp>
#include <random>

namespace throng {
namespace {

using namespace detail::renderer;

struct Skeleton {
  std::vector<Affine> bones;
  std::vector<std::uint32_t> bound_bones;
  std::vector<BoneBox> boxes;
  std::vector<float> weights{0.7f, -0.4f, 0.0f};

  explicit Skeleton(std::uint32_t count) {
    std::mt19937 random(count);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    const auto vector = [&] { return glm::vec3(any(random), any(random), any(random)); };
    for (std::uint32_t i = 0; i < count; ++i) {
      glm::mat4 matrix = glm::mat4_cast(glm::angleAxis(3.0f * any(random), glm::normalize(vector())));
      matrix[3] = glm::vec4(2.0f * vector(), 1.0f);
      bones.push_back(to_affine(matrix));
      bound_bones.push_back(count - 1 - i);
      BoneBox box{.binding = i, .box = {}, .largest = 1.0f, .reaches = {}};
      box.box.add(vector());
      box.box.add(vector());
      for (std::uint32_t target = 0; target < i % 4; ++target) {
        MorphReach reach{.target = target, .offsets = {}};
        reach.offsets.add(0.5f * vector());
        reach.offsets.add(0.5f * vector());
        box.reaches.push_back(reach);
      }
      boxes.push_back(box);
    }
  }

  BoxMoves moves() const { return {bones, bound_bones, weights}; }

  // The box around the corners of all boxes, with what targets add to each.
  Bounds exact() const {
    Bounds all;
    for (const BoneBox& box : boxes) {
      glm::dvec3 low(box.box.min), high(box.box.max);
      for (const MorphReach& reach : box.reaches) {
        const auto weight = static_cast<double>(weights[reach.target]);
        low += glm::min(weight * glm::dvec3(reach.offsets.min), weight * glm::dvec3(reach.offsets.max));
        high += glm::max(weight * glm::dvec3(reach.offsets.min), weight * glm::dvec3(reach.offsets.max));
      }
      const glm::dmat4 matrix(to_matrix(bones[bound_bones[box.binding]]));
      for (int corner = 0; corner < 8; ++corner) {
        const glm::dvec4 point((corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y,
                               (corner & 4) != 0 ? high.z : low.z, 1.0);
        all.add(glm::dvec3(matrix * point));
      }
    }
    return all;
  }
};

TEST(NearBounds, HoldWhatBonesMakeOfTheirBoxesAndLittleMore) {
  for (std::uint32_t count = 1; count <= 23; ++count) {
    const Skeleton skeleton(count);
    const FloatBox found = LinearBoxes(skeleton.boxes).moved(skeleton.moves());
    const Bounds exact = skeleton.exact();
    for (glm::length_t axis = 0; axis < 3; ++axis) {
      EXPECT_LE(static_cast<double>(found.min[axis]), exact.min[axis]) << count;
      EXPECT_GE(static_cast<double>(found.max[axis]), exact.max[axis]) << count;
      EXPECT_NEAR(static_cast<double>(found.min[axis]), exact.min[axis], 5e-4) << count;
      EXPECT_NEAR(static_cast<double>(found.max[axis]), exact.max[axis], 5e-4) << count;
    }
  }
  EXPECT_TRUE(LinearBoxes().moved(BoxMoves{}).empty());
}

TEST(NearBounds, TellOneScaleFromSeveral) {
  for (std::uint32_t count = 1; count <= 9; ++count) {
    Skeleton skeleton(count);
    std::vector<std::uint32_t> bindings(count);
    for (std::uint32_t i = 0; i < count; ++i) bindings[i] = i;
    const std::vector<float> own(count, 4.0f);
    const auto scales = [&] { return scales_of(bindings, skeleton.moves(), own); };
    EXPECT_NEAR(scales().least, 4.0f, 1e-4f);
    EXPECT_NEAR(scales().most, 4.0f, 1e-4f);
    for (std::uint32_t bone = 0; bone < count; ++bone) {
      const Affine kept = skeleton.bones[bone];
      glm::mat4 twice = to_matrix(kept);
      for (glm::length_t column = 0; column < 3; ++column) twice[column] *= 2.0f;
      skeleton.bones[bone] = to_affine(twice);
      EXPECT_NEAR(scales().most, 16.0f, 1e-3f) << bone;
      EXPECT_NEAR(even_scale(skeleton.bones[bone]), 4.0f, 1e-4f);
      twice[1] *= 1.001f;
      skeleton.bones[bone] = to_affine(twice);
      EXPECT_TRUE(std::isinf(scales().most)) << bone;
      twice = to_matrix(kept);
      twice[2] += 0.001f * twice[0];
      skeleton.bones[bone] = to_affine(twice);
      EXPECT_TRUE(std::isinf(scales().most)) << "sheared " << bone;
      skeleton.bones[bone] = Affine{{glm::vec4(0.0f), glm::vec4(0.0f), glm::vec4(0.0f)}};
      EXPECT_EQ(scales().least, 0.0f);
      skeleton.bones[bone] = kept;
    }
  }
}

TEST(NearBounds, FindANumberThatIsNotFiniteWhereverItIs) {
  std::vector<Affine> matrices(5);
  EXPECT_TRUE(all_finite(matrices));
  for (Affine& matrix : matrices) {
    for (glm::vec4& row : matrix.rows) {
      for (glm::length_t i = 0; i < 4; ++i) {
        const float kept = row[i];
        for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
          row[i] = bad;
          EXPECT_FALSE(all_finite(matrices));
        }
        row[i] = std::numeric_limits<float>::max();
        EXPECT_TRUE(all_finite(matrices));
        row[i] = kept;
      }
    }
  }
}

}  // namespace
}  // namespace throng
