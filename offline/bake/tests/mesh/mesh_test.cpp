// SPDX-License-Identifier: Apache-2.0
// The order of triangles and vertices, and the way back to the source's.
#include <meshoptimizer.h>

#include "mesh/source_mesh.h"
#include "mesh/vertex_order.h"
#include "mesh_models.h"
#include "throng/character/codecs/packed_direction.h"

namespace throng {
using namespace detail::bake;
namespace {

// A sheet of triangles in an order that no cache likes.
ModelDraft shuffled_sheet() {
  Mesh mesh;
  mesh.name = "sheet";
  constexpr std::uint32_t kSide = 60;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      mesh.positions.emplace_back(x, y, std::sin(0.2 * x) * std::cos(0.3 * y));
      mesh.uvs.emplace_back(x / double{kSide}, y / double{kSide});
      mesh.influences.push_back(bound_to(0));
    }
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::uint32_t y = 0; y + 1 < kSide; ++y) {
    for (std::uint32_t x = 0; x + 1 < kSide; ++x) {
      const std::uint32_t a = y * kSide + x;
      triangles.push_back({a, a + 1, a + kSide});
      triangles.push_back({a + 1, a + kSide + 1, a + kSide});
    }
  }
  std::shuffle(triangles.begin(), triangles.end(), std::mt19937(1));
  for (const auto& t : triangles) mesh.indices.insert(mesh.indices.end(), t.begin(), t.end());
  return still_draft({mesh});
}

std::multiset<std::array<std::uint32_t, 3>> triangles_of(std::span<const std::uint32_t> indices) {
  std::multiset<std::array<std::uint32_t, 3>> out;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    std::array<std::uint32_t, 3> t{indices[i], indices[i + 1], indices[i + 2]};
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    out.insert(t);
  }
  return out;
}

double cache_misses(std::span<const std::uint32_t> indices, std::size_t vertices) {
  return static_cast<double>(meshopt_analyzeVertexCache(indices.data(), indices.size(), vertices, 16, 0, 0).acmr);
}

TEST(Mesh, TrianglesAreOrderedForTheVertexCacheInBothModes) {
  const Model model = built(shuffled_sheet());
  const auto& source = model.meshes()[0].indices;
  ASSERT_GT(cache_misses(source, model.meshes()[0].positions.size()), 2.5);
  for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
    const Character out = baked(model, {.mode = mode, .levels = 1});
    EXPECT_LT(cache_misses(out.indices(), out.vertices().size()), 0.8);
  }
}

TEST(Mesh, VerticesAreOrderedAsTheyAreFetchedInBoneMode) {
  const Model model = built(shuffled_sheet());
  const Character bones = baked(model, {.levels = 1});
  const Character vertices = baked(model, {.mode = BakeMode::vertices, .levels = 1});
  const auto fetched = [](const Character& m) {
    return meshopt_analyzeVertexFetch(m.indices().data(), m.indices().size(), m.vertices().size(), sizeof(BakedVertex))
        .overfetch;
  };
  EXPECT_LT(fetched(bones), 1.1f);
  EXPECT_LT(fetched(bones), fetched(vertices));
  std::uint32_t next = 0;
  for (const std::uint32_t index : bones.indices()) {
    ASSERT_LE(index, next);
    next = std::max(next, index + 1);
  }
}

TEST(Mesh, ReorderedVerticesAreFoundAgain) {
  const Model model = built(shuffled_sheet());
  const Mesh& source = model.meshes()[0];
  const Character out = baked(model, {.levels = 3});
  ASSERT_EQ(out.baked_from_source().size(), source.positions.size());
  for (std::size_t v = 0; v < source.positions.size(); ++v) {
    EXPECT_EQ(out.vertices()[out.baked_from_source()[v]].position, source.positions[v]);
    EXPECT_EQ(out.vertices()[out.baked_from_source()[v]].uv, source.uvs[v]);
  }
  std::vector<std::uint32_t> mapped;
  for (const std::uint32_t index : source.indices) mapped.push_back(out.baked_from_source()[index]);
  const auto full = out.indices().first(out.draws()[0].index_count);
  EXPECT_EQ(triangles_of(full), triangles_of(mapped));
}

TEST(Mesh, VertexModeKeepsTheSourcesOrderWithoutLevels) {
  const Model model = built(shuffled_sheet());
  const Mesh& source = model.meshes()[0];
  const Character out = baked(model, {.mode = BakeMode::vertices, .levels = 1});
  EXPECT_TRUE(out.baked_from_source().empty());
  ASSERT_EQ(out.vertices().size(), source.positions.size());
  for (std::size_t v = 0; v < source.positions.size(); ++v) EXPECT_EQ(out.vertices()[v].uv, source.uvs[v]);
  EXPECT_EQ(triangles_of(out.indices().first(out.draws()[0].index_count)), triangles_of(source.indices));
}

