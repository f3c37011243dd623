// SPDX-License-Identifier: Apache-2.0
// What a small file may take: bytes allocated, counted.

#include <array>

#include "allocations.h"
#include "cpu_time.h"
#include "fbx/fbx_posed.h"
#include "fbx/fbx_writer.h"
#include "gltf/draco_streams.h"
#include "gltf/meshopt_streams.h"
#include "instrumented.h"
#include "weighted_file.h"

namespace throng::test {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

struct Cost {
  std::string error;  // empty: read
  std::size_t peak = 0;
};

Cost cost_of(const std::filesystem::path& path, const ImportSettings& settings = {}) {
  Cost cost;
  cost.peak = allocations_of([&] {
                const auto imported = import_model(path, settings);
                if (!imported) cost.error = imported.error().message;
              }).peak;
  return cost;
}

// 857 bytes: a mesh of vertices out of nothing, on 46 nodes.
TEST(ImportCost, VerticesOutOfNothingAreCountedForEveryNodeThatShowsThem) {
  const auto file_of = [](std::size_t vertices, std::size_t nodes) {
    std::string list;
    for (std::size_t i = 0; i < nodes; ++i) list += i == 0 ? R"({"mesh":0})" : R"(,{"mesh":0})";
    return fmt::format(R"({{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{{"primitives":[{{"attributes":)"
                       R"({{"POSITION":0}}}}]}}],"accessors":[{{"componentType":5126,"count":{},"type":"VEC3",)"
                       R"("min":[0,0,0],"max":[0,0,0]}}]}})",
                       list, vertices);
  };
  const ScratchFolder folder;
  const Cost much = cost_of(folder.write("much.gltf", file_of(5500000, 46)));
  EXPECT_NE(much.error.find("MiB of memory, with its vertices and indices; 512 MiB is what a file of"),
            std::string::npos)
      << much.error;
  EXPECT_LT(much.peak, kMebibyte);
  // As much as is allowed is taken at the most.
  const auto path = folder.write("some.gltf", file_of(50000, 20));
  const Cost some = cost_of(path);
  EXPECT_EQ(some.error, "");
  EXPECT_GT(some.peak, 30 * kMebibyte);
  EXPECT_LT(some.peak, 512 * kMebibyte);
  EXPECT_NE(cost_of(path, {.budget = 40 * kMebibyte}).error.find("; 40 MiB is what"), std::string::npos);
  EXPECT_EQ(cost_of(path, {.budget = 200 * kMebibyte}).error, "");
}

// However often and by whatever names a file is named, its bytes count once; the model's own are counted before.
TEST(ImportCost, AFileThatIsNamedManyTimesVouchesForItsBytesOnce) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder.path() / "sub");
  folder.write("beside.bin", std::string(kMebibyte, 'b'));
  std::filesystem::create_symlink("beside.bin", folder.path() / "link.bin");
  const auto file_of = [](const std::vector<std::string>& uris) {
    Json buffers = Json::array();
    for (const std::string& uri : uris) buffers.push_back({{"uri", uri}, {"byteLength", 1}});
    const Json file = {{"asset", {{"version", "2.0"}}}, {"buffers", std::move(buffers)}};
    std::string text = file.dump();
    text.append(kMebibyte - text.size(), ' ');
    return text;
  };
  const auto data_uri = "data:application/octet-stream;base64," + std::string(kMebibyte / 2, 'A');
  struct Case {
    const char* what;
    std::vector<std::string> uris;
    std::uint64_t mebibytes;  // of the budget: 512, and 128 for each mebibyte behind the first
  };
  const Case cases[] = {
      {"itself", std::vector<std::string>(1000, "model.gltf"), 512},
      {"itself by other names", {"./model.gltf", "sub/../model.gltf", "model%2Egltf"}, 512},
      {"data URIs", {data_uri}, 512},
      {"one file", {"beside.bin"}, 640},
      {"one file often", std::vector<std::string>(1000, "beside.bin"), 640},
      {"one file by many names", {"beside.bin", "./beside.bin", "sub/../beside.bin", "link.bin"}, 640},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const auto imported = import_model(folder.write("model.gltf", file_of(one.uris)));
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->budget, one.mebibytes * kMebibyte);
  }
}

