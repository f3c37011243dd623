// SPDX-License-Identifier: Apache-2.0
// Compressed files made by others: each moves as its uncompressed original does.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gltf_builder.h"
#include "shared_files.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

std::filesystem::path model_file(const char* name) { return shared_folder() / "models/gltf" / name; }

// Every vertex of a model at rest and at several times of every clip: a path a vertex. Texture coordinates are its last
// point, as large as the model, so that they are held to the same share of it.
using Path = std::vector<glm::dvec3>;

// Times are whole thirtieths of a second: what gltfpack samples clips anew at.
std::vector<Path> paths(const Model& model) {
  std::vector<Pose> poses = {rest_pose(model)};
  for (const Clip& clip : model.clips()) {
    for (const double frame : {0.0, 3.0, 8.0, 13.0, 20.0}) poses.push_back(sample(model, clip, frame / 30.0));
  }
  const double diagonal = pose_bounds(model, poses[0]).diagonal();
  std::vector<Path> out;
  for (std::size_t m = 0; m < model.meshes().size(); ++m) {
    const std::size_t first = out.size();
    out.resize(first + model.meshes()[m].positions.size());
    for (const Pose& pose : poses) {
      const auto skinned = skin_mesh(model, m, pose, skinning_palette(model, pose));
      for (std::size_t v = 0; v < skinned.positions.size(); ++v) out[first + v].push_back(skinned.positions[v]);
    }
    const auto& uvs = model.meshes()[m].uvs;
    for (std::size_t v = 0; v < uvs.size(); ++v) out[first + v].emplace_back(glm::dvec2(uvs[v]) * diagonal, 0.0);
  }
  return out;
}

// How far the vertex of `b` that keeps closest to it is from a vertex of `a` on its whole path: the worst of all.
double furthest(const std::vector<Path>& a, const std::vector<Path>& b) {
  double worst = 0.0;
  for (const Path& path : a) {
    double best = 1e30;
    for (const Path& other : b) {
      double most = 0.0;
      for (std::size_t i = 0; i < path.size() && most < best; ++i)
        most = std::max(most, glm::length(path[i] - other.at(i)));
      best = std::min(best, most);
    }
    worst = std::max(worst, best);
  }
  return worst;
}

// The triangle codec may turn a triangle: each with its smallest index first.
std::vector<std::uint32_t> turned(std::vector<std::uint32_t> indices) {
  for (auto at = indices.begin(); at != indices.end(); at += 3) std::rotate(at, std::min_element(at, at + 3), at + 3);
  return indices;
}

struct Pair {
  Model original;
  Model compressed;
};

// Both as they are in the file; fails the test where one cannot be read.
std::optional<Pair> import_pair(const std::filesystem::path& original, const std::filesystem::path& compressed) {
  auto a = import_model(original);
  auto b = import_model(compressed);
  EXPECT_TRUE(a) << a.error().message;
  EXPECT_TRUE(b) << b.error().message;
  if (!a || !b) return std::nullopt;
  for (const Imported* imported : {&*a, &*b}) {
    for (const std::string& note : imported->notes) EXPECT_TRUE(is_one_line(note)) << note;
  }
  return Pair{std::move(a->model), std::move(b->model)};
}

// gltfpack -cc: meshopt streams of what Fox_quantized.glb has plain.
TEST(GltfCompressed, TheFoxInMeshoptIsTheQuantisedFox) {
  if (!std::filesystem::exists(model_file("derived"))) GTEST_SKIP() << "no shared folder";
  const auto pair = import_pair(model_file("derived/Fox_quantized.glb"), model_file("derived/Fox_meshopt.glb"));
  ASSERT_TRUE(pair);
  const double diagonal = pose_bounds(pair->original, rest_pose(pair->original)).diagonal();
  const auto a = paths(pair->original), b = paths(pair->compressed);
  ASSERT_EQ(a.size(), b.size());
  EXPECT_LE(furthest(a, b), 1e-3 * diagonal);
  EXPECT_LE(furthest(b, a), 1e-3 * diagonal);
  ASSERT_EQ(pair->original.clips().size(), pair->compressed.clips().size());
  EXPECT_EQ(pair->original.meshes()[0].indices.size(), pair->compressed.meshes()[0].indices.size());
}

