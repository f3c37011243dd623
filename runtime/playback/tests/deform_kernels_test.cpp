// SPDX-License-Identifier: Apache-2.0
// The loops over vertices, four floats and eight at a time, against the sums they stand for in double.
#include "deform/deform_kernels.h"

#include <gtest/gtest.h>

#include <glm/gtc/quaternion.hpp>
#include <random>

namespace throng {
namespace {

using namespace detail::playback::kernels;

constexpr std::size_t kVertices = 64;
constexpr std::size_t kColumns = 9;
// Coordinates are up to about 3; a direction is of unit length.
constexpr double kSamePlace = 2e-6;
constexpr double kSameDirection = 2e-6;

struct Scene {
  std::vector<RestVertex> vertices{kVertices};
  std::vector<float> tangents;
  std::vector<Column> columns{kColumns};
  std::uint32_t influences;
  bool even;

  Scene(std::uint32_t its_influences, bool is_even) : influences(its_influences), even(is_even) {
    std::mt19937 random(its_influences + 10 * (is_even ? 1 : 0));
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    const auto direction = [&] { return glm::normalize(glm::vec3(any(random), any(random), any(random))); };
    for (std::size_t i = 0; i < kColumns; ++i) {
      const glm::mat3 turn = glm::mat3_cast(glm::angleAxis(0.7f * any(random), direction()));
      const float scale = even ? 1.5f : 1.5f + any(random);
      for (glm::length_t c = 0; c < 3; ++c) {
        columns[i].points[static_cast<std::size_t>(c)] = {scale * turn[c].x, scale * turn[c].y, scale * turn[c].z, 0};
        columns[i].normals[static_cast<std::size_t>(c)] = {turn[c].x, turn[c].y, turn[c].z, 0};
      }
      columns[i].points[3] = {any(random), any(random), any(random), 0};
    }
    for (std::size_t v = 0; v < kVertices; ++v) {
      RestVertex& vertex = vertices[v];
      const glm::vec3 normal = direction(), tangent = direction();
      vertex.position = {any(random), any(random), any(random), 1.0f};
      vertex.normal = {normal.x, normal.y, normal.z, 0.0f};
      vertex.vertex = static_cast<std::uint32_t>(kVertices - 1 - v);  // in another order than they lie in
      tangents.insert(tangents.end(), {tangent.x, tangent.y, tangent.z, 0.0f});
      float sum = 0.0f;
      for (std::size_t i = 0; i < influences; ++i) {
        vertex.columns[i] = static_cast<std::uint16_t>((v + 2 * i) % kColumns);
        sum += vertex.weights[i] = influences == 1 ? 1.0f : 1.1f + any(random);
      }
      for (float& weight : vertex.weights) weight /= sum;
    }
  }
};

struct Moved {
  std::vector<glm::vec3> positions, normals;
  std::vector<glm::vec4> tangents;

  Moved(const Scene& scene, void (*kernel)(const Move&, std::uint32_t), float nothing = 1e-20f)
      : positions(kVertices), normals(kVertices), tangents(kVertices) {
    kernel({.vertices = scene.vertices,
            .tangents = scene.tangents.data(),
            .columns = scene.columns.data(),
            .even = scene.even,
            .nothing = nothing,
            .rotation = glm::mat3(0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f),
            .positions = positions.data(),
            .normals = normals.data(),
            .turned_tangents = tangents.data()},
           scene.influences);
  }
};

glm::dvec3 vector_of(const float* v) { return {v[0], v[1], v[2]}; }

glm::dvec3 turned(const std::array<std::array<float, 4>, 4>& columns, const float* v) {
  return vector_of(columns[0].data()) * static_cast<double>(v[0]) +
         vector_of(columns[1].data()) * static_cast<double>(v[1]) +
         vector_of(columns[2].data()) * static_cast<double>(v[2]);
}

void expect_right(const Scene& scene, const Moved& moved) {
  for (std::size_t v = 0; v < kVertices; ++v) {
    const RestVertex& vertex = scene.vertices[v];
    glm::dvec3 position(0.0), normal(0.0), tangent(0.0);
    for (std::size_t i = 0; i < scene.influences; ++i) {
      const Column& column = scene.columns[vertex.columns[i]];
      const auto weight = static_cast<double>(vertex.weights[i]);
      position += weight * (turned(column.points, vertex.position.data()) + vector_of(column.points[3].data()));
      normal += weight * turned(column.normals, vertex.normal.data());
      tangent += weight * turned(column.normals, &scene.tangents[4 * v]);
    }
    ASSERT_LT(glm::distance(glm::dvec3(moved.positions[vertex.vertex]), position), kSamePlace) << v;
    ASSERT_LT(glm::distance(glm::dvec3(moved.normals[vertex.vertex]), glm::normalize(normal)), kSameDirection) << v;
    ASSERT_LT(glm::distance(glm::dvec3(moved.tangents[vertex.vertex]), glm::normalize(tangent)), kSameDirection) << v;
  }
}

class DeformKernels : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && !has_wide()) GTEST_SKIP() << "this processor computes with four floats only";
  }
  void (*kernel_)(const Move&, std::uint32_t) = GetParam() ? move_wide : move_narrow;
};

TEST_P(DeformKernels, AreTheSumsInDouble) {
  for (const bool even : {true, false}) {
    for (std::uint32_t influences = 1; influences <= 4; ++influences) {
      SCOPED_TRACE(testing::Message() << influences << " influences, " << (even ? "even" : "uneven"));
      const Scene scene(influences, even);
      expect_right(scene, Moved(scene, kernel_));
    }
  }
}

// One vertex is turned half about by one bone and not by the other: nothing is left of its directions.
TEST_P(DeformKernels, TurnWithTheCharacterWhereNothingIsLeftOfADirection) {
  Scene scene(2, true);
  RestVertex& lost = scene.vertices[5];
  lost.weights = {0.5f, 0.5f, 0.0f, 0.0f};
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t row = 0; row < 3; ++row)
      scene.columns[lost.columns[1]].points[c][row] = -scene.columns[lost.columns[0]].points[c][row];
  scene.columns[lost.columns[1]].normals = scene.columns[lost.columns[1]].points;
  const Moved moved(scene, kernel_);
  // The rotation in Moved takes x to y, y to z and z to x.
  const glm::vec3 expected(lost.normal[2], lost.normal[0], lost.normal[1]);
  EXPECT_LT(glm::distance(moved.normals[lost.vertex], expected), 1e-6f);
  for (const RestVertex& vertex : scene.vertices)
    EXPECT_NEAR(glm::length(moved.normals[vertex.vertex]), 1.0f, 1e-6f) << "those beside it are as ever";
}

TEST_P(DeformKernels, WriteOnlyWhatIsWanted) {
  const Scene scene(3, true);
  std::vector<glm::vec3> normals(kVertices);
  kernel_({.vertices = scene.vertices,
           .tangents = nullptr,
           .columns = scene.columns.data(),
           .even = true,
           .nothing = 1e-20f,
           .rotation = glm::mat3(1.0f),
           .positions = nullptr,
           .normals = normals.data(),
           .turned_tangents = nullptr},
          3);
  EXPECT_EQ(normals, Moved(scene, kernel_).normals);
}

INSTANTIATE_TEST_SUITE_P(Width, DeformKernels, testing::Bool(),
                         [](const auto& width) { return width.param ? "wide" : "narrow"; });

}  // namespace
}  // namespace throng
