// KHR_draco_mesh_compression: primitives come back as they went in, up to the order of their vertices and Draco's own
// quantisation; what is wrong with a stream, or between it and the glTF around it, is said in a line.

#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "compressed/draco_decode.h"
#include "gltf_builder.h"
#include "shared_files.h"

namespace throng::test {
namespace {

// A bent strip of quads: two rows of vertices with normals, texture coordinates and two joints each.
struct Strip {
  std::vector<float> positions, normals, uvs, weights;
  std::vector<std::uint16_t> joints;
  std::vector<std::uint32_t> indices;
  std::size_t vertices() const { return positions.size() / 3; }
};

Strip make_strip(std::size_t length) {
  Strip s;
  for (std::size_t i = 0; i < length; ++i) {
    const float along = static_cast<float>(i) / static_cast<float>(length - 1);
    for (const float side : {0.0f, 1.0f}) {
      const float angle = 2.0f * along;
      s.positions.insert(s.positions.end(), {std::cos(angle), std::sin(angle), side});
      s.normals.insert(s.normals.end(), {std::cos(angle), std::sin(angle), 0.0f});
      s.uvs.insert(s.uvs.end(), {along, side});
      s.weights.insert(s.weights.end(), {1.0f - 0.5f * along, 0.5f * along, 0.0f, 0.0f});
      s.joints.insert(s.joints.end(), {0, 1, 0, 0});
    }
    const auto first = static_cast<std::uint32_t>(2 * i);
    if (i + 1 < length)
      s.indices.insert(s.indices.end(), {first, first + 2, first + 1, first + 1, first + 2, first + 3});
  }
  return s;
}

template <class T>
std::uint32_t add(draco::Mesh& mesh, draco::GeometryAttribute::Type type, draco::DataType data, int components,
                  const std::vector<T>& values) {
  draco::GeometryAttribute attribute;
  attribute.Init(type, nullptr, static_cast<std::uint8_t>(components), data, false,
                 static_cast<std::int64_t>(sizeof(T)) * components, 0);
  const int id = mesh.AddAttribute(attribute, true, mesh.num_points());
  for (std::uint32_t v = 0; v < mesh.num_points(); ++v) {
    mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(v),
                                          values.data() + v * static_cast<std::uint32_t>(components));
  }
  return mesh.attribute(id)->unique_id();
}

struct Encoded {
  std::vector<std::uint8_t> bytes;
  Json attributes;
};

Encoded encode(const Strip& s, int method, int position_bits) {
  using Attribute = draco::GeometryAttribute;
  draco::Mesh mesh;
  mesh.set_num_points(static_cast<std::uint32_t>(s.vertices()));
  for (std::size_t i = 0; i < s.indices.size(); i += 3) {
    mesh.AddFace(
        {draco::PointIndex(s.indices[i]), draco::PointIndex(s.indices[i + 1]), draco::PointIndex(s.indices[i + 2])});
  }
  Encoded encoded;
  encoded.attributes["POSITION"] = add(mesh, Attribute::POSITION, draco::DT_FLOAT32, 3, s.positions);
  encoded.attributes["NORMAL"] = add(mesh, Attribute::NORMAL, draco::DT_FLOAT32, 3, s.normals);
  encoded.attributes["TEXCOORD_0"] = add(mesh, Attribute::TEX_COORD, draco::DT_FLOAT32, 2, s.uvs);
  encoded.attributes["JOINTS_0"] = add(mesh, Attribute::GENERIC, draco::DT_UINT16, 4, s.joints);
  encoded.attributes["WEIGHTS_0"] = add(mesh, Attribute::GENERIC, draco::DT_FLOAT32, 4, s.weights);
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  if (position_bits > 0) {
    encoder.SetAttributeQuantization(Attribute::POSITION, position_bits);
    encoder.SetAttributeQuantization(Attribute::NORMAL, 10);
    encoder.SetAttributeQuantization(Attribute::TEX_COORD, 12);
  }
  draco::EncoderBuffer buffer;
  EXPECT_TRUE(encoder.EncodeMeshToBuffer(mesh, &buffer).ok());
  encoded.bytes.assign(buffer.data(), buffer.data() + buffer.size());
  return encoded;
}

int bare_accessor(GltfBuilder& b, const std::string& type, int component_type, std::size_t count) {
  return b.append("accessors", {{"componentType", component_type}, {"count", count}, {"type", type}});
}

GltfBuilder draco_file(const Strip& s, const Encoded& encoded) {
  GltfBuilder b;
  const std::size_t count = s.vertices();
  const int position = bare_accessor(b, "VEC3", kF32, count);
  b.json["accessors"][0]["min"] = {-2, -2, -2};
  b.json["accessors"][0]["max"] = {2, 2, 2};
  Json primitive = {{"attributes",
                     {{"POSITION", position},
                      {"NORMAL", bare_accessor(b, "VEC3", kF32, count)},
                      {"TEXCOORD_0", bare_accessor(b, "VEC2", kF32, count)},
                      {"JOINTS_0", bare_accessor(b, "VEC4", kU16, count)},
                      {"WEIGHTS_0", bare_accessor(b, "VEC4", kF32, count)}}},
                    {"indices", bare_accessor(b, "SCALAR", kU16, s.indices.size())}};
  primitive["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", b.view(encoded.bytes)},
                                                           {"attributes", encoded.attributes}};
  b.append("meshes", {{"primitives", {primitive}}});
  b.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"children", {2}}}, {{"translation", {0, 1, 0}}}};
  b.json["skins"] = {{{"joints", {1, 2}}}};
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return b;
}

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

struct Broken {
  const char* because;
  std::function<void(Json& primitive, Json& file)> break_it;
};

class GltfDracoRefuses : public testing::TestWithParam<Broken> {};