// Every primitive on every node is a mesh of its own, with its names: a file writes each of them once.
TEST(ImportCost, MeshesAndTheirNamesAreCountedForEveryNodeThatShowsThem) {
  const auto times = [](std::size_t count, const std::string& text) {
    std::string list = text;
    for (std::size_t i = 1; i < count; ++i) list += ',' + text;
    return list;
  };
  struct Case {
    const char* what;
    std::string nodes;
    std::string mesh;
  };
  const std::string primitive = R"({"attributes":{"POSITION":0}})";
  const std::string target = R"({"attributes":{"POSITION":0},"targets":[{"POSITION":0}]})";
  const auto named = [](std::size_t letters) { return fmt::format(R"("name":"{}")", std::string(letters, 'n')); };
  const std::string of_one = fmt::format(R"("primitives":[{}])", primitive);
  const std::string of_many = fmt::format(R"("primitives":[{}])", times(1000, primitive));
  const Case cases[] = {
      {"mesh names", times(1000, R"({"mesh":0})"), of_one + ',' + named(100000)},
      {"node names", R"({"mesh":0,)" + named(100000) + '}', of_many},
      {"target names", times(1000, R"({"mesh":0})"),
       fmt::format(R"("primitives":[{}],"extras":{{"targetNames":["{}"]}})", target, std::string(100000, 't'))},
      {"meshes", times(200, R"({"mesh":0})"), of_many},
      {"nothing", times(200, R"({"mesh":0})"),
       fmt::format(R"("primitives":[{}])", times(1000, R"({"attributes":{}})"))},
  };
  const ScratchFolder folder;
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    const std::string file =
        fmt::format(R"({{"asset":{{"version":"2.0"}},"nodes":[{}],"meshes":[{{{}}}],"accessors":[)"
                    R"({{"componentType":5126,"count":1,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}}]}})",
                    one.nodes, one.mesh);
    const Cost much = cost_of(folder.write("much.gltf", file), {.budget = 64 * kMebibyte});
    EXPECT_NE(much.error.find("MiB of memory, with its meshes and their names; 64 MiB is what"), std::string::npos)
        << much.error;
    EXPECT_LT(much.peak, 16 * kMebibyte);
  }
}

// Targets that move nothing have an offset for every vertex all the same, and matrices out of nothing are matrices.
TEST(ImportCost, WhatNoBytesTellOfIsCounted) {
  std::string targets = "{}";
  for (int i = 1; i < 200; ++i) targets += ",{}";
  const std::string accessors = R"("accessors":[{"componentType":5126,"count":30000,"type":"VEC3","min":[0,0,0],)"
                                R"("max":[0,0,0]},{"componentType":5126,"count":500000,"type":"MAT4"}])";
  const auto file_of = [&](const std::string& target_list, const std::string& more) {
    return fmt::format(R"({{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[)"
                       R"({{"attributes":{{"POSITION":0}}{}}}]}}],{}{}}})",
                       target_list, accessors, more);
  };
  const ScratchFolder folder;
  const ImportSettings settings{.budget = 48 * kMebibyte};
  const Cost plain = cost_of(folder.write("plain.gltf", file_of("", "")), settings);
  EXPECT_EQ(plain.error, "");
  const Cost morphs = cost_of(folder.write("morphs.gltf", file_of(",\"targets\":[" + targets + "]", "")), settings);
  EXPECT_NE(morphs.error.find("with its vertices and indices; 48 MiB is what"), std::string::npos) << morphs.error;
  const Cost skins = cost_of(
      folder.write("skins.gltf", file_of("", R"(,"skins":[{"joints":[0],"inverseBindMatrices":1}])")), settings);
  EXPECT_NE(skins.error.find("with its skins; 48 MiB is what"), std::string::npos) << skins.error;
  for (const Cost& cost : {plain, morphs, skins}) EXPECT_LT(cost.peak, 48 * kMebibyte);
}

// Every primitive with morph targets has the node's weights as a track of its own.
TEST(ImportCost, WeightsAreCountedForEveryPrimitiveThatTheyMove) {
  std::string primitives;
  for (int i = 0; i < 400; ++i) {
    primitives += fmt::format(R"({}{{"attributes":{{"POSITION":0}},"targets":[{{"POSITION":0}},{{"POSITION":0}}]}})",
                              i == 0 ? "" : ",");
  }
  const std::string file =
      fmt::format(R"({{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{}]}}],)"
                  R"("animations":[{{"samplers":[{{"input":1,"output":2}}],)"
                  R"("channels":[{{"sampler":0,"target":{{"node":0,"path":"weights"}}}}]}}],)"
                  R"("accessors":[{{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}},)"
                  R"({{"componentType":5126,"count":100000,"type":"SCALAR","min":[0],"max":[1]}},)"
                  R"({{"componentType":5126,"count":200000,"type":"SCALAR"}}]}})",
                  primitives);
  const ScratchFolder folder;
  const Cost much = cost_of(folder.write("much.gltf", file));
  EXPECT_NE(much.error.find("MiB of memory, with its animation keys; 512 MiB is what a file of"), std::string::npos)
      << much.error;
  EXPECT_LT(much.peak, 8 * kMebibyte);
}

