// SPDX-License-Identifier: Apache-2.0
// Coarser levels of meshes whose shape is known.
#include "mesh/levels.h"

#include "mesh/vertex_order.h"
#include "mesh_models.h"
#include "shared_models.h"

namespace throng {
using namespace detail::bake;
namespace {

BakedMesh rest_mesh(const ModelDraft& draft, std::uint32_t levels = 4) {
  std::vector<std::string> notes;
  BakeSettings settings;
  settings.levels = levels;
  return rest_mesh_of(built(draft), settings, notes);
}

TEST(Levels, EachHasAboutAThirdOfTheTrianglesOfTheOneBefore) {
  const BakedMesh mesh = rest_mesh(still_draft(two_coloured_sphere(64, 64)));
  const std::uint32_t full = triangle_count(mesh.draws);
  ASSERT_EQ(mesh.levels.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const double wanted = full * std::pow(0.35, static_cast<double>(i + 1));
    EXPECT_NEAR(triangle_count(mesh.levels[i].draws), wanted, 0.2 * wanted) << i;
  }
  EXPECT_EQ(rest_mesh(still_draft(two_coloured_sphere(64, 64)), 2).levels.size(), 1u);
  EXPECT_TRUE(rest_mesh(still_draft(two_coloured_sphere(64, 64)), 1).levels.empty());
}

TEST(Levels, FullMeshComesFirstAndLevelsFollowWithoutGaps) {
  const BakedMesh mesh = rest_mesh(still_draft(two_coloured_sphere(32, 32)));
  std::uint32_t next = 0;
  const auto follow = [&](const std::vector<BakedDraw>& draws) {
    for (const BakedDraw& draw : draws) {
      EXPECT_EQ(draw.first_index, next);
      next += draw.index_count;
    }
  };
  follow(mesh.draws);
  for (const BakedLevel& level : mesh.levels) follow(level.draws);
  EXPECT_EQ(next, mesh.indices.size());
}

// Two materials meet at the equator, and the texture's seam runs from pole to pole: neither may open.
TEST(Levels, WhatIsClosedStaysClosedAcrossMaterialsAndSeams) {
  const BakedMesh mesh = rest_mesh(still_draft(two_coloured_sphere(64, 64)));
  ASSERT_EQ(open_edges(mesh, mesh.draws), 0u);
  ASSERT_EQ(mesh.levels.size(), 3u);
  for (const BakedLevel& level : mesh.levels) {
    EXPECT_EQ(level.draws.size(), 2u);
    EXPECT_EQ(open_edges(mesh, level.draws), 0u) << triangle_count(level.draws) << " triangles";
  }
}

TEST(Levels, FacetsThatShareNoVertexBecomeCoarserAndStayClosed) {
  std::vector<Mesh> halves = two_coloured_sphere(48, 48);
  for (Mesh& half : halves) half = faceted(half);
  const BakedMesh mesh = rest_mesh(still_draft(halves));
  ASSERT_EQ(mesh.levels.size(), 3u);
  for (const BakedLevel& level : mesh.levels) EXPECT_EQ(open_edges(mesh, level.draws), 0u);
}

// Facets with a texture coordinate each, as palettes have them: only the shape can be simplified.
TEST(Levels, FacetsOfAPaletteBecomeCoarserToo) {
  std::vector<Mesh> halves = two_coloured_sphere(32, 32);
  std::mt19937 random(7);
  for (Mesh& half : halves) {
    half = faceted(half);
    for (std::size_t v = 0; v < half.uvs.size(); v += 3) {
      const glm::vec2 uv(static_cast<float>(random() % 8) / 8.0f, static_cast<float>(random() % 8) / 8.0f);
      half.uvs[v] = half.uvs[v + 1] = half.uvs[v + 2] = uv;
    }
  }
  const BakedMesh mesh = rest_mesh(still_draft(halves));
  ASSERT_GE(mesh.levels.size(), 2u);
  EXPECT_EQ(open_edges(mesh, mesh.levels[0].draws), 0u);
}

// u runs from 0 to 1 around the sphere; a triangle that took its corners from both sides of the seam would span it.
TEST(Levels, TrianglesStayOnTheirSideOfATexturesSeam) {
  const BakedMesh mesh = rest_mesh(still_draft(two_coloured_sphere(64, 64)));
  for (const BakedLevel& level : mesh.levels) {
    for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      const auto [low, high] = std::minmax({mesh.vertices[a].uv.x, mesh.vertices[b].uv.x, mesh.vertices[c].uv.x});
      EXPECT_LT(high - low, 0.6f);
    });
  }
}

// Six sides of a box, each a sheet of its own with its own normal: at the edges vertices of two or three sides lie in
// one place, and a corner that took another side's would be shaded like that one.
Mesh box_of_sheets(std::uint32_t steps) {
  Mesh mesh;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const float out = side % 2 == 0 ? 1.0f : -1.0f;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t i = 0; i <= steps; ++i) {
      for (std::uint32_t j = 0; j <= steps; ++j) {
        glm::vec3 p(0.0f);
        p[axis] = out;
        p[(axis + 1) % 3] = 2.0f * static_cast<float>(i) / static_cast<float>(steps) - 1.0f;
        p[(axis + 2) % 3] = 2.0f * static_cast<float>(j) / static_cast<float>(steps) - 1.0f;
        mesh.positions.push_back(p);
        mesh.normals.emplace_back(0.0f);
        mesh.normals.back()[axis] = out;
        mesh.influences.emplace_back();
        if (i == steps || j == steps) continue;
        const std::uint32_t a = first + i * (steps + 1) + j;
        const std::uint32_t b = a + steps + 1;
        if (out > 0.0f) mesh.indices.insert(mesh.indices.end(), {a, b, a + 1, b, b + 1, a + 1});
        if (out < 0.0f) mesh.indices.insert(mesh.indices.end(), {a, a + 1, b, b, a + 1, b + 1});
      }
    }
  }
  return mesh;
}

