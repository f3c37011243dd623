// SPDX-License-Identifier: Apache-2.0
// Tangents of surfaces whose texture is known.
#include "throng/model/tangents.h"

#include "mesh_models.h"
#include "throng/character/codecs/packed_direction.h"
#include "throng/character/decode.h"
#include "throng/motion/pack_near_mesh.h"

namespace throng {
namespace {

struct Sheet {
  std::vector<glm::dvec3> positions;
  std::vector<glm::dvec3> normals;
  std::vector<glm::vec2> uvs;
  std::vector<std::uint32_t> indices;

  TangentInput input() const { return {positions, normals, uvs, indices}; }
};

// Two triangles in the plane z = 0, seen from +z; uv given by a linear map of x and y.
Sheet flat_sheet(const glm::vec2& u_axis, const glm::vec2& v_axis) {
  Sheet sheet;
  for (const glm::dvec2 p : {glm::dvec2(0, 0), glm::dvec2(2, 0), glm::dvec2(0, 2), glm::dvec2(2, 2)}) {
    sheet.positions.emplace_back(p, 0.0);
    sheet.normals.emplace_back(0.0, 0.0, 1.0);
    sheet.uvs.emplace_back(glm::dot(glm::vec2(p), u_axis), glm::dot(glm::vec2(p), v_axis));
  }
  sheet.indices = {0, 1, 2, 1, 3, 2};
  return sheet;
}

TEST(Tangents, PointWhereUGrowsAndSayOnWhichSideVDoes) {
  struct Case {
    glm::vec2 u_axis, v_axis;
    glm::dvec4 tangent;
  };
  for (const Case& c : {Case{{1, 0}, {0, 1}, {1, 0, 0, 1}}, Case{{-1, 0}, {0, 1}, {-1, 0, 0, -1}},
                        Case{{0, 3}, {-3, 0}, {0, 1, 0, 1}}, Case{{0, 1}, {1, 0}, {0, 1, 0, -1}}}) {
    std::size_t without = 0;
    const Sheet sheet = flat_sheet(c.u_axis, c.v_axis);
    for (const glm::dvec4& t : tangents_from_uvs(sheet.input(), without)) EXPECT_LT(glm::distance(t, c.tangent), 1e-12);
    EXPECT_EQ(without, 0u);
  }
}

// On the sphere u runs around the axis: its direction is known everywhere but at the poles.
TEST(Tangents, FollowACurvedSurfaceAndStayOrthonormal) {
  for (const Mesh& half : two_coloured_sphere(64, 64)) {
    Sheet sheet;
    sheet.positions.assign(half.positions.begin(), half.positions.end());
    sheet.normals.assign(half.normals.begin(), half.normals.end());
    sheet.uvs = half.uvs;
    sheet.indices = half.indices;
    std::size_t without = 0;
    const auto tangents = tangents_from_uvs(sheet.input(), without);
    for (std::size_t v = 0; v < tangents.size(); ++v) {
      const glm::dvec3 t(tangents[v]);
      EXPECT_NEAR(glm::length(t), 1.0, 1e-9);
      EXPECT_NEAR(glm::dot(t, sheet.normals[v]), 0.0, 1e-6);
      if (std::abs(sheet.positions[v].y) > 0.99) continue;
      const glm::dvec3 around = glm::normalize(glm::cross(glm::dvec3(0, 1, 0), sheet.positions[v]));
      EXPECT_GT(glm::dot(t, around), 0.995);
      EXPECT_EQ(tangents[v].w, -1.0);  // v runs downwards: the texture is upside down
    }
  }
}

TEST(Tangents, AreTheSameHoweverTheMeshIsSplit) {
  const Mesh half = two_coloured_sphere(16, 16)[0];
  Mesh split = faceted(half);
  for (std::size_t i = 0; i < half.indices.size(); ++i) split.normals[i] = half.normals[half.indices[i]];
  const auto tangents_of = [](const Mesh& mesh) {
    const std::vector<glm::dvec3> positions(mesh.positions.begin(), mesh.positions.end());
    const std::vector<glm::dvec3> normals(mesh.normals.begin(), mesh.normals.end());
    std::size_t without = 0;
    return tangents_from_uvs({positions, normals, mesh.uvs, mesh.indices}, without);
  };
  const auto whole = tangents_of(half);
  const auto parts = tangents_of(split);
  for (std::size_t i = 0; i < half.indices.size(); ++i) {
    EXPECT_LT(glm::distance(parts[i], whole[half.indices[i]]), 1e-9) << i;
  }
}

TEST(Tangents, WithoutTextureCoordinatesAreAnyPerpendicularAndCounted) {
  Sheet sheet = flat_sheet({0, 0}, {0, 0});
  std::size_t without = 0;
  for (const glm::dvec4& t : tangents_from_uvs(sheet.input(), without)) {
    EXPECT_NEAR(glm::length(glm::dvec3(t)), 1.0, 1e-12);
    EXPECT_NEAR(t.z, 0.0, 1e-12);
    EXPECT_EQ(std::abs(t.w), 1.0);
  }
  EXPECT_EQ(without, 4u);
  sheet.uvs.clear();
  without = 0;
  EXPECT_EQ(tangents_from_uvs(sheet.input(), without).size(), 4u);
  EXPECT_EQ(without, 4u);
}

TEST(Tangents, AreBakedOnlyWhenAskedForAndTheSourcesAreKept) {
  std::vector<Mesh> halves = two_coloured_sphere(16, 16);
  halves[0].tangents.assign(halves[0].positions.size(), {0.0f, 0.0f, 1.0f, -1.0f});
  for (std::size_t v = 0; v < halves[0].positions.size(); ++v) halves[0].normals[v] = {1.0f, 0.0f, 0.0f};
  const Model model = built(still_draft(halves));
  for (const BakeMode mode : {BakeMode::bones, BakeMode::vertices}) {
    EXPECT_FALSE(baked(model, {.mode = mode}).has_tangents());
    const Character out = baked(model, {.mode = mode, .tangents = true});
    EXPECT_TRUE(out.has_tangents());
    EXPECT_EQ(out.tangents_animated(), mode == BakeMode::vertices);
    EXPECT_EQ(out.tangents().size(), mode == BakeMode::vertices ? 0 : out.vertices().size()) << "at rest";
    const DecodedVertices decoded = decode_pose(out, out.clips()[0], {0, 0, 0.0f}, 0.0);
    ASSERT_EQ(decoded.tangents.size(), out.vertices().size());
    for (std::size_t v = 0; v < halves[0].positions.size(); ++v) {
      const std::size_t at = out.baked_from_source().empty() ? v : out.baked_from_source()[v];
      EXPECT_LT(glm::distance(decoded.tangents[at], glm::dvec4(0, 0, 1, -1)), 1e-3);
    }
    EXPECT_TRUE(std::any_of(out.notes().begin(), out.notes().end(),
                            [](const std::string& n) { return n.find("1 mesh has no tangents") == 0; }));
  }
}

// Near and far characters share their materials, and so both have a normal map or neither has.
TEST(Tangents, OfNearCharactersAreThoseOfFarOnes) {
  std::vector<Mesh> halves = two_coloured_sphere(16, 16);
  halves[0].tangents.assign(halves[0].positions.size(), {0.0f, 0.6f, 0.8f, 1.0f});  // the other half's are computed
  for (glm::vec3& normal : halves[0].normals) normal = {1.0f, 0.0f, 0.0f};
  ModelDraft draft = still_draft(halves);
  draft.images.push_back({.name = "bumps", .mime_type = "image/png", .bytes = SharedBytes(std::vector<std::byte>(8))});
  for (Material& material : draft.materials) material.normal_image = 0;
  const Model model = built(draft);
  for (const bool tangents : {false, true}) {
    const Character out = baked(model, {.tangents = tangents});
    EXPECT_EQ(out.materials()[0].normal_image.has_value(), tangents);
    const NearMesh near = out.near_mesh().value();
    for (const gpu::ChunkRecord& chunk : near.data().chunks)
      EXPECT_EQ((chunk.flags & gpu::kSkinTangents) != 0, tangents);
    const auto vertices = near.data().vertices;
    ASSERT_EQ(vertices.size(), 2 * (halves[0].positions.size() + halves[1].positions.size()));
    for (std::size_t v = 0; v < vertices.size() / 2; ++v) {
      const std::uint32_t word = vertices[2 * v + 1].w;
      ASSERT_EQ(word != gpu::kNoTangent, tangents) << v;
      if (!tangents) continue;
      const glm::vec4 far = out.tangents()[out.baked_from_source().empty() ? v : out.baked_from_source()[v]];
      EXPECT_LT(glm::distance(unpacked_direction(word), glm::vec3(far)), 2e-4f) << v;
      EXPECT_EQ((word & 0x10000u) != 0, far.w < 0.0f) << v;
    }
  }
}

TEST(NearMesh, IsNotPackedFromSurfacesOfAnotherModel) {
  const Model model = built(still_draft(two_coloured_sphere(16, 16)));
  const Character out = baked(model, {});
  std::vector<RestSurface> surfaces = rest_surfaces(model, true);
  ASSERT_TRUE(pack_near_mesh(model, out.motion().value(), {.surfaces = surfaces}));
  const auto refusal = [&] {
    return pack_near_mesh(model, out.motion().value(), {.surfaces = surfaces}).error().message;
  };
  surfaces[1].tangents.pop_back();
  EXPECT_NE(refusal().find("mesh 1 has"), std::string::npos) << refusal();
  surfaces.pop_back();
  EXPECT_NE(refusal().find("there are surfaces of 1 meshes"), std::string::npos) << refusal();
}

// A mirrored mesh has its bitangent on the other side of cross(normal, tangent).
TEST(Tangents, ChangeSidesWhereTheMeshIsMirrored) {
  for (const double side : {1.0, -1.0}) {
    ModelDraft draft = still_draft(two_coloured_sphere(16, 16));
    draft.bones[0].rest.scale = {1.0, 1.0, side};
    std::vector<std::string> notes;
    BakeSettings settings;
    settings.tangents = true;
    const BakedMesh mesh = rest_mesh_of(built(draft), settings, notes);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      if (std::abs(mesh.vertices[v].position.y) > 0.95f) continue;
      EXPECT_EQ(mesh.tangents[v].w, static_cast<float>(-side));
      const glm::vec3 down = glm::cross(mesh.vertices[v].normal, glm::vec3(mesh.tangents[v])) * mesh.tangents[v].w;
      EXPECT_LT(down.y, 0.0f) << "v grows downwards, mirrored or not";
    }
  }
}

}  // namespace
}  // namespace throng
