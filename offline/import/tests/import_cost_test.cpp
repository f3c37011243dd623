// SPDX-License-Identifier: Apache-2.0
// What a small file may take: bytes allocated, counted.

#include <zlib.h>

#include "allocations.h"
#include "fbx/fbx_posed.h"
#include "fbx/fbx_writer.h"

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

std::string deflated_zeros(std::size_t size) {
  const std::string zeros(size, '\0');
  uLongf length = compressBound(static_cast<uLong>(size));
  std::string out(length, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &length, reinterpret_cast<const Bytef*>(zeros.data()),
            static_cast<uLong>(size), 9);
  out.resize(length);
  return out;
}

std::string array_of_zeros(std::size_t count) {
  const std::string packed = deflated_zeros(count * 4);
  const std::uint32_t head[3] = {static_cast<std::uint32_t>(count), 1, static_cast<std::uint32_t>(packed.size())};
  return std::string(reinterpret_cast<const char*>(head), sizeof head) + packed;
}

std::string file_of_zeros(const char* element, std::size_t count, std::size_t copies) {
  const std::string zeros = array_of_zeros(count);
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

}  // namespace
}  // namespace throng::test
