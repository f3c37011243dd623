// SPDX-License-Identifier: Apache-2.0
// Vertices that only a seam separates, in coarser levels.
#include <gtest/gtest.h>

#include "levels/merge_coincident.h"
#include "mesh/mesh_models.h"
#include "throng/base/file.h"
#include "throng/character/image.h"
#include "vertices/vertex_skinner.h"

namespace throng {
namespace {

BakedMesh with_levels(const ModelDraft& draft) {
  std::vector<std::string> notes;
  return rest_mesh_of(built(draft), {.levels = 6}, notes);
}

// 64 texels wide, the left half of one colour and the right of another.
ImageSource picture(const glm::u8vec4& left, const glm::u8vec4& right) {
  Image image{64, 4, {}};
  for (std::uint32_t i = 0; i < image.width * image.height; ++i) {
    const glm::u8vec4& colour = i % image.width < image.width / 2 ? left : right;
    for (int c = 0; c < 4; ++c) image.rgba.push_back(colour[c]);
  }
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "throng_coincident.png";
  EXPECT_TRUE(write_png(image, file).has_value());
  return {"picture", "image/png", map_file(file).value()};
}

ModelDraft painted(std::vector<Mesh> meshes, ImageSource image) {
  ModelDraft draft = still_draft(std::move(meshes));
  draft.images = {std::move(image)};
  for (Material& material : draft.materials) material.base_image = 0;
  return draft;
}

// Vertices of a level, and the places that they are in.
std::pair<std::size_t, std::size_t> used(const BakedMesh& mesh, const BakedLevel& level) {
  std::set<std::uint32_t> vertices;
  std::set<std::tuple<float, float, float>> places;
  for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (const std::uint32_t v : {a, b, c}) {
      vertices.insert(v);
      const glm::vec3 at = mesh.vertices[v].position + 0.0f;
      places.insert({at.x, at.y, at.z});
    }
  });
  return {vertices.size(), places.size()};
}

// A sphere of facets: each place is six vertices.
ModelDraft facets() {
  std::vector<Mesh> halves = two_coloured_sphere(64, 64);
  for (Mesh& half : halves) {
    half = faceted(half);
    half.material = 0;
  }
  return painted(halves, picture({90, 90, 90, 255}, {90, 90, 90, 255}));
}

TEST(CoincidentVertices, BecomeOneWhereShadingBarelyDiffers) {
  const BakedMesh mesh = with_levels(facets());
  ASSERT_GE(mesh.levels.size(), 4u);
  for (const BakedLevel& level : mesh.levels) {
    const auto [vertices, places] = used(mesh, level);
    EXPECT_LT(vertices, triangle_count(level.draws) + places) << triangle_count(level.draws);
    EXPECT_EQ(open_edges(mesh, level.draws), 0u);
  }
}

// What a coarser level has a finer one has, too: there is nothing to be saved by giving it away.
TEST(CoincidentVertices, OfACoarserLevelStayInTheFinerOne) {
  const Model model = built(facets());
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(model, {.levels = 1}, notes);
  SerialExecutor executor;
  const LevelPoses poses(model, mesh, {}, executor);
  const LevelMesh welded = weld(mesh, poses, 1, {});
  const SimplifiedMesh all{welded.corners, welded.draw};
  std::vector<CoarseLevel> alone{{all, 10.0}};
  merge_coincident(mesh, welded, poses, alone);
  std::vector<CoarseLevel> both{{all, 10.0}, {all, 0.0}};
  merge_coincident(mesh, welded, poses, both);
  const std::set<std::uint32_t> coarser(both[1].mesh.corners.begin(), both[1].mesh.corners.end());
  std::size_t kept = 0, alone_kept = 0;
  for (std::size_t i = 0; i < all.corners.size(); ++i) {
    if (!coarser.contains(all.corners[i])) continue;
    kept += both[0].mesh.corners[i] == all.corners[i] ? 1 : 0;
    alone_kept += alone[0].mesh.corners[i] == all.corners[i] ? 1 : 0;
  }
  const auto had = std::ranges::count_if(all.corners, [&](std::uint32_t v) { return coarser.contains(v); });
  EXPECT_EQ(kept, static_cast<std::size_t>(had));
  EXPECT_LT(alone_kept, kept / 2) << "with such an error nobody sees that they are one";
}

