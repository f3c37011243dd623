// SPDX-License-Identifier: Apache-2.0
// KHR_draco_mesh_compression: primitives come back as they went in, up to the order of their vertices and Draco's own
// quantisation; what does not go with the glTF around it is said in a line.

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "draco_streams.h"
#include "shared_files.h"

namespace throng::test {
namespace {

// Finds every original vertex among the decoded ones and compares all it has.
void expect_same(const Strip& s, const Mesh& mesh, float tolerance) {
  ASSERT_EQ(mesh.positions.size(), s.vertices());
  std::vector<std::uint32_t> place(s.vertices());
  for (std::size_t v = 0; v < s.vertices(); ++v) {
    const glm::vec3 position(s.positions[v * 3], s.positions[v * 3 + 1], s.positions[v * 3 + 2]);
    std::uint32_t nearest = 0;
    for (std::uint32_t i = 0; i < mesh.positions.size(); ++i) {
      if (glm::length(mesh.positions[i] - position) < glm::length(mesh.positions[nearest] - position)) nearest = i;
    }
    place[v] = nearest;
    EXPECT_LE(glm::length(mesh.positions[nearest] - position), tolerance);
    const glm::vec3 normal(s.normals[v * 3], s.normals[v * 3 + 1], s.normals[v * 3 + 2]);
    EXPECT_LE(glm::length(mesh.normals[nearest] - normal), 0.01f);
    EXPECT_LE(glm::length(mesh.uvs[nearest] - glm::vec2(s.uvs[v * 2], s.uvs[v * 2 + 1])), 0.001f);
    EXPECT_NEAR(mesh.influences[nearest].weights[0], s.weights[v * 4], 0.001f);
  }
  const auto turned = [](std::vector<std::uint32_t> t) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    return t;
  };
  std::vector<std::vector<std::uint32_t>> expected, found;
  for (std::size_t i = 0; i < s.indices.size(); i += 3) {
    expected.push_back(turned({place[s.indices[i]], place[s.indices[i + 1]], place[s.indices[i + 2]]}));
    found.push_back(turned({mesh.indices.at(i), mesh.indices.at(i + 1), mesh.indices.at(i + 2)}));
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
}

TEST(GltfDraco, ComesBackAsItWentInWhateverTheMethodAndTheBits) {
  const Strip s = make_strip(20);
  for (const int method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
    for (const int bits : {0, 14}) {
      const auto imported = draco_file(s, encode(s, method, bits)).import();
      ASSERT_TRUE(imported) << imported.error().message;
      EXPECT_TRUE(imported->notes.empty()) << imported->notes[0];
      ASSERT_EQ(imported->model.meshes().size(), 1u);
      expect_same(s, imported->model.meshes()[0], bits == 0 ? 1e-7f : 2e-4f);
    }
  }
}

TEST(GltfDraco, QuantisedValuesMayLeaveTheDeclaredBoundsAndUnitLength) {
  const Strip s = make_strip(20);
  GltfBuilder b = draco_file(s, encode(s, draco::MESH_EDGEBREAKER_ENCODING, 6));
  b.json["accessors"][0]["min"] = {std::cos(2.0f), 0, 0};
  b.json["accessors"][0]["max"] = {1, 0.9996, 1};
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  for (const glm::vec3& normal : imported->model.meshes()[0].normals) EXPECT_NEAR(glm::length(normal), 1.0f, 1e-6f);
}

TEST(GltfDraco, PrimitivesMayShareTheirDataAndAccessors) {
  const Strip s = make_strip(8);
  GltfBuilder b = draco_file(s, encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14));
  b.json["meshes"][0]["primitives"].push_back(Json(b.json["meshes"][0]["primitives"][0]));
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes().size(), 2u);
  EXPECT_EQ(imported->model.meshes()[0].positions, imported->model.meshes()[1].positions);
}

TEST(GltfDraco, AnAttributeThatIsNotCompressedIsReadFromItsOwnView) {
  const Strip s = make_strip(8);
  GltfBuilder b = draco_file(s, encode(s, draco::MESH_SEQUENTIAL_ENCODING, 14));
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["COLOR_0"] = b.accessor(std::vector<std::uint8_t>(s.vertices() * 4, 51), "VEC4", kU8, true);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_NEAR(imported->model.meshes()[0].colours[3].y, 0.2f, 1e-6f);
}

TEST(GltfDraco, DamagedDataFallsBackOnTheUncompressedIfThereIsAny) {
  GltfBuilder b = triangle_file();
  b.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", 0}, {"attributes", {{"POSITION", 0}}}};
  primitive["indices"] = b.accessor<std::uint8_t>({0, 1, 2}, "SCALAR", kU8);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(mentions(imported->notes, "its bytes are not Draco's; its uncompressed data is read"));
  EXPECT_EQ(imported->model.meshes()[0].positions[1], glm::vec3(1, 0, 0));
  b.json["accessors"][0].erase("bufferView");
  EXPECT_FALSE(b.import());
}