std::string file_of_zeros(const char* element, std::size_t count, std::size_t copies) {
  const std::string zeros = deflated_zeros(count, sizeof(std::int32_t));
  Writer writer;
  writer.begin("Objects");
  writer.begin("Geometry");
  writer.id(2);
  writer.text("\0\1Geometry"sv);
  writer.text("Mesh");
  for (std::size_t i = 0; i < copies; ++i) {
    writer.begin(element);
    writer.value_of_type('i', zeros);
    writer.end();
  }
  writer.end();
  writer.end();
  writer.begin("Connections");
  writer.begin("C");
  writer.text("OO");
  writer.id(2);
  writer.id(0);
  writer.end();
  writer.end();
  const auto bytes = writer.finish();
  return {bytes.begin(), bytes.end()};
}

TEST(ImportCost, DeflatedZerosAreCountedBeforeTheyAreUnpacked) {
  const ScratchFolder folder;
  constexpr std::size_t kCount = std::size_t{1} << 22;
  const Cost much = cost_of(folder.write("zeros.fbx", file_of_zeros("PolygonVertexIndex", kCount, 20)));
  EXPECT_NE(much.error.find("MiB of memory, with its"), std::string::npos) << much.error;
  EXPECT_LT(much.peak, 512 * kMebibyte);
  // Nobody reads smoothing: it is not unpacked at all.
  const Cost unread = cost_of(folder.write("unread.fbx", file_of_zeros("Smoothing", kCount, 20)));
  EXPECT_EQ(unread.error, "");
  EXPECT_LT(unread.peak, 4 * kMebibyte);
}

TEST(ImportCost, AClipMayNotTakeMoreThanItsFileMay) {
  FbxBuilder b;
  for (int i = 0; i < 64; ++i) b.model(100 + i, fmt::format("bone{}", i), 0);
  for (int t = 0; t < 8; ++t) {
    b.take(1000 * (t + 1), fmt::format("take{}", t));
    for (int i = 0; i < 64; ++i) {
      b.curve(1000 * (t + 1) + 10 + 2 * i, 1000 * (t + 1), 100 + i, "Lcl Translation", "d|X", {0, 1000}, {0, 1});
    }
  }
  const ScratchFolder folder;
  const Cost much = cost_of(folder.write("long.fbx", b.text()), {.budget = 64 * kMebibyte});
  EXPECT_NE(much.error.find("64 MiB is what a file of"), std::string::npos) << much.error;
  EXPECT_LT(much.peak, 128 * kMebibyte);
}

// A triangle whose texture coordinates are chosen among far more than it has corners.
std::string file_of_spare_uvs(std::size_t nodes, std::size_t numbers) {
  Writer writer;
  writer.begin("Objects");
  for (std::size_t i = 0; i < nodes; ++i) {
    writer.begin("Model");
    writer.id(static_cast<std::int64_t>(1000 + i));
    writer.text(fmt::format("n{}", i) + std::string("\0\1Model", 7));
    writer.text("Mesh");
    writer.end();
  }
  writer.begin("Geometry");
  writer.id(2);
  writer.text("\0\1Geometry"sv);
  writer.text("Mesh");
  writer.element("Vertices", std::array{0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0});
  writer.element("PolygonVertexIndex", std::array{0, 1, -3});
  writer.begin("LayerElementUV");
  writer.element("MappingInformationType", "ByPolygonVertex");
  writer.element("ReferenceInformationType", "IndexToDirect");
  writer.begin("UV");
  writer.value_of_type('d', deflated_zeros(numbers, sizeof(double)));
  writer.end();
  writer.element("UVIndex", std::array{0, 1, 2});
  writer.end();
  writer.end();
  writer.end();
  writer.begin("Connections");
  for (std::size_t i = 0; i < nodes; ++i) {
    for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>(1000 + i, 0), {2, 1000 + i}}) {
      writer.begin("C");
      writer.text("OO");
      writer.id(static_cast<std::int64_t>(from));
      writer.id(static_cast<std::int64_t>(to));
      writer.end();
    }
  }
  writer.end();
  const auto bytes = writer.finish();
  return {bytes.begin(), bytes.end()};
}

