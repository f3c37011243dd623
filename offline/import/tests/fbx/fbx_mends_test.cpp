// SPDX-License-Identifier: Apache-2.0
// FBX files with faults that have one sensible meaning: mended with a count and a note, or refused strictly.

#include <functional>

#include "fbx_posed.h"
#include "fbx_writer.h"

namespace throng::test {
namespace {

using namespace std::string_view_literals;

void begin_object(Writer& writer, const char* element, std::int64_t id, std::string_view name, const char* subtype) {
  writer.begin(element);
  writer.id(id);
  writer.text(name);
  writer.text(subtype);
}

void connect(Writer& writer, std::int64_t source, std::int64_t target) {
  writer.begin("C");
  writer.text("OO");
  writer.id(source);
  writer.id(target);
  writer.end();
}

// A triangle on a node; `more` writes elements into its geometry.
std::string triangle_file(Writer writer, const std::function<void(Writer&)>& more = {}) {
  writer.begin("Objects");
  begin_object(writer, "Model", 1, "node\0\1Model"sv, "Mesh");
  writer.element("Version", 232);
  writer.end();
  begin_object(writer, "Geometry", 2, "\0\1Geometry"sv, "Mesh");
  if (more) more(writer);
  const std::vector<double> points = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::vector<std::int32_t> corners = {0, 1, -3};
  writer.element("Vertices", std::span<const double>(points));
  writer.element("PolygonVertexIndex", std::span<const std::int32_t>(corners));
  writer.end();
  writer.end();
  writer.begin("Connections");
  connect(writer, 1, 0);
  connect(writer, 2, 1);
  writer.end();
  const auto bytes = writer.finish();
  return {bytes.begin(), bytes.end()};
}

void expect_triangle(const Imported& imported) {
  ASSERT_EQ(imported.model.meshes().size(), 1u);
  const Mesh& mesh = imported.model.meshes()[0];
  ASSERT_EQ(mesh.positions.size(), 3u);
  EXPECT_EQ(mesh.positions[1], glm::vec3(1, 0, 0));
  EXPECT_EQ(mesh.positions[2], glm::vec3(0, 1, 0));
}

// Read with this note, and refused strictly with these words.
void expect_mended(const std::string& file, std::string_view note, std::string_view refusal) {
  const ScratchFolder folder;
  const auto path = folder.write("odd.fbx", file);
  const auto imported = import_fbx(path);
  ASSERT_TRUE(imported) << imported.error().message;
  expect_triangle(*imported);
  EXPECT_TRUE(noted(*imported, note)) << note;
  EXPECT_GT(imported->repairs.faults_mended, 0u);
  const auto strictly = import_fbx(path, {.strict = true});
  ASSERT_FALSE(strictly);
  EXPECT_NE(strictly.error().message.find(refusal), std::string::npos) << strictly.error().message;
}

TEST(FbxMends, BigEndianFilesAreReadLikeOthers) {
  const ScratchFolder folder;
  for (const bool big_endian : {false, true}) {
    const auto imported = import_fbx(folder.write("order.fbx", triangle_file(Writer(big_endian))), {.strict = true});
    ASSERT_TRUE(imported) << imported.error().message;
    expect_triangle(*imported);
  }
}

TEST(FbxMends, ValuesOfUnknownTypesArePassedOver) {
  expect_mended(triangle_file(Writer(),
                              [](Writer& writer) {
                                writer.begin("Novelty");
                                writer.integer(7);
                                writer.value_of_type('Q', "sixteen odd bytes");
                                writer.end();
                              }),
                "1 element has values of a type that FBX does not know", "value of the unknown type 81");
}

TEST(FbxMends, DamagedArraysThatNobodyNeedsArePassedOver) {
  const auto damaged = [](const char* name) {
    return triangle_file(Writer(), [name](Writer& writer) {
      writer.begin(name);
      writer.value_of_type('d', "\x03\0\0\0\x01\0\0\0\x63\0\0\0junk"sv);  // more bytes than there are
      writer.end();
    });
  };
  expect_mended(damaged("Tangents"), "1 array that nothing here needs is damaged", "is cut short");
  const ScratchFolder folder;
  EXPECT_FALSE(import_fbx(folder.write("needed.fbx", damaged("Vertices"))));
}

TEST(FbxMends, ElementsThatDoNotSayWhereTheyEndAreReadUpToTheEndOfTheirChildren) {
  Writer writer;
  writer.leave_out_ends();
  expect_mended(triangle_file(std::move(writer)), "elements do not say where they end", "that ends at 0");
}

TEST(FbxMends, ValuesThatEndElsewhereThanTheySayEndWithTheirElement) {
  std::string file = triangle_file(Writer(), [](Writer& writer) {
    writer.begin("Novelty");
    writer.integer(7);
    writer.integer(8);
    writer.end();
  });
  // One value instead of two.
  constexpr std::size_t kBehindCount = 4 + 4 + 1;
  char& count = file[file.find("Novelty") - kBehindCount];
  ASSERT_EQ(count, 2);
  count = 1;
  expect_mended(file, "1 element has values or children that end elsewhere than they say",
                "has values that end at byte");
}

std::string text_with(const std::string& points, const std::string& more = {}) {
  FbxBuilder b;
  b.model(1, "skin", 0, {}, "Mesh");
  b.object("Geometry", 2, "Geometry", "", "Mesh",
           fmt::format("Vertices: *12 {{ a: {} }}\nPolygonVertexIndex: *6 {{ a: 0,1,-3,1,3,-3 }}\n{}", points, more));
  b.connect(2, 1);
  return b.text();
}

// As printf has them in one C library or another, and as Microsoft's has them.
TEST(FbxMends, AVertexThatIsNoNumberLosesItsTrianglesHoweverItIsSpelled) {
  const ScratchFolder folder;
  for (const char* word : {"nan", "-nan(ind)", "NAN", "snan", "ind", "inf", "-Infinity", "+INF", "infty", "1.#QNAN00",
                           "-1.#IND", "1.#INF00", "1.#SNAN"}) {
    const auto path = folder.write("odd.fbx", text_with(fmt::format("0,0,0, 1,0,0, 0,1,0, {},1,0", word)));
    const auto imported = import_fbx(path);
    ASSERT_TRUE(imported) << word << imported.error().message;
    expect_triangle(*imported);
    EXPECT_TRUE(noted(*imported, "1 vertex was not finite: its triangles were dropped")) << word;
    const auto strictly = import_fbx(path, {.strict = true});
    ASSERT_FALSE(strictly) << word;
    EXPECT_NE(strictly.error().message.find("a position that is not finite"), std::string::npos);
  }
  for (const char* word : {"1.#INDIE", "nope", "1.#", "n4n"}) {
    EXPECT_FALSE(import_fbx(folder.write("odd.fbx", text_with(fmt::format("0,0,0, 1,0,0, 0,1,0, {},1,0", word)))));
  }
}

TEST(FbxMends, NormalsColoursAndTextureCoordinatesThatAreNoNumbersAreReplaced) {
  const std::string more =
      "LayerElementNormal: 0 {\nMappingInformationType: \"ByVertice\"\nReferenceInformationType: \"Direct\"\n"
      "Normals: *12 { a: 0,0,-1, nan,0,0, 0,0,-1, 0,0,-1 }\n}\n"
      "LayerElementUV: 0 {\nMappingInformationType: \"ByVertice\"\nReferenceInformationType: \"Direct\"\n"
      "UV: *8 { a: 0.25,0.25, inf,0, 0.25,0.25, 0.25,0.25 }\n}\n";
  const ScratchFolder folder;
  const auto path = folder.write("odd.fbx", text_with("0,0,0, 1,0,0, 0,1,0, 1,1,0", more));
  const auto imported = import_fbx(path);
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  ASSERT_EQ(mesh.normals.size(), 4u);
  EXPECT_EQ(mesh.normals[0], glm::vec3(0, 0, -1)) << "as the file has it";
  EXPECT_EQ(mesh.normals[1], glm::vec3(0, 0, 1)) << "as its triangles lie";
  EXPECT_EQ(mesh.uvs[0], glm::vec2(0.25f, 0.75f));
  EXPECT_EQ(mesh.uvs[1], glm::vec2(0.0f, 0.0f));
  EXPECT_EQ(imported->repairs.normals_fixed, 1u);
  EXPECT_TRUE(noted(*imported, "1 texture coordinate, colour or morph offset was not finite"));
  EXPECT_FALSE(import_fbx(path, {.strict = true}));
}

TEST(FbxMends, KeysThatAreNoNumbersAreDropped) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "walk");
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 1, 2}, {0, std::numeric_limits<double>::quiet_NaN(), 20});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.clips().size(), 1u);
  EXPECT_NEAR(sample(imported->model, imported->model.clips()[0], 1.0).bones[0].translation.x, 10.0, 1e-5);
  EXPECT_TRUE(noted(*imported, "1 animation key was no finite number, a rotation without length"));
  EXPECT_FALSE(b.import({.strict = true}));
}

