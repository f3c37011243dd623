// SPDX-License-Identifier: Apache-2.0
// Broken FBX: cut short anywhere, any byte changed, sizes that lie; made here and made by others. Never a crash, always
// one line.

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "fbx_builder.h"
#include "fbx_writer.h"
#include "shared_files.h"

namespace throng::test {
namespace {

// A skinned triangle that moves, as text.
std::string ascii_file() {
  FbxBuilder b;
  b.model(1, "skin", 0, {}, "Mesh");
  b.triangle(2, 1);
  b.model(3, "bone", 0, {{"Lcl Rotation", {0, 0, 10}}});
  b.object("Deformer", 4, "Deformer", "", "Skin", "");
  b.connect(4, 2);
  b.object("Deformer", 5, "SubDeformer", "", "Cluster", "Indexes: *3 { a: 0,1,2 }\nWeights: *3 { a: 1,1,1 }\n");
  b.connect(5, 4);
  b.connect(3, 5);
  b.take(10, "turn");
  b.curve(20, 10, 3, "Lcl Rotation", "d|Z", {0, 1}, {0, 90}, 0x8 | 0x100 | 0x4000);
  return b.text();
}

void begin_object(test::Writer& writer, const char* element, std::int64_t id, std::string_view name,
                  const char* subtype) {
  writer.begin(element);
  writer.id(id);
  writer.text(name);
  writer.text(subtype);
}

void connect(test::Writer& writer, std::int64_t source, std::int64_t target) {
  writer.begin("C");
  writer.text("OO");
  writer.id(source);
  writer.id(target);
  writer.end();
}

// A triangle on a node, as a binary file.
std::string binary_file() {
  using namespace std::string_view_literals;
  test::Writer writer;
  writer.begin("Objects");
  begin_object(writer, "Model", 1, "node\0\1Model"sv, "Mesh");
  writer.end();
  begin_object(writer, "Geometry", 2, "\0\1Geometry"sv, "Mesh");
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

// Read or refused, in either case in lines; true when read.
bool survives(const std::filesystem::path& path) {
  const auto imported = import_model(path);
  if (!imported) {
    EXPECT_TRUE(is_one_line(imported.error().message)) << imported.error().message;
    EXPECT_NE(imported.error().message.find(path.filename().string()), std::string::npos) << imported.error().message;
    return false;
  }
  for (const std::string& note : imported->notes) EXPECT_TRUE(is_one_line(note)) << note;
  // Whoever poses it must survive too.
  const Model& model = imported->model;
  for (const Clip& clip : model.clips()) pose_bounds(model, sample(model, clip, 0.5 * (clip.start + clip.end)));
  return true;
}

TEST(FbxHostile, WholeFilesAreRead) {
  const ScratchFolder folder;
  EXPECT_TRUE(survives(folder.write("text.fbx", ascii_file())));
  EXPECT_TRUE(survives(folder.write("binary.fbx", binary_file())));
}

TEST(FbxHostile, AFileCutShortAnywhereIsRefused) {
  const ScratchFolder folder;
  const std::string binary = binary_file();
  constexpr std::size_t kEndRecord = 13;
  for (std::size_t size = 0; size < binary.size(); ++size) {
    EXPECT_FALSE(survives(folder.write("binary.fbx", binary.substr(0, size)))) << size;
  }
  EXPECT_TRUE(survives(folder.write("binary.fbx", binary + std::string(kEndRecord, '\0'))));
  const std::string text = ascii_file();
  const std::size_t last = text.find_last_not_of("\n");
  for (std::size_t size = 0; size < text.size(); size += 7) {
    const bool read = survives(folder.write("text.fbx", text.substr(0, size)));
    EXPECT_FALSE(read && size <= last) << size;
  }
}

TEST(FbxHostile, AnyByteMayBeAnyOther) {
  const ScratchFolder folder;
  for (const std::string& whole : {binary_file(), ascii_file()}) {
    const std::size_t stride = std::max<std::size_t>(1, whole.size() / 150);
    for (std::size_t i = 0; i < whole.size(); i += stride) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ (1 << (i / stride % 8)));
      survives(folder.write("changed.fbx", changed));
    }
  }
}

struct Lie {
  const char* what;
  std::string from;
  std::string to;
  const char* reason;
  bool strict = false;
};

TEST(FbxHostile, LiesAreNamed) {
  const Lie lies[] = {
      {"more values than there are", "*3 {\n a: 0,1,-3", "*4 {\n a: 0,1,-3",
       "has an array of 3 values that should have 4"},
      {"a size below zero", "*3 {\n a: 0,1,-3", "*-3 {\n a: 0,1,-3", "should have -3"},
      {"a number that is none", "a: 0,1,-3", "a: 0,one,-3", "has 'one' where a value should be"},
      {"no comma", "a: 0,1,-3", "a: 0 1,-3", "lacks a '}'"},
      {"a point that is not there", "a: 0,1,-3", "a: 0,9,-3", "names vertex 9 of 3"},
      {"a point before the first", "a: 0,1,-3", "a: 0,1,-2147483648", "names vertex 2147483647 of 3"},
      {"a huge number", "a: 0,1,-3", "a: 0,99999999999,-3", "no numbers"},
      {"a position at infinity, strictly", "1,0,0,0,1,0\n}", "1,0,0,0,1e999,0\n}", "not finite", true},
      {"a brace too many", "Connections: {", "}\nConnections: {", "'}' too many"},
  };
  const ScratchFolder folder;
  for (const Lie& lie : lies) {
    std::string text = ascii_file();
    const std::size_t at = text.find(lie.from);
    ASSERT_NE(at, std::string::npos) << lie.what;
    text.replace(at, lie.from.size(), lie.to);
    const auto imported = import_fbx(folder.write("lie.fbx", text), {.strict = lie.strict});
    ASSERT_FALSE(imported) << lie.what;
    EXPECT_NE(imported.error().message.find(lie.reason), std::string::npos) << imported.error().message;
    EXPECT_TRUE(is_one_line(imported.error().message));
  }
}

TEST(FbxHostile, NestingWithoutEndIsRefused) {
  const ScratchFolder folder;
  std::string text = "; FBX 7.4.0 project file\n";
  for (int i = 0; i < 100000; ++i) text += "a: {\n";
  auto imported = import_fbx(folder.write("deep.fbx", text));
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("nested more than"), std::string::npos) << imported.error().message;
  FbxBuilder chain;
  for (int i = 1; i <= 1100; ++i) chain.model(i, fmt::format("link{}", i), i - 1);
  imported = chain.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("models nested more than 1000"), std::string::npos)
      << imported.error().message;
}

