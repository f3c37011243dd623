// SPDX-License-Identifier: Apache-2.0
// Distances between surfaces, both ways, where geometry tells what they are.
#include "levels/level_meter.h"

#include <gtest/gtest.h>

#include <optional>

#include "mesh/mesh_models.h"

namespace throng {
using namespace detail::bake;
namespace {

// Two squares in one plane, from 0 to 1 and from 3 to 4 along x.
class TwoSquares {
 public:
  TwoSquares() {
    Mesh mesh;
    for (const float x : {0.0f, 1.0f, 3.0f, 4.0f})
      for (const float y : {0.0f, 1.0f}) mesh.positions.emplace_back(x, y, 0.0f);
    mesh.influences.assign(mesh.positions.size(), bound_to(0));
    mesh.indices = {0, 2, 1, 1, 2, 3, 4, 6, 5, 5, 6, 7};
    model_ = built(still_draft({mesh}));
    std::vector<std::string> notes;
    baked_ = rest_mesh_of(*model_, {.levels = 1}, notes);
  }

  // Of triangles between vertices as they are numbered above, against both squares.
  double error_of(const Triangles& coarser) const {
    SerialExecutor executor;
    const LevelPoses poses(*model_, baked_, {}, executor);
    const LevelMeter meter(poses, {numbered({0, 2, 1, 1, 2, 3, 4, 6, 5, 5, 6, 7})}, 1, executor);
    return meter.errors({{0, numbered(coarser), 0.0}}, meter.closely()).at(0);
  }

 private:
  Triangles numbered(const Triangles& sources) const {
    Triangles out;
    for (const std::uint32_t source : sources) {
      const auto found = std::ranges::find(baked_.origins, source, &VertexOrigin::vertex);
      out.push_back(static_cast<std::uint32_t>(found - baked_.origins.begin()));
    }
    return out;
  }

  std::optional<Model> model_;
  BakedMesh baked_;
};

TEST(LevelMeter, CountsWhatTheCoarserSurfaceLacks) {
  EXPECT_NEAR(TwoSquares().error_of({0, 2, 1, 1, 2, 3}), 3.0, 1e-4) << "the far side of the other square";
}

// All of both squares is there, and what bridges the gap is a whole length from either half-way.
TEST(LevelMeter, CountsWhatTheCoarserSurfaceHasTooMuch) {
  EXPECT_NEAR(TwoSquares().error_of({0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5, 4, 6, 5, 5, 6, 7}), 1.0, 0.05);
}

TEST(LevelMeter, FindsNothingWhereTheyAreOne) {
  EXPECT_LT(TwoSquares().error_of({0, 2, 3, 0, 3, 1, 4, 6, 7, 4, 7, 5}), 1e-3) << "cut along the other diagonals";
}

}  // namespace
}  // namespace throng