TEST(ImportCost, LayersAreCountedForEveryNodeThatShowsTheirGeometry) {
  const ScratchFolder folder;
  constexpr std::size_t kNumbers = std::size_t{1} << 18;  // 2 MiB
  const Cost much = cost_of(folder.write("much.fbx", file_of_spare_uvs(64, kNumbers)), {.budget = 64 * kMebibyte});
  EXPECT_NE(much.error.find("MiB of memory, with its UV; 64 MiB is what"), std::string::npos) << much.error;
  EXPECT_LT(much.peak, 64 * kMebibyte);
  const Cost some = cost_of(folder.write("some.fbx", file_of_spare_uvs(16, kNumbers)), {.budget = 64 * kMebibyte});
  EXPECT_EQ(some.error, "");
  EXPECT_LT(some.peak, 64 * kMebibyte);
}

// One geometry on many models: each has its name, and the names of its shapes.
TEST(ImportCost, NamesAreCountedForEveryModelThatShowsTheirGeometry) {
  const auto file_of = [](const std::string& geometry, const std::string& shape) {
    FbxBuilder b;
    b.model(1000, "n0", 0, {}, "Mesh");
    b.triangle(2, 1000);
    if (!geometry.empty()) {
      // A second geometry, named at length, on the same models.
      b.object("Geometry", 5, "Geometry", geometry, "Mesh",
               "Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\nPolygonVertexIndex: *3 { a: 0,1,-3 }\n");
    }
    if (!shape.empty()) {
      b.object("Deformer", 3, "Deformer", "", "BlendShape", "");
      b.object("Deformer", 4, "SubDeformer", shape, "BlendShapeChannel", "");
      b.object("Geometry", 6, "Geometry", "", "Shape", "Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,1 }\n");
      b.connect(3, 2);
      b.connect(4, 3);
      b.connect(6, 4);
    }
    for (int i = 1; i < 1000; ++i) {
      b.model(1000 + i, fmt::format("n{}", i), 0, {}, "Mesh");
      b.connect(geometry.empty() ? 2 : 5, 1000 + i);
    }
    return b.text();
  };
  const ScratchFolder folder;
  const std::string name(100000, 'n');
  for (const std::string& text : {file_of(name, ""), file_of("", name)}) {
    const Cost much = cost_of(folder.write("names.fbx", text), {.budget = 64 * kMebibyte});
    EXPECT_NE(much.error.find("MiB of memory, with its meshes and their names; 64 MiB is what"), std::string::npos)
        << much.error;
    EXPECT_LT(much.peak, 64 * kMebibyte);
  }
}

// Many shapes and one long curve: every sample has the weight of every shape.
TEST(ImportCost, WeightsOfShapesAreCountedBeforeTheyAreSampled) {
  FbxBuilder b;
  b.model(1, "face", 0, {}, "Mesh");
  b.triangle(2, 1);
  b.object("Deformer", 3, "Deformer", "", "BlendShape", "");
  b.connect(3, 2);
  for (int i = 0; i < 200; ++i) {
    b.object("Deformer", 1000 + i, "SubDeformer", fmt::format("c{}", i), "BlendShapeChannel", "");
    b.object("Geometry", 2000 + i, "Geometry", "", "Shape", "Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,1 }\n");
    b.connect(1000 + i, 3);
    b.connect(2000 + i, 1000 + i);
  }
  b.take(10, "talk");
  b.curve(20, 10, 1000, "DeformPercent", "d|DeformPercent", {0, 1000}, {0, 100}, 0x8 | 0x100);
  const ScratchFolder folder;
  const auto path = folder.write("shapes.fbx", b.text());
  const Cost much = cost_of(path, {.budget = 64 * kMebibyte});
  EXPECT_NE(much.error.find("MiB of memory, with its weights of shapes; 64 MiB is what"), std::string::npos)
      << much.error;
  EXPECT_LT(much.peak, 64 * kMebibyte);
}

