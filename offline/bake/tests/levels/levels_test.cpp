// SPDX-License-Identifier: Apache-2.0
// Coarser levels of meshes whose shape is known.
#include "levels/levels.h"

#include "cpu_time.h"
#include "mesh/mesh_models.h"
#include "mesh/vertex_order.h"
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

// How far it is goes on in small steps from the beginning to near the end: who waits is told how long by it.
TEST(Levels, SayHowFarTheyAreAllTheWay) {
  const Model model = built(still_draft(two_coloured_sphere(64, 64)));
  SerialExecutor executor;
  std::vector<std::string> notes;
  BakeSettings settings;
  settings.levels = 4;
  std::vector<double> heard;
  const Progress listen = [&](std::string_view what, double done) {
    EXPECT_EQ(what, "levels");
    heard.push_back(done);
  };
  make_rest_mesh({model, settings.tangents}, settings, {{}, executor, listen}, notes);
  ASSERT_GT(heard.size(), 100u);
  EXPECT_EQ(heard.front(), 0.0);
  EXPECT_GT(heard.back(), 0.8);
  EXPECT_LE(heard.back(), 1.0);
  EXPECT_TRUE(std::ranges::is_sorted(heard));
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

constexpr float kSquare = 0.25f;  // half the side of what is of another colour

enum class Inlay : std::uint8_t { square, disc };

// A flat sheet from −1 to 1 along x and y: what is around the square or disc in its middle is of material 0, that of 1.
std::vector<Mesh> sheet_with(Inlay inlay, int steps) {
  std::vector<Mesh> meshes(2);
  for (std::uint32_t m = 0; m < 2; ++m) {
    meshes[m].name = m == 0 ? "sheet" : "square";
    meshes[m].part = "one";
    meshes[m].node = meshes[m].material = m;
  }
  std::array<std::map<std::pair<int, int>, std::uint32_t>, 2> known;
  const auto vertex = [&](std::size_t m, int i, int j) {
    Mesh& mesh = meshes[m];
    const auto [at, is_new] = known[m].try_emplace({i, j}, static_cast<std::uint32_t>(mesh.positions.size()));
    if (is_new) {
      const auto place = [&](int n) { return 2.0f * static_cast<float>(n) / static_cast<float>(steps) - 1.0f; };
      mesh.positions.emplace_back(place(i), place(j), 0.0f);
      mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
      mesh.influences.push_back(bound_to(0));
    }
    return at->second;
  };
  const auto inside = [&](int i, int j) {
    const int x = std::abs(2 * i + 1 - steps), y = std::abs(2 * j + 1 - steps);
    const int reach = static_cast<int>(kSquare * static_cast<float>(2 * steps)) / 2;
    return inlay == Inlay::square ? x < reach && y < reach : x * x + y * y < reach * reach;
  };
  for (int i = 0; i < steps; ++i) {
    for (int j = 0; j < steps; ++j) {
      const std::size_t m = inside(i, j) ? 1 : 0;
      const std::uint32_t a = vertex(m, i, j), b = vertex(m, i + 1, j), c = vertex(m, i + 1, j + 1),
                          d = vertex(m, i, j + 1);
      meshes[m].indices.insert(meshes[m].indices.end(), {a, b, c, a, c, d});
    }
  }
  return meshes;
}

// The furthest that any place is from the colour that it has in a level of the sheet.
double colour_off(const BakedMesh& mesh, const BakedLevel& level) {
  constexpr int kPlaces = 100;  // along a side
  double most = 0.0;
  for (const BakedDraw& draw : level.draws) {
    for_triangles(mesh.indices, {draw}, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      const auto at = [&](std::uint32_t v) { return glm::dvec2(mesh.vertices[v].position); };
      const auto left_of = [](const glm::dvec2& from, const glm::dvec2& to, const glm::dvec2& p) {
        return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x) > 0.0;
      };
      for (int i = 0; i < kPlaces * kPlaces; ++i) {
        const glm::dvec2 p = (glm::dvec2(i % kPlaces, i / kPlaces) + 0.5) * (2.0 / kPlaces) - 1.0;
        if (!left_of(at(a), at(b), p) || !left_of(at(b), at(c), p) || !left_of(at(c), at(a), p)) continue;
        const glm::dvec2 out = glm::abs(p) - static_cast<double>(kSquare);  // of the square
        const double depth = std::max(out.x, out.y) > 0.0 ? glm::length(glm::max(out, 0.0)) : std::max(out.x, out.y);
        most = std::max(most, draw.material == 1 ? depth : -depth);
      }
    });
  }
  return most;
}