// 14 bits a position, 8 a weight, and clips sampled anew at 30 Hz.
TEST(GltfCompressed, TheFoxInMeshoptMovesAsTheFoxDoes) {
  if (!std::filesystem::exists(model_file("derived"))) GTEST_SKIP() << "no shared folder";
  const auto pair = import_pair(model_file("khronos/Fox/Fox.glb"), model_file("derived/Fox_meshopt.glb"));
  ASSERT_TRUE(pair);
  const double diagonal = pose_bounds(pair->original, rest_pose(pair->original)).diagonal();
  const auto a = paths(pair->original), b = paths(pair->compressed);
  EXPECT_LE(furthest(a, b), 1e-3 * diagonal);
  EXPECT_LE(furthest(b, a), 1e-3 * diagonal);
}

// The file has its uncompressed bytes beside the streams: cubes of every codec version, mode and filter.
TEST(GltfCompressed, TheMeshoptCubesAreWhatTheirUncompressedBytesSay) {
  const auto file = model_file("khronos/MeshoptCubeTest/MeshoptCubeTest.gltf");
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no shared folder";
  Json json;
  std::ifstream(file) >> json;
  std::size_t streams = 0;
  for (Json& view : json["bufferViews"]) {
    streams += view.contains("extensions") ? 1 : 0;
    view.erase("extensions");
  }
  EXPECT_GE(streams, 60u);
  json["buffers"][1].erase("extensions");
  json["extensionsUsed"] = {"KHR_mesh_quantization"};
  const ScratchFolder folder;
  for (const char* name : {"MeshoptCubeTest.bin", "MeshoptCubeTestFallback.bin"})
    std::filesystem::copy_file(file.parent_path() / name, folder.path() / name);
  const auto pair = import_pair(folder.write("plain.gltf", json.dump()), file);
  ASSERT_TRUE(pair);
  ASSERT_EQ(pair->original.meshes().size(), pair->compressed.meshes().size());
  ASSERT_EQ(pair->original.meshes().size(), 35u);
  for (std::size_t m = 0; m < pair->original.meshes().size(); ++m) {
    const Mesh& a = pair->original.meshes()[m];
    const Mesh& b = pair->compressed.meshes()[m];
    EXPECT_EQ(a.positions, b.positions) << a.name;
    EXPECT_EQ(turned(a.indices), turned(b.indices)) << a.name;
    ASSERT_EQ(a.normals.size(), b.normals.size()) << a.name;
    ASSERT_EQ(a.colours.size(), b.colours.size()) << a.name;
    // Filters are exact to one unit in the last place of a byte.
    for (std::size_t v = 0; v < a.normals.size(); ++v)
      EXPECT_LE(glm::length(a.normals[v] - b.normals[v]), 2.0f / 127.0f);
    for (std::size_t v = 0; v < a.colours.size(); ++v)
      EXPECT_LE(glm::length(a.colours[v] - b.colours[v]), 2.0f / 255.0f);
  }
  EXPECT_LE(furthest(paths(pair->original), paths(pair->compressed)), 1e-4);
}

// Draco keeps the vertices and gives them another order; eleven bits a position here.
TEST(GltfCompressed, TheRiggedCylinderInDracoMovesAsTheCylinderDoes) {
  if (!std::filesystem::exists(model_file("khronos/RiggedSimple-Draco"))) GTEST_SKIP() << "no shared folder";
  const auto pair = import_pair(model_file("khronos/RiggedSimple/RiggedSimple.glb"),
                                model_file("khronos/RiggedSimple-Draco/RiggedSimple.gltf"));
  ASSERT_TRUE(pair);
  const double diagonal = pose_bounds(pair->original, rest_pose(pair->original)).diagonal();
  const auto a = paths(pair->original), b = paths(pair->compressed);
  ASSERT_EQ(a.size(), b.size());
  EXPECT_LE(furthest(a, b), 1e-3 * diagonal);
  EXPECT_LE(furthest(b, a), 1e-3 * diagonal);
  const Mesh& mesh = pair->compressed.meshes()[0];
  ASSERT_EQ(mesh.indices.size(), pair->original.meshes()[0].indices.size());
  for (const glm::vec3& normal : mesh.normals) EXPECT_NEAR(glm::length(normal), 1.0f, 1e-6f);
}

}  // namespace
}  // namespace throng::test