// Twenty nodes for a hundred seconds: enough for straight lines, but cubics are looked at six times as often.
TEST(ImportCost, CurvesAreCountedAsOftenAsTheyAreLookedAt) {
  const auto file_of = [](std::uint32_t keys, double degrees) {
    FbxBuilder b;
    b.take(10, "spin");
    for (int i = 0; i < 20; ++i) {
      b.model(100 + i, fmt::format("bone{}", i), 0);
      b.curve(1000 + 2 * i, 10, 100 + i, "Lcl Rotation", "d|X", {0, 100}, {0, degrees}, keys);
    }
    return b.text();
  };
  const ScratchFolder folder;
  const ImportSettings settings{.budget = 16 * kMebibyte};
  EXPECT_EQ(cost_of(folder.write("lines.fbx", file_of(kLinearKeys, 90)), settings).error, "");
  const Cost cubics = cost_of(folder.write("cubics.fbx", file_of(0x8 | 0x100, 90)), settings);
  EXPECT_NE(cubics.error.find("steps to read, with its clips; "), std::string::npos) << cubics.error;
  EXPECT_LT(cubics.peak, 16 * kMebibyte);
  // Sixty-four samples a frame, counted before any is looked at.
  const Cost turns = cost_of(folder.write("turns.fbx", file_of(kLinearKeys, 1e9)), settings);
  EXPECT_NE(turns.error.find("16 MiB is what a file of"), std::string::npos) << turns.error;
  EXPECT_LT(turns.peak, 16 * kMebibyte);
}

// One stream named by many views.
TEST(ImportCost, CompressedViewsAreCountedBeforeTheyAreDecoded) {
  constexpr std::size_t kCount = 8192;
  constexpr std::size_t kStride = 256;
  const Bytes stream = encode_attributes(std::vector<std::uint8_t>(kCount * kStride), kStride);
  GltfBuilder b = triangle_file();
  const int packed = b.view(stream);
  const Json where = b.json["bufferViews"][static_cast<std::size_t>(packed)];
  b.json["buffers"][1] = {{"byteLength", kCount * kStride},
                          {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}};
  for (int i = 0; i < 40; ++i) {
    b.append("bufferViews", {{"buffer", 1},
                             {"byteLength", kCount * kStride},
                             {"byteStride", kStride},
                             {"extensions",
                              {{"EXT_meshopt_compression",
                                {{"buffer", 0},
                                 {"byteOffset", where["byteOffset"]},
                                 {"byteLength", stream.size()},
                                 {"byteStride", kStride},
                                 {"count", kCount},
                                 {"mode", "ATTRIBUTES"}}}}}});
  }
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  const ScratchFolder folder;
  const auto path = folder.write("views.gltf", b.gltf());
  const Cost much = cost_of(path, {.budget = 64 * kMebibyte});
  EXPECT_NE(much.error.find("MiB of memory, with its compressed buffer views; 64 MiB is what"), std::string::npos)
      << much.error;
  EXPECT_LT(much.peak, 16 * kMebibyte);
  EXPECT_EQ(cost_of(path, {.budget = 128 * kMebibyte}).error, "");
}

// One stream shown by many primitives, each of which decodes it anew.
TEST(ImportCost, CompressedTrianglesAreCountedBeforeTheyAreDecoded) {
  const Strip strip = make_strip(10000);
  GltfBuilder b = draco_file(strip, encode(strip, draco::MESH_EDGEBREAKER_ENCODING, 8));
  const ScratchFolder folder;
  const auto path = folder.write("strip.gltf", b.gltf());
  const Cost refused = cost_of(path, {.budget = kMebibyte});
  EXPECT_NE(refused.error.find("MiB of memory, with its compressed meshes; 1 MiB is what"), std::string::npos)
      << refused.error;
  EXPECT_LT(refused.peak, 4 * kMebibyte);  // the text, and the bytes in it
  const Cost read = cost_of(path, {.budget = 32 * kMebibyte});
  EXPECT_EQ(read.error, "");
  EXPECT_LT(read.peak, 32 * kMebibyte);
}