Json& draco_of(Json& primitive) { return primitive["extensions"]["KHR_draco_mesh_compression"]; }

TEST_P(GltfDracoRefuses, WhatDoesNotGoWithTheFileAroundIt) {
  const Strip s = make_strip(8);
  GltfBuilder b = draco_file(s, encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14));
  GetParam().break_it(b.json["meshes"][0]["primitives"][0], b.json);
  const auto imported = b.import();
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

std::vector<std::uint8_t> changed(std::vector<std::uint8_t> bytes, std::size_t at, std::uint8_t value) {
  bytes[at] = value;
  return bytes;
}

TEST(GltfDracoHostile, HeadersThatGlTFDoesNotKnowAreRefusedByName) {
  const Strip s = make_strip(8);
  const Encoded good = encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14);
  constexpr std::size_t kMajor = 5, kMinor = 6, kType = 7, kMethod = 8;
  const std::tuple<std::size_t, std::uint8_t, const char*> rows[] = {{kMajor, 1, "version 1.2"},
                                                                     {kMinor, 1, "version 2.1"},
                                                                     {kMinor, 9, "version 2.9"},
                                                                     {kType, 0, "no triangles"},
                                                                     {kMethod, 7, "method 7"}};
  for (const auto& [at, value, because] : rows) {
    const auto imported = draco_file(s, {changed(good.bytes, at, value), good.attributes}).import();
    ASSERT_FALSE(imported) << because;
    EXPECT_NE(imported.error().message.find(because), std::string::npos) << imported.error().message;
  }
}

std::vector<std::uint8_t> varint(std::uint32_t value) {
  std::vector<std::uint8_t> bytes;
  for (; value > 127; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 128));
  bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

// A stream that says it holds so much, and holds nothing.
struct Claim {
  int method;
  std::uint32_t vertices, triangles;
  std::uint8_t tables = 0;
  const char* because;
};

TEST(GltfDracoHostile, ClaimsThatNoStreamOfItsSizeCanKeepAreNotBelieved) {
  for (const Claim& claim :
       {Claim{1, 3, 4000000, 0, "4000000 triangles in 300 bytes"},
        Claim{1, 3, 70000, 255, "with 256 tables, are too many"}, Claim{1, 300, 99, 0, "300 vertices for 99 triangles"},
        Claim{0, 4000000000u, 99, 0, "4000000000 vertices for 99 triangles"},
        Claim{0, 3, 98, 0, "98 triangles where its indices promise 99"}}) {
    std::vector<std::uint8_t> bytes = {'D', 'R', 'A', 'C', 'O', 2, 2, 1, static_cast<std::uint8_t>(claim.method), 0, 0};
    if (claim.method == 1) bytes.push_back(0);
    for (const std::uint32_t count :
         {claim.method == 1 ? claim.vertices : claim.triangles, claim.method == 1 ? claim.triangles : claim.vertices}) {
      const auto encoded = varint(count);
      bytes.insert(bytes.end(), encoded.begin(), encoded.end());
    }
    bytes.push_back(claim.tables);
    bytes.resize(300);
    const auto mesh =
        gltf::DracoMesh::decode(std::as_bytes(std::span(bytes)), claim.triangles == 98 ? 99 : claim.triangles);
    ASSERT_FALSE(mesh) << claim.because;
    EXPECT_NE(mesh.error().message.find(claim.because), std::string::npos) << mesh.error().message;
  }
}

TEST(GltfDracoHostile, AttributesAreWeighedBeforeTheirValuesAreRead) {
  const Strip s = make_strip(8);
  const Encoded good = encode(s, draco::MESH_EDGEBREAKER_ENCODING, 14);
  const auto bytes = std::as_bytes(std::span(good.bytes));
  const std::uint64_t needed = s.vertices() * (12 + 12 + 8 + 8 + 16);
  EXPECT_TRUE(gltf::DracoMesh::decode(bytes, s.indices.size() / 3, {.attribute_bytes = needed}));
  const auto refused = gltf::DracoMesh::decode(bytes, s.indices.size() / 3, {.attribute_bytes = needed - 1});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "16 vertices of 56 bytes are too many");
}

TEST(GltfDracoHostile, AStreamMayEndAnywhere) {
  const Strip s = make_strip(8);
  const ScratchFolder folder;
  for (const int method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
    const Encoded whole = encode(s, method, 14);
    for (std::size_t size = 1; size < whole.bytes.size(); ++size) {
      Encoded cut = whole;
      cut.bytes.resize(size);
      const auto imported = import_gltf(folder.write("cut.gltf", draco_file(s, cut).gltf()));
      EXPECT_TRUE(imported || is_one_line(imported.error().message)) << size;
      EXPECT_FALSE(imported && size < whole.bytes.size() / 2) << size;
    }
  }
}

TEST(GltfDracoHostile, AnyByteOfAStreamMayBeWrong) {
  const Strip s = make_strip(8);
  const ScratchFolder folder;
  std::size_t refused = 0;
  for (const int method : {draco::MESH_SEQUENTIAL_ENCODING, draco::MESH_EDGEBREAKER_ENCODING}) {
    const Encoded whole = encode(s, method, 14);
    for (std::size_t at = 0; at < whole.bytes.size(); ++at) {
      for (const int bits : {0xFF, 0x01, 0x40}) {
        const auto value = static_cast<std::uint8_t>(whole.bytes[at] ^ bits);
        const Encoded broken{changed(whole.bytes, at, value), whole.attributes};
        const auto imported = import_gltf(folder.write("broken.gltf", draco_file(s, broken).gltf()));
        if (imported) continue;
        ++refused;
        EXPECT_TRUE(is_one_line(imported.error().message)) << at << ": " << imported.error().message;
      }
    }
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace throng::test