// All of it is flat: nothing but its colour is in the way of anything.
TEST(Levels, ColoursEndWhereTheyDidWithinTheLevelsError) {
  ModelDraft draft = still_draft(sheet_with(Inlay::square, 48));
  draft.materials[1].base_colour = {0.0f, 0.0f, 0.0f, 1.0f};
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(built(draft), {.levels = 8}, notes);
  ASSERT_GE(mesh.levels.size(), 5u);
  for (const BakedLevel& level : mesh.levels) {
    EXPECT_LE(colour_off(mesh, level), level.error + 1e-6) << triangle_count(level.draws) << " triangles";
    EXPECT_LT(level.error, 0.02) << triangle_count(level.draws) << " triangles: a few are enough for a square";
  }
}

// A few triangles cannot hold a circle, however flat it is, and a level says so: where it has fewer than a tooth of the
// rim each, some tooth is off by its depth.
TEST(Levels, ColoursThatEndElsewhereAreInTheLevelsError) {
  ModelDraft draft = still_draft(sheet_with(Inlay::disc, 48));
  draft.materials[1].base_colour = {0.0f, 0.0f, 0.0f, 1.0f};
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(built(draft), {.levels = 8}, notes);
  ASSERT_GE(mesh.levels.size(), 5u);
  ASSERT_LT(triangle_count(mesh.levels.back().draws), 150u);
  EXPECT_GT(mesh.levels.back().error, 0.005);
}

// Of two colours that nobody can tell apart.
TEST(Levels, ColoursThatAreOneCostNothing) {
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(built(still_draft(sheet_with(Inlay::square, 48))), {.levels = 8}, notes);
  ASSERT_GE(mesh.levels.size(), 5u);
  EXPECT_LT(mesh.levels.back().error, 1e-3);
}

TEST(Levels, FacetsThatShareNoVertexBecomeCoarserAndStayClosed) {
  std::vector<Mesh> halves = two_coloured_sphere(48, 48);
  for (Mesh& half : halves) half = faceted(half);
  const BakedMesh mesh = rest_mesh(still_draft(halves));
  ASSERT_EQ(mesh.levels.size(), 3u);
  for (const BakedLevel& level : mesh.levels) EXPECT_EQ(open_edges(mesh, level.draws), 0u);
}

// Facets with a texture coordinate each, as palettes have them.
std::vector<Mesh> palette_facets(std::uint32_t rings) {
  std::vector<Mesh> halves = two_coloured_sphere(rings, rings);
  std::mt19937 random(7);
  for (Mesh& half : halves) {
    half = faceted(half);
    for (std::size_t v = 0; v < half.uvs.size(); v += 3) {
      const glm::vec2 uv(static_cast<float>(random() % 8) / 8.0f, static_cast<float>(random() % 8) / 8.0f);
      half.uvs[v] = half.uvs[v + 1] = half.uvs[v + 2] = uv;
    }
  }
  return halves;
}

TEST(Levels, SeamsCostTheShapeLittle) {
  const BakedMesh smooth = rest_mesh(still_draft(two_coloured_sphere(32, 32)));
  const BakedMesh facets = rest_mesh(still_draft(palette_facets(32)));
  ASSERT_EQ(smooth.levels.size(), 3u);
  ASSERT_EQ(facets.levels.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(open_edges(facets, facets.levels[i].draws), 0u);
    EXPECT_LT(facets.levels[i].error, 1.6 * smooth.levels[i].error) << i;
  }
}

// A flat sheet over 0 to 1 along x and y. Its texture folds at x = ¼, its colour at x = ½ and its normals at y = ¼.
Mesh folded_sheet(std::uint32_t steps) {
  Mesh mesh;
  for (std::uint32_t i = 0; i <= steps; ++i) {
    for (std::uint32_t j = 0; j <= steps; ++j) {
      const float x = static_cast<float>(i) / static_cast<float>(steps);
      const float y = static_cast<float>(j) / static_cast<float>(steps);
      mesh.positions.emplace_back(x, y, 0.0f);
      mesh.uvs.emplace_back(std::abs(x - 0.25f), y);
      mesh.colours.emplace_back(glm::vec3(2.0f * std::abs(x - 0.5f)), 1.0f);
      mesh.normals.push_back(glm::normalize(glm::vec3(0.0f, std::abs(y - 0.25f), 1.0f)));
      mesh.influences.push_back(bound_to(0));
      if (i == steps || j == steps) continue;
      const std::uint32_t a = i * (steps + 1) + j;
      const std::uint32_t b = a + steps + 1;
      mesh.indices.insert(mesh.indices.end(), {a, b, a + 1, b, b + 1, a + 1});
    }
  }
  return mesh;
}