// The box's sides meet at right angles, and its triangles are wide: nothing there may be shaded like another side.
TEST(CoincidentVertices, StayApartWhereEverybodyWouldSeeIt) {
  Mesh box;
  constexpr std::uint32_t kSteps = 8;
  for (int side = 0; side < 6; ++side) {
    const auto first = static_cast<std::uint32_t>(box.positions.size());
    const float out = side % 2 == 0 ? 1.0f : -1.0f;
    for (std::uint32_t i = 0; i <= kSteps; ++i) {
      for (std::uint32_t j = 0; j <= kSteps; ++j) {
        glm::vec3 p(out), n(0.0f);
        p[(side / 2 + 1) % 3] = 2.0f * static_cast<float>(i) / kSteps - 1.0f;
        p[(side / 2 + 2) % 3] = 2.0f * static_cast<float>(j) / kSteps - 1.0f;
        n[side / 2] = out;
        box.positions.push_back(p);
        box.normals.push_back(n);
        box.uvs.emplace_back(0.25f, 0.5f);
        box.influences.push_back(bound_to(0));
        if (i == kSteps || j == kSteps) continue;
        const std::uint32_t a = first + i * (kSteps + 1) + j, b = a + kSteps + 1;
        if (out > 0.0f) box.indices.insert(box.indices.end(), {a, b, a + 1, b, b + 1, a + 1});
        if (out < 0.0f) box.indices.insert(box.indices.end(), {a, a + 1, b, b, a + 1, b + 1});
      }
    }
  }
  const BakedMesh mesh = with_levels(painted({box}, picture({90, 90, 90, 255}, {90, 90, 90, 255})));
  ASSERT_GE(mesh.levels.size(), 2u);
  for (const BakedLevel& level : mesh.levels) {
    for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      EXPECT_EQ(mesh.vertices[a].normal, mesh.vertices[b].normal);
      EXPECT_EQ(mesh.vertices[a].normal, mesh.vertices[c].normal);
    });
  }
}

// A smooth sphere whose texture's seam runs from pole to pole. Where both ends of the picture are of one colour nobody
// sees the seam, unless what lies between them is of another: a triangle across it would show all of that.
TEST(CoincidentVertices, GoByThePictureAndNotByTextureCoordinates) {
  const auto seam = [](const ImageSource& image) {
    const BakedMesh mesh = with_levels(painted(two_coloured_sphere(48, 48), image));
    std::size_t across = 0;
    for (const BakedLevel& level : mesh.levels) {
      for_triangles(mesh.indices, level.draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const auto [low, high] = std::minmax({mesh.vertices[a].uv.x, mesh.vertices[b].uv.x, mesh.vertices[c].uv.x});
        across += high - low > 0.6f ? 1 : 0;
      });
    }
    return across;
  };
  const std::size_t of_one_colour = seam(picture({90, 90, 90, 255}, {90, 90, 90, 255}));
  EXPECT_GT(of_one_colour, 100u);
  // Slivers at the poles may.
  EXPECT_LT(seam(picture({250, 20, 20, 255}, {20, 20, 250, 255})), of_one_colour / 8);
}