// Bones in a row as long as the file, whose inverse bind matrices are no numbers: each is at its place at rest instead.
TEST(ImportCost, RestPosesOfARowOfBonesAreWorkedOutOnce) {
  constexpr int kBones = 6000, kSkins = 12;
  GltfBuilder b = triangle_file();
  auto& primitive = b.json["meshes"][0]["primitives"][0];
  primitive["attributes"]["JOINTS_0"] = b.accessor<std::uint8_t>(std::vector<std::uint8_t>(12), "VEC4", kU8);
  primitive["attributes"]["WEIGHTS_0"] = b.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  // In one stream of a few bytes.
  std::vector<float> matrices(16 * kBones, std::numeric_limits<float>::quiet_NaN());
  const Bytes plain(reinterpret_cast<const std::uint8_t*>(matrices.data()),
                    reinterpret_cast<const std::uint8_t*>(matrices.data() + matrices.size()));
  const Bytes stream = encode_attributes(plain, 64);
  const int packed = b.view(stream);
  const Json where = b.json["bufferViews"][static_cast<std::size_t>(packed)];
  b.json["buffers"][1] = {{"byteLength", plain.size()},
                          {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}};
  const int view = b.append("bufferViews", {{"buffer", 1},
                                            {"byteLength", plain.size()},
                                            {"extensions",
                                             {{"EXT_meshopt_compression",
                                               {{"buffer", 0},
                                                {"byteOffset", where["byteOffset"]},
                                                {"byteLength", stream.size()},
                                                {"byteStride", 64},
                                                {"count", kBones},
                                                {"mode", "ATTRIBUTES"}}}}}});
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  const int accessor =
      b.append("accessors", {{"bufferView", view}, {"componentType", kF32}, {"count", kBones}, {"type", "MAT4"}});
  const auto first = static_cast<int>(b.json["nodes"].size());
  Json joints = Json::array();
  for (int i = 0; i < kBones; ++i) {
    joints.push_back(first + i);
    b.append("nodes", i + 1 < kBones ? Json{{"children", {first + i + 1}}} : Json::object());
  }
  Json roots = {0, first};
  for (int s = 0; s < kSkins; ++s) {
    b.append("skins", {{"joints", joints}, {"inverseBindMatrices", accessor}});
    roots.push_back(b.append("nodes", {{"mesh", 0}, {"skin", s}}));
  }
  b.json["scenes"][0]["nodes"] = roots;
  const ScratchFolder folder;
  const auto path = folder.write("row.gltf", b.gltf());
  EXPECT_LT(std::filesystem::file_size(path), kMebibyte);
  const double before = cpu_seconds();
  const auto imported = import_model(path);
  const double cpu = cpu_seconds() - before;
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.bones().size(), first + kBones + kSkins);
  EXPECT_TRUE(kInstrumented || cpu < 2.0) << cpu << " s";
}

// Values that nothing uses are looked at all the same.
TEST(ImportCost, AccessorsThatNobodyUsesAreCounted) {
  GltfBuilder b = triangle_file();
  const int indices = b.view(std::vector<std::uint32_t>{0});
  const int values = b.view(std::vector<float>{0});
  const auto file_of = [&](int accessors) {
    GltfBuilder all = b;
    for (int i = 0; i < accessors; ++i) {
      all.append("accessors", {{"componentType", kF32},
                               {"count", 1 << 20},
                               {"type", "SCALAR"},
                               {"sparse",
                                {{"count", 1},
                                 {"indices", {{"bufferView", indices}, {"componentType", kU32}}},
                                 {"values", {{"bufferView", values}}}}}});
    }
    return all.gltf();
  };
  const ScratchFolder folder;
  const ImportSettings settings{.budget = 64 * kMebibyte};
  const Cost much = cost_of(folder.write("much.gltf", file_of(63)), settings);
  EXPECT_NE(much.error.find("MiB of memory, with its accessors; 64 MiB is what"), std::string::npos) << much.error;
  EXPECT_LT(much.peak, kMebibyte);
  EXPECT_EQ(cost_of(folder.write("some.gltf", file_of(4)), settings).error, "");
}

// What dropping influences does is seen by reading the file once more, while the first model is held.
TEST(ImportCost, ASecondReadingStaysWithinTheBudgetToo) {
  const GltfBuilder b =
      weighted_file(std::vector<std::vector<float>>(30000, {0.3f, 0.2f, 0.1f, 0.1f, 0.1f, 0.1f, 0.05f, 0.05f}));
  const ScratchFolder folder;
  const auto path = folder.write("weights.gltf", b.gltf());
  // Enough for one reading, or for both.
  for (const auto& [budget, measured] : {std::pair<std::size_t, bool>(24, false), {64, true}}) {
    const ImportSettings settings{.budget = budget * kMebibyte};
    EXPECT_LT(cost_of(path, settings).peak, budget * kMebibyte);
    const auto imported = import_model(path, settings);
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(mentions(imported->notes, "dropping influences beyond the 4 strongest"), measured) << budget;
  }
}

}  // namespace
}  // namespace throng::test