// Calls body(x, y, vertex) for points inside a triangle of the sheet, with what lies between its corners there.
template <class Body>
void for_points(const BakedVertex& a, const BakedVertex& b, const BakedVertex& c, const Body& body) {
  constexpr int kSteps = 8;
  for (int i = 0; i <= kSteps; ++i) {
    for (int j = 0; i + j <= kSteps; ++j) {
      const float wa = static_cast<float>(i) / kSteps, wb = static_cast<float>(j) / kSteps, wc = 1.0f - wa - wb;
      const auto colour = [](const BakedVertex& v) { return static_cast<float>(v.colour[0]) / 255.0f; };
      const glm::vec3 at = wa * a.position + wb * b.position + wc * c.position;
      const float uv = wa * a.uv.x + wb * b.uv.x + wc * c.uv.x;
      const glm::vec3 normal = wa * a.normal + wb * b.normal + wc * c.normal;
      body(at, uv, wa * colour(a) + wb * colour(b) + wc * colour(c), normal);
    }
  }
}

// The shape is the same whatever goes: only looks can tell which vertices matter.
TEST(Levels, TextureColoursAndNormalsStayWhereTheShapeIsFlat) {
  const BakedMesh mesh = rest_mesh(still_draft({folded_sheet(24)}));
  ASSERT_EQ(mesh.levels.size(), 3u);
  for (const BakedLevel& level : mesh.levels) {
    float texture = 0.0f, colour = 0.0f, normal = 0.0f;
    for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      for_points(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c],
                 [&](const glm::vec3& at, float u, float grey, const glm::vec3& n) {
                   texture = std::max(texture, std::abs(u - std::abs(at.x - 0.25f)));
                   colour = std::max(colour, std::abs(grey - 2.0f * std::abs(at.x - 0.5f)));
                   normal = std::max(normal, std::abs(n.y / n.z - std::abs(at.y - 0.25f)));
                 });
    });
    EXPECT_LT(texture, 0.03f) << triangle_count(level.draws);
    EXPECT_LT(colour, 0.06f) << triangle_count(level.draws);
    EXPECT_LT(normal, 0.06f) << triangle_count(level.draws);
  }
}