TEST(Levels, CornersTakeTheVertexWhoseNormalFitsTheTriangle) {
  const BakedMesh mesh = rest_mesh(still_draft({box_of_sheets(12)}));
  ASSERT_EQ(open_edges(mesh, mesh.draws), 0u);
  ASSERT_GE(mesh.levels.size(), 2u);
  std::size_t shaded = 0;
  for (const BakedLevel& level : mesh.levels) {
    EXPECT_EQ(open_edges(mesh, level.draws), 0u);
    for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      const auto at = [&](std::uint32_t v) { return mesh.vertices[v].position; };
      const glm::vec3 across = glm::cross(at(b) - at(a), at(c) - at(a));
      if (glm::length(across) < 1e-6f) return;  // all three on one edge: nothing to shade
      for (const std::uint32_t v : {a, b, c}) {
        EXPECT_GT(glm::dot(mesh.vertices[v].normal, glm::normalize(across)), 0.99f);
      }
      ++shaded;
    });
  }
  EXPECT_GT(shaded, 300u);
}

// The furthest that the middle of a triangle lies below the sphere is what the error is about.
TEST(Levels, ErrorIsOfTheSizeOfWhatCanBeMeasured) {
  const BakedMesh mesh = rest_mesh(still_draft(two_coloured_sphere(64, 64)));
  double last = 0.0;
  for (const BakedLevel& level : mesh.levels) {
    double deepest = 0.0;
    for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      const glm::vec3 middle =
          (mesh.vertices[a].position + mesh.vertices[b].position + mesh.vertices[c].position) / 3.0f;
      deepest = std::max(deepest, 1.0 - static_cast<double>(glm::length(middle)));
    });
    EXPECT_GT(level.error, 0.25 * deepest);
    EXPECT_LT(level.error, 4.0 * deepest);
    EXPECT_GE(level.error, last);
    last = level.error;
  }
}

// Two boxes that touch but hang on different bones: a triangle from one to the other would be pulled apart.
TEST(Levels, VerticesThatMoveDifferentlyAreNeverJoined) {
  std::vector<Mesh> halves = two_coloured_sphere(32, 32);
  halves[1].material = 0;
  ModelDraft draft = still_draft(halves);
  draft.bones.push_back({"lower", 0u, {}});
  draft.bindings.push_back({1, glm::dmat4(1.0)});
  for (Influences& influences : draft.meshes[1].influences) influences.bindings = {1, 0, 0, 0};
  const BakedMesh mesh = rest_mesh(draft);
  ASSERT_EQ(mesh.draws.size(), 1u);
  ASSERT_FALSE(mesh.levels.empty());
  for (const BakedLevel& level : mesh.levels) {
    for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      EXPECT_EQ(mesh.origins[a].mesh, mesh.origins[b].mesh);
      EXPECT_EQ(mesh.origins[a].mesh, mesh.origins[c].mesh);
    });
    EXPECT_EQ(open_edges(mesh, level.draws), 0u);
  }
}

TEST(Levels, ABoxHasNoCoarserOne) {
  Mesh box;
  for (int i = 0; i < 8; ++i) {
    box.positions.emplace_back(i & 1, (i >> 1) & 1, i >> 2);
    box.influences.emplace_back();
  }
  box.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  const BakedMesh mesh = rest_mesh(still_draft({box}));
  EXPECT_TRUE(mesh.levels.empty());
}

// Bone mode: a coarser level draws from the front of the vertices only, and the coarser the shorter.
TEST(Levels, CoarserLevelsUseAPrefixOfTheVerticesInBoneMode) {
  const Character out = baked(built(still_draft(two_coloured_sphere(64, 64))));
  ASSERT_EQ(out.levels().size(), 4u);
  std::uint32_t last = static_cast<std::uint32_t>(out.vertices().size());
  for (const BakedLevel& level : out.levels()) {
    std::set<std::uint32_t> used;
    for_triangles(out.indices(), level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      used.insert({a, b, c});
    });
    EXPECT_LT(*used.rbegin(), level.vertex_count);
    EXPECT_LT(level.vertex_count, last);
    // Nearly all of the prefix is its own: the rest belongs to coarser ones.
    EXPECT_GT(static_cast<double>(used.size()), 0.9 * level.vertex_count);
    last = level.vertex_count;
  }
}

TEST(Levels, RealModelsHaveThem) {
  for (const char* file : {"", "khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb"}) {
    const auto imported = load(file);
    if (!imported) continue;
    std::vector<std::string> notes;
    const BakedMesh mesh = rest_mesh_of(imported->model, {}, notes);
    ASSERT_EQ(mesh.levels.size(), 4u) << file;
    EXPECT_LT(triangle_count(mesh.levels[2].draws), triangle_count(mesh.draws) / 6) << file;
  }
}

}  // namespace
}  // namespace throng
