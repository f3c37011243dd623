// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <glm/gtc/quaternion.hpp>

#include "throng/math/simd/double4.h"
#include "throng/math/simd/float4.h"
#include "throng/math/simd/float8.h"

namespace throng::simd {
namespace {

TEST(Float4, ComputesEveryLaneAlone) {
  const Float4 a{1.0f, -2.0f, 3.5f, -0.0f}, b{4.0f, -5.0f, 3.0f, 1.0f};
  const Float4 low = least(a, b), high = greatest(a, b), size = absolute(a), half = mixed(a, b, splat(0.5f));
  const Int4 whole = to_integers(a);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(low[i], std::min(a[i], b[i]));
    EXPECT_EQ(high[i], std::max(a[i], b[i]));
    EXPECT_EQ(size[i], std::abs(a[i]));
    EXPECT_EQ(half[i], a[i] + (b[i] - a[i]) * 0.5f);
    EXPECT_EQ(whole[i], static_cast<int>(a[i]));
    EXPECT_EQ(to_floats(whole)[i], static_cast<float>(static_cast<int>(a[i])));
  }
  EXPECT_EQ(three(four({1.0f, 2.0f, 3.0f}, 4.0f)), glm::vec3(1.0f, 2.0f, 3.0f));
}

TEST(Float4, RootsAreThoseOfTheStandardLibrary) {
  const Float4 v{1e-20f, 0.3f, 2.0f, 1e20f};
  const Float4 root = square_root(v), inverse = inverse_square_root(v);
  const Double4 doubles = square_root(Double4{Double2{1e-20, 0.3}, Double2{2.0, 1e20}});
  EXPECT_EQ(doubles[0], std::sqrt(1e-20));
  EXPECT_EQ(doubles[1], std::sqrt(0.3));
  EXPECT_EQ(doubles[2], std::sqrt(2.0));
  EXPECT_EQ(doubles[3], std::sqrt(1e20));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(root[i], std::sqrt(v[i]));
    EXPECT_NEAR(inverse[i] * std::sqrt(v[i]), 1.0f, 5e-7f);
  }
}

TEST(Float4, AnyAsksEveryLane) {
  for (int i = 0; i < 4; ++i) {
    Float4 v = splat(1.0f);
    EXPECT_FALSE(any(v > 1.5f));
    v[i] = 2.0f;
    EXPECT_TRUE(any(v > 1.5f)) << i;
  }
}

TEST(Float4, TransposesRowsToColumns) {
  Float4 rows[4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}};
  const Vectors4 vectors = vectors_of(rows);
  transpose(rows[0], rows[1], rows[2], rows[3]);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) EXPECT_EQ(rows[r][c], static_cast<float>(4 * c + r));
    EXPECT_EQ(vectors.x[r], rows[0][r]);
    EXPECT_EQ(vectors.y[r], rows[1][r]);
    EXPECT_EQ(vectors.z[r], rows[2][r]);
  }
}

TEST(Quaternions4, MultiplyAsGlmDoes) {
  const glm::quat a = glm::normalize(glm::quat(0.3f, -0.2f, 0.8f, 0.1f)), b = glm::normalize(glm::quat(1, 2, 3, -4));
  const auto all = [](const glm::quat& q) { return Quaternions4{splat(q.x), splat(q.y), splat(q.z), splat(q.w)}; };
  const Quaternions4 product = all(a) * conjugate(all(b));
  const glm::quat expected = a * glm::conjugate(b);
  EXPECT_NEAR(product.x[2], expected.x, 1e-6f);
  EXPECT_NEAR(product.y[2], expected.y, 1e-6f);
  EXPECT_NEAR(product.z[2], expected.z, 1e-6f);
  EXPECT_NEAR(product.w[2], expected.w, 1e-6f);
  EXPECT_NEAR(dot(normalised(all(2.0f * b)), all(b))[1], 1.0f, 1e-6f);
}

TEST(UnitOr, ChoosesLaneByLane) {
  const Vectors4 v{{3.0f, 0.0f, 1e-12f, 0.0f}, {0.0f, 0.0f, 0.0f, -2.0f}, {4.0f, 0.0f, 0.0f, 0.0f}};
  const Vectors4 otherwise{splat(0.0f), splat(1.0f), splat(0.0f)};
  const Vectors4 unit = unit_or(v, otherwise);
  const glm::vec3 expected[4] = {{0.6f, 0.0f, 0.8f}, {0, 1, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int i = 0; i < 4; ++i)
    EXPECT_LT(glm::length(glm::vec3(unit.x[i], unit.y[i], unit.z[i]) - expected[i]), 1e-6f) << i;
  const Quaternions4 none{splat(0.0f), splat(0.0f), splat(0.0f), Float4{0.0f, 2.0f, 0.0f, 2.0f}};
  const Quaternions4 one{splat(1.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
  EXPECT_EQ(unit_or(none, one).x[0], 1.0f);
  EXPECT_EQ(unit_or(none, one).w[1], 1.0f);
  EXPECT_EQ(unit_or(none, one).x[1], 0.0f);
}

#if THRONG_HAS_WIDE
THRONG_WIDE void halves(const float* from, float* to) {
  const Float8 v = load8(from);
  store8(to, v + twice(high(v)) - twice(low(v)));
}

TEST(Float8, IsTwoHalvesOfFour) {
  if (!has_wide()) GTEST_SKIP() << "this processor has no AVX";
  const float from[8] = {1, 2, 3, 4, 50, 60, 70, 80};
  float to[8];
  halves(from, to);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(to[i], from[i] + from[4 + i % 4] - from[i % 4]);
}
#endif

TEST(Double4, ComputesEveryLaneAlone) {
  Double4 a;
  for (std::size_t i = 0; i < 4; ++i) a.set(i, 1.0 + static_cast<double>(i));
  const Double4 b = splat4(2.5), chosen = where_greater(a, b, splat4(1.0), splat4(-1.0));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((a * b - a / b)[i], a[i] * 2.5 - a[i] / 2.5);
    EXPECT_EQ(least(a, b)[i], std::min(a[i], 2.5));
    EXPECT_EQ(greatest(a, b)[i], std::max(a[i], 2.5));
    EXPECT_EQ(chosen[i], a[i] > 2.5 ? 1.0 : -1.0);
  }
  const Points4 x{splat4(1.0), splat4(0.0), splat4(0.0)}, y{splat4(0.0), splat4(1.0), splat4(0.0)};
  EXPECT_EQ(cross(x, y).z[3], 1.0);
  EXPECT_EQ(dot(x + y, x - y)[0], 0.0);
}

}  // namespace
}  // namespace throng::simd