// A sphere whose texture runs half around it, and back along the other half: there its tangents have the other side.
// The picture repeats, and halves have no texture coordinate in common, so that none of their vertices are one.
ModelDraft mirrored_sphere(std::uint32_t segments) {
  std::vector<Mesh> halves = two_coloured_sphere(segments, segments);
  Mesh out;
  std::map<std::tuple<std::size_t, std::uint32_t, bool>, std::uint32_t> known;  // half, vertex and whether mirrored
  for (std::size_t half = 0; half < 2; ++half) {
    const Mesh& in = halves[half];
    for (std::size_t i = 0; i < in.indices.size(); i += 3) {
      const auto u = [&](std::size_t k) { return in.uvs[in.indices[i + k]].x; };
      const bool mirrored = u(0) + u(1) + u(2) > 1.5f;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t v = in.indices[i + k];
        const auto [at, is_new] =
            known.try_emplace({half, v, mirrored}, static_cast<std::uint32_t>(out.positions.size()));
        out.indices.push_back(at->second);
        if (!is_new) continue;
        out.positions.push_back(in.positions[v]);
        out.normals.push_back(in.normals[v]);
        out.uvs.emplace_back(mirrored ? 3.0f - 2.0f * u(k) : 2.0f * u(k), in.uvs[v].y);
        out.influences.push_back(bound_to(0));
      }
    }
  }
  ModelDraft draft = painted({out}, picture({90, 90, 90, 255}, {90, 90, 90, 255}));
  draft.materials[0].normal_image = 0;
  return draft;
}

// A normal map would be lit from the wrong side in a triangle between them.
TEST(CoincidentVertices, OfMirroredTexturesShareNoTriangle) {
  std::vector<std::string> notes;
  const BakedMesh mesh = rest_mesh_of(built(mirrored_sphere(48)), {.levels = 6, .tangents = true}, notes);
  ASSERT_EQ(mesh.tangents.size(), mesh.vertices.size());
  ASSERT_GE(mesh.levels.size(), 4u);
  std::array<std::size_t, 2> sides{};
  const auto count = [&](const std::vector<BakedDraw>& draws) {
    std::size_t of_both = 0;
    for_triangles(mesh.indices, draws, [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      of_both += mesh.tangents[a].w != mesh.tangents[b].w || mesh.tangents[a].w != mesh.tangents[c].w;
      ++sides[mesh.tangents[a].w < 0.0f];
    });
    return of_both;
  };
  ASSERT_EQ(count(mesh.draws), 0u);
  ASSERT_EQ(sides[0], sides[1]);
  for (const BakedLevel& level : mesh.levels) {
    EXPECT_EQ(count(level.draws), 0u) << triangle_count(level.draws) << " triangles";
    EXPECT_EQ(open_edges(mesh, level.draws), 0u);
  }
}

// Four vertices in one place: the second follows another bone, the third as well but less, the fourth has a morph
// target of its own.
TEST(CoincidentVertices, StayApartWhereAPoseMayPullThemApart) {
  Mesh mesh;
  mesh.positions.assign(5, glm::vec3(1.0f));
  mesh.influences.assign(5, bound_to(0));
  mesh.influences[1].bindings = {1, 0, 0, 0};
  mesh.influences[2] = {{1, 0, 0, 0}, {0.5f, 0.5f, 0.0f, 0.0f}};
  mesh.morph_weights = {0.0f};
  mesh.morph_targets = {{"pull", std::vector<glm::vec3>(5, glm::vec3(0.0f)), {}}};
  mesh.morph_targets[0].positions[3] = {0.0f, 0.1f, 0.0f};
  mesh.indices = {0, 1, 2, 0, 2, 3, 0, 3, 4};
  ModelDraft draft = still_draft({mesh});
  draft.bones.push_back({"other", 0u, {}});
  draft.bindings.push_back({1, glm::dmat4(1.0)});
  const Model model = built(draft);
  std::vector<std::string> notes;
  const BakedMesh baked = rest_mesh_of(model, {.levels = 1}, notes);
  const VertexSkinner skinner(model, baked, {}, false);
  const auto number = [&](std::uint32_t source) {
    return static_cast<std::uint32_t>(std::ranges::find(baked.origins, source, &VertexOrigin::vertex) -
                                      baked.origins.begin());
  };
  EXPECT_TRUE(skinner.alike(number(0), number(4)));
  for (const std::uint32_t other : {1u, 2u, 3u}) EXPECT_FALSE(skinner.alike(number(0), number(other))) << other;
  EXPECT_FALSE(skinner.alike(number(1), number(2)));
}

}  // namespace
}  // namespace throng