TEST(FbxMends, WordsWithoutQuotationMarksAreTakenAsText) {
  const ScratchFolder folder;
  const auto path = folder.write("odd.fbx", text_with("0,0,0, 1,0,0, 0,1,0, 1,1,0", "Culling: CullingOff\n"));
  const auto imported = import_fbx(path);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(noted(*imported, "1 element has values of a type that FBX does not know"));
  EXPECT_FALSE(import_fbx(path, {.strict = true}));
}

TEST(FbxMends, WeightsAndMatricesThatAreNoNumbersAreReplaced) {
  FbxBuilder b;
  b.model(1, "skin", 0, {}, "Mesh");
  b.triangle(2, 1);
  b.model(3, "bone", 0, {{"Lcl Translation", {0, 0, 5}}});
  b.object("Deformer", 4, "Deformer", "", "Skin", "");
  b.connect(4, 2);
  b.object("Deformer", 5, "SubDeformer", "", "Cluster",
           "Indexes: *3 { a: 0,1,2 }\nWeights: *3 { a: 1,nan,-1 }\n"
           "Transform: *16 { a: nan,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1 }\n");
  b.connect(5, 4);
  b.connect(3, 5);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  expect_near(posed(imported->model, rest_pose(imported->model))[0], {0, 0, 0}, 1e-6, "bound at rest");
  EXPECT_TRUE(noted(*imported, "2 vertex weights are negative or not finite"));
  EXPECT_TRUE(noted(*imported, "1 inverse bind matrix was not finite"));
  EXPECT_EQ(imported->repairs.vertices_unweighted, 2u);
  EXPECT_FALSE(b.import({.strict = true}));
}

}  // namespace
}  // namespace throng::test