TEST(Mesh, VerticesThatNoTriangleUsesComeLast) {
  ModelDraft draft = shuffled_sheet();
  Mesh& mesh = draft.meshes[0];
  mesh.positions.insert(mesh.positions.begin(), {100.0f, 0.0f, 0.0f});
  mesh.uvs.insert(mesh.uvs.begin(), {0.0f, 0.0f});
  mesh.influences.push_back(bound_to(0));
  for (std::uint32_t& index : mesh.indices) ++index;
  const Character out = baked(built(draft));
  EXPECT_EQ(out.baked_from_source()[0], out.vertices().size() - 1);
}

TEST(Mesh, RestMeshStandsInModelSpaceAsTheRestPoseHasIt) {
  ModelDraft draft = bar_draft();
  draft.bones[1].rest.rotation = glm::angleAxis(0.7, glm::dvec3(1, 0, 0));
  draft.bones[0].rest.translation = {3.0, 0.5, -2.0};
  const Model model = built(draft);
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(model, {.levels = 1}, notes);
  const Pose rest = rest_pose(model);
  const auto truth = skin_mesh(model, 0, rest, skinning_palette(model, rest));
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    EXPECT_LT(glm::distance(glm::dvec3(mesh.vertices[v].position), truth.positions[v]), 1e-6);
    EXPECT_LT(glm::distance(glm::dvec3(mesh.vertices[v].normal), truth.normals[v]), 1e-6);
  }
}

// A bone that mirrors turns triangles inside out; in model space they must face outwards all the same.
TEST(Mesh, MirroredMeshesFaceOutwards) {
  for (const double side : {1.0, -1.0}) {
    ModelDraft draft = still_draft(two_coloured_sphere(8, 8));
    draft.bones[0].rest.scale = {side, 1.0, 1.0};
    std::vector<std::string> notes;
    const BakedMesh mesh = rest_mesh_of(built(draft), {}, notes);
    for_triangles(mesh.indices, mesh.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      const auto at = [&](std::uint32_t v) { return mesh.vertices[v].position; };
      EXPECT_GT(glm::dot(glm::cross(at(b) - at(a), at(c) - at(a)), at(a)), 0.0f) << side;
      EXPECT_GT(glm::dot(mesh.vertices[a].normal, at(a)), 0.9f) << side;
    });
  }
}

TEST(Mesh, NormalsThatAreMissingAreThoseOfTheTrianglesAround) {
  std::vector<Mesh> halves = two_coloured_sphere(32, 32);
  for (Mesh& half : halves) half.normals.clear();
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(built(still_draft(halves)), {}, notes);
  std::size_t checked = 0;
  for (const BakedVertex& vertex : mesh.vertices) {
    EXPECT_NEAR(glm::length(vertex.normal), 1.0f, 1e-5f);
    // Where the halves meet only one side of the surface counts; vertices at the poles that no triangle uses point up.
    if (std::abs(vertex.position.y) < 0.15f || std::abs(vertex.position.y) > 0.99f) continue;
    EXPECT_GT(glm::dot(vertex.normal, vertex.position), 0.98f);
    ++checked;
  }
  EXPECT_GT(checked, 500u);
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(),
                          [](const std::string& note) { return note.find("2 meshes have no normals") == 0; }));
}

// A triangle that its morph target, which is in at rest, turns from facing +Z to facing −Y.
TEST(Mesh, NormalsThatAreMissingAreTheSameNearAndFar) {
  Mesh mesh;
  mesh.name = "flap";
  mesh.positions = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
  mesh.influences.assign(3, bound_to(0));
  mesh.indices = {0, 1, 2};
  MorphTarget fold{.name = "fold", .positions = {}, .normals = {}};
  fold.positions = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {0.0f, -1.0f, 1.0f}};
  mesh.morph_targets.push_back(fold);
  mesh.morph_weights.push_back(1.0f);
  const Character character = baked(built(still_draft({mesh})));
  const glm::vec3 right(0.0f, -1.0f, 0.0f);
  const NearMesh near = character.near_mesh().value();
  ASSERT_EQ(near.vertex_count(), 3u);
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_LT(glm::distance(character.vertices()[v].normal, right), 1e-4f) << v;
    EXPECT_LT(glm::distance(unpacked_direction(near.data().vertices[2 * v].w), right), 1e-4f) << v;
  }
}

}  // namespace
}  // namespace throng