// Draco drops vertices that no triangle uses and numbers the others anew, so the counts around it are often old.
TEST(GltfDraco, WhereCountsDisagreeTheStreamIsRight) {
  const Strip s = make_strip(8);
  const GltfBuilder good = draco_file(s, encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14));
  const auto expected = good.import();
  ASSERT_TRUE(expected) << expected.error().message;
  for (const int off : {-2, 1, 1 << 20}) {
    GltfBuilder b = good;
    for (Json& accessor : b.json["accessors"]) accessor["count"] = accessor["count"].get<int>() + off;
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->model.meshes()[0].positions, expected->model.meshes()[0].positions);
    EXPECT_EQ(imported->model.meshes()[0].indices, expected->model.meshes()[0].indices);
    EXPECT_TRUE(mentions(imported->notes, "counts of accessors are not those of their Draco data"));
    EXPECT_FALSE(b.import({.strict = true}));
  }
}

TEST(GltfDraco, IndicesTooNarrowForTheStreamAreWidened) {
  const Strip s = make_strip(200);
  ASSERT_GT(s.vertices(), 0xFFu);
  GltfBuilder b = draco_file(s, encode(s, draco::MESH_SEQUENTIAL_ENCODING, 14));
  const auto expected = b.import();
  b.json["accessors"][5]["componentType"] = kU8;
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].indices, expected->model.meshes()[0].indices);
  EXPECT_FALSE(b.import({.strict = true}));
}

struct Broken {
  const char* because;
  std::function<void(Json& primitive, Json& file)> break_it;
};

class GltfDracoRefuses : public testing::TestWithParam<Broken> {};

Json& draco_of(Json& primitive) { return primitive["extensions"]["KHR_draco_mesh_compression"]; }

TEST_P(GltfDracoRefuses, StrictlyWhatDoesNotGoWithTheFileAroundIt) {
  const Strip s = make_strip(8);
  GltfBuilder b = draco_file(s, encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14));
  GetParam().break_it(b.json["meshes"][0]["primitives"][0], b.json);
  const auto imported = b.import({.strict = true});
  ASSERT_FALSE(imported);
  EXPECT_TRUE(is_one_line(imported.error().message)) << imported.error().message;
  EXPECT_NE(imported.error().message.find(GetParam().because), std::string::npos) << imported.error().message;
}

// Accessors: 0 positions, 1 normals, 2 texture coordinates, 3 joints, 4 weights, 5 indices.
INSTANTIATE_TEST_SUITE_P(
    Each, GltfDracoRefuses,
    testing::Values(
        Broken{"bufferView is missing", [](Json& p, Json&) { draco_of(p).erase("bufferView"); }},
        Broken{"names bufferViews[9]", [](Json& p, Json&) { draco_of(p)["bufferView"] = 9; }},
        Broken{"attributes is missing", [](Json& p, Json&) { draco_of(p).erase("attributes"); }},
        Broken{"attributes is empty", [](Json& p, Json&) { draco_of(p)["attributes"] = Json::object(); }},
        Broken{"POSITION is not an integer", [](Json& p, Json&) { draco_of(p)["attributes"]["POSITION"] = "first"; }},
        Broken{"no attribute 77", [](Json& p, Json&) { draco_of(p)["attributes"]["POSITION"] = 77; }},
        Broken{"2 components where its accessor has 3",
               [](Json& p, Json&) { draco_of(p)["attributes"]["POSITION"] = 2; }},
        Broken{"not of its accessor's component type",
               [](Json& p, Json&) { draco_of(p)["attributes"]["JOINTS_0"] = 4; }},
        Broken{"TEXCOORD_7, which the primitive has not",
               [](Json& p, Json&) { draco_of(p)["attributes"]["TEXCOORD_7"] = 2; }},
        Broken{"shares its accessor", [](Json& p, Json&) { p["attributes"]["NORMAL"] = 0; }},
        Broken{"17 values where the Draco data has 16 vertices",
               [](Json&, Json& f) {
                 for (std::size_t a = 0; a < 5; ++a) f["accessors"][a]["count"] = 17;
               }},
        Broken{"promise 13", [](Json&, Json& f) { f["accessors"][5]["count"] = 39; }},
        Broken{"whole number of triangles", [](Json&, Json& f) { f["accessors"][5]["count"] = 43; }},
        Broken{"compressed triangles", [](Json&, Json& f) { f["accessors"][5]["count"] = 2147483646; }},
        Broken{"cannot name 16 vertices", [](Json&, Json& f) { f["accessors"][5]["componentType"] = kF32; }},
        Broken{"it has no indices", [](Json& p, Json&) { p.erase("indices"); }},
        Broken{"only lists of triangles", [](Json& p, Json&) { p["mode"] = 5; }},
        Broken{"lie outside", [](Json&, Json& f) { f["bufferViews"][0]["byteOffset"] = 1 << 20; }},
        Broken{"not Draco's",
               [](Json&, Json& f) {
                 f["bufferViews"][0].update({{"byteOffset", 1}, {"byteLength", 100}});
               }},
        Broken{"not Draco's", [](Json&, Json& f) { f["bufferViews"][0]["byteLength"] = 4; }},
        Broken{"KHR_draco_mesh_compression", [](Json&, Json& f) { f["bufferViews"][0]["byteLength"] = 40; }}));

}  // namespace
}  // namespace throng::test