// A clip that would be sampled for ever, and one whose times are past all counting.
TEST(FbxHostile, EndlessClipsKeepTheirKeysOnly) {
  FbxBuilder b;
  b.model(1, "node", 0);
  b.take(10, "ages");
  b.curve(20, 10, 1, "Lcl Translation", "d|X", {0, 1e8}, {0, 1});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.clips().size(), 1u);
  EXPECT_EQ(imported->model.clips()[0].bones[0].translation.times.size(), 2u);
  EXPECT_NE(imported->notes.front().find("only its keys"), std::string::npos) << imported->notes.front();
}

TEST(FbxHostile, AnArrayThatInflatesToMoreThanItSaysIsRefused) {
  // 'd', a count, encoding 1, four bytes that are no deflated array.
  std::string file = binary_file();
  const std::size_t at = file.find("PolygonVertexIndex") + std::string_view("PolygonVertexIndex").size();
  ASSERT_EQ(file[at], 'i');
  file[at + 5] = 1;
  const ScratchFolder folder;
  auto imported = import_fbx(folder.write("deflated.fbx", file));
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("deflated array that is damaged"), std::string::npos)
      << imported.error().message;
  file[at + 4] = 0x70;
  imported = import_fbx(folder.write("huge.fbx", file));
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("would take 14336 MiB of memory"), std::string::npos)
      << imported.error().message;
}

// Files of others, with the verdict of ufbx where there is one.
struct Malformed {
  std::string file;
  bool reject = false;
};

void PrintTo(const Malformed& malformed, std::ostream* out) { *out << malformed.file; }

std::vector<Malformed> malformed_files() {
  std::vector<Malformed> files;
  for (const char* folder : {"ufbx-fuzz", "ufbx-synthetic"}) {
    const auto root = std::filesystem::path("malformed") / folder;
    std::ifstream table(shared_folder() / root / "EXPECTED_ufbx_default.tsv");
    std::string name;
    std::string verdict;
    for (std::string line; std::getline(table, line);) {
      std::istringstream(line) >> name >> verdict;
      files.push_back({(root / name).string(), verdict == "reject"});
    }
  }
  if (files.empty()) return {{}};
  for (const char* name :
       {"boxWithCompressedCTypeArray.FBX", "boxWithUncompressedCTypeArray.FBX", "cubes_with_outofrange_float.fbx"}) {
    files.push_back({std::string("malformed/assimp/") + name, false});
  }
  return files;
}

// What ufbx reads and we do not, and why.
const std::map<std::string, std::string> kRefusedByUs = {
    {"synthetic_unsupported_cube_2000_binary.fbx", "version 2000"},
    {"synthetic_unsupported_cube_8000_ascii.fbx", "version 8000"},
    {"fuzz_0128.fbx", "is cut short"},
    {"fuzz_0464.fbx", "is cut short"},
    {"fuzz_0696.fbx", "is cut short"},
};

class FbxMalformed : public testing::TestWithParam<Malformed> {};

TEST_P(FbxMalformed, IsReadOrRefusedInOneLine) {
  if (GetParam().file.empty()) GTEST_SKIP() << "no shared folder";
  const auto path = shared_folder() / GetParam().file;
  const auto refused = kRefusedByUs.find(path.filename().string());
  const bool read = survives(path);
  if (GetParam().reject)
    EXPECT_FALSE(import_fbx(path, {.strict = true}));
  else
    EXPECT_EQ(read, refused == kRefusedByUs.end());
  if (refused == kRefusedByUs.end()) return;
  const auto imported = import_fbx(path);
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find(refused->second), std::string::npos) << imported.error().message;
}

INSTANTIATE_TEST_SUITE_P(Files, FbxMalformed, testing::ValuesIn(malformed_files()),
                         [](const auto& file) { return test_name(file.param.file); });

}  // namespace
}  // namespace throng::test