// A hundred grains above a sphere, each a closed piece of four triangles: more than the coarsest level has.
TEST(Levels, PiecesTooSmallToSeeVanish) {
  std::vector<Mesh> halves = two_coloured_sphere(32, 32);
  const auto sphere = static_cast<std::uint32_t>(halves[0].positions.size());
  std::mt19937 random(3);
  std::uniform_real_distribution<float> even(-1.0f, 1.0f);
  for (std::uint32_t grain = 0; grain < 100; ++grain) {
    const glm::vec3 at = 1.01f * glm::normalize(glm::vec3(even(random), 0.1f + std::abs(even(random)), even(random)));
    const auto first = static_cast<std::uint32_t>(halves[0].positions.size());
    for (const glm::vec3 corner : {glm::vec3(0.0f), {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}) {
      halves[0].positions.push_back(at + 0.002f * corner);
      halves[0].normals.push_back(glm::normalize(at));
      halves[0].uvs.emplace_back(0.5f, 0.5f);
      halves[0].influences.push_back(bound_to(0));
    }
    for (const std::uint32_t corner : {0u, 2u, 1u, 0u, 1u, 3u, 0u, 3u, 2u, 1u, 2u, 3u}) {
      halves[0].indices.push_back(first + corner);
    }
  }
  const BakedMesh mesh = rest_mesh(still_draft(halves));
  ASSERT_EQ(mesh.levels.size(), 3u);
  EXPECT_LT(triangle_count(mesh.levels[2].draws), 120u);
  for_triangles(mesh.indices, mesh.levels[2].draws, [&](std::uint32_t a, std::uint32_t, std::uint32_t) {
    EXPECT_TRUE(mesh.origins[a].mesh == 1 || mesh.origins[a].vertex < sphere) << "a grain is left";
  });
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
        mesh.influences.push_back(bound_to(0));
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

// Two halves that touch but hang on different bones: a triangle from one to the other would be pulled apart.
TEST(Levels, TrianglesNeverSpanTwoMeshesAndTheirBordersStayClosed) {
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
    box.influences.push_back(bound_to(0));
  }
  box.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  const BakedMesh mesh = rest_mesh(still_draft({box}));
  EXPECT_TRUE(mesh.levels.empty());
}

class LevelVertices : public testing::TestWithParam<BakeMode> {};

// A coarser level draws from the front of the vertices only, and the coarser the shorter.
TEST_P(LevelVertices, AreTheFirstSoManyAndFewerTheCoarser) {
  BakeSettings settings;
  settings.mode = GetParam();
  settings.levels = 5;
  const Character out = baked(built(still_draft(two_coloured_sphere(64, 64))), settings);
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
  EXPECT_LT(last, 100u);
}

INSTANTIATE_TEST_SUITE_P(Modes, LevelVertices, testing::Values(BakeMode::bones, BakeMode::vertices),
                         [](const auto& mode) { return mode.param == BakeMode::bones ? "bones" : "vertices"; });

// Triangles around one vertex, up and down at their rim.
ModelDraft wheel(std::uint32_t spokes) {
  Mesh mesh;
  mesh.positions.emplace_back(0.0f, 0.0f, 1.0f);
  for (std::uint32_t i = 0; i < spokes; ++i) {
    const double around = 2.0 * kPi * i / spokes;
    mesh.positions.emplace_back(std::cos(around), std::sin(around), 0.01 * std::sin(40.0 * around));
    mesh.indices.insert(mesh.indices.end(), {0, 1 + i, 1 + (i + 1) % spokes});
  }
  mesh.influences.assign(mesh.positions.size(), bound_to(0));
  return still_draft({std::move(mesh)});
}

double seconds_of_levels(ModelDraft draft) {
  const Model model = built(std::move(draft));
  std::vector<std::string> notes;
  const double start = test::cpu_seconds();
  const BakedMesh mesh = rest_mesh_of(model, {}, notes);
  const double seconds = test::cpu_seconds() - start;
  EXPECT_GE(mesh.levels.size(), 2u);
  return seconds;
}

// The hub of a wheel may cost some more than triangles that meet by sixes, but not as the square of its spokes.
TEST(Levels, OfAWheelTakeAboutAsLongAsThoseOfASphereOfAsManyTriangles) {
  constexpr std::uint32_t kRings = 40;
  const ModelDraft sphere = still_draft(two_coloured_sphere(kRings, kRings));
  double least = 1e9;
  for (int i = 0; i < 3 && least > 6.0; ++i) {
    least = std::min(least, seconds_of_levels(wheel(2 * kRings * (kRings - 1))) / seconds_of_levels(sphere));
  }
  EXPECT_LT(least, 8.0);
}

// Two parts that touch nowhere, one a fine sphere, one a coarse one: where triangles are short, the fine one goes
// without them.
TEST(Levels, EveryPartIsAsCoarseAsItsOwnShapeAllows) {
  std::vector<Mesh> spheres{two_coloured_sphere(64, 64)[0], two_coloured_sphere(12, 12)[0]};
  for (glm::vec3& p : spheres[1].positions) p.x += 4.0f;
  spheres[1].node = 1;
  spheres[1].material = 0;
  const BakedMesh mesh = rest_mesh(still_draft(spheres), 8);
  const auto of_part = [&](const std::vector<BakedDraw>& draws, std::uint32_t part) {
    std::size_t count = 0;
    for_triangles(mesh.indices, draws,
                  [&](std::uint32_t a, std::uint32_t, std::uint32_t) { count += mesh.parts[a] == part ? 1 : 0; });
    return count;
  };
  ASSERT_GE(mesh.levels.size(), 4u);
  EXPECT_EQ(of_part(mesh.levels[0].draws, 1), of_part(mesh.draws, 1));
  EXPECT_LT(of_part(mesh.levels[2].draws, 0), of_part(mesh.draws, 0) / 2);
  EXPECT_EQ(of_part(mesh.levels[2].draws, 1), of_part(mesh.draws, 1));
}

TEST(Levels, RealModelsHaveThem) {
  for (const char* file : {"", "khronos/Fox/Fox.glb", "khronos/CesiumMan/CesiumMan.glb"}) {
    const auto imported = load(file);
    if (!imported) continue;
    std::vector<std::string> notes;
    const BakedMesh mesh = rest_mesh_of(imported->model, {.levels = 5}, notes);
    ASSERT_EQ(mesh.levels.size(), 4u) << file;
    EXPECT_LT(triangle_count(mesh.levels[2].draws), triangle_count(mesh.draws) / 6) << file;
  }
}

}  // namespace
}  // namespace throng
