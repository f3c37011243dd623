// SPDX-License-Identifier: Apache-2.0
// Skinned positions of real files against ones computed by an independent program (shared/models/REFERENCE.json).

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "shared_files.h"
#include "throng/import/import.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

using ReferenceJson = nlohmann::json;

constexpr double kToleranceOfDiagonal = 1e-4;

const ReferenceJson& reference() {
  static const ReferenceJson json = [] {
    std::ifstream file(shared_folder() / "models/REFERENCE.json");
    return file ? ReferenceJson::parse(file) : ReferenceJson::object();
  }();
  return json;
}

std::vector<std::string> reference_files() {
  std::vector<std::string> files;
  if (reference().contains("files")) {
    for (const auto& [name, entries] : reference()["files"].items()) {
      if (name.starts_with("gltf/")) files.push_back(name);
    }
  }
  if (files.empty()) files.emplace_back();
  return files;
}

glm::dvec3 vector_of(const ReferenceJson& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

// Every vertex of every mesh, in model space, by its place in the file.
struct Posed {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<glm::dvec3>> positions;
  Bounds bounds;
  glm::dvec3 sum{0.0};
  std::size_t count = 0;
};

Posed posed(const Model& model, const Pose& pose) {
  Posed out;
  const auto palette = skinning_palette(model, pose);
  for (std::size_t m = 0; m < model.meshes().size(); ++m) {
    auto skinned = skin_mesh(model, m, pose, palette);
    for (const glm::dvec3& position : skinned.positions) {
      out.bounds.add(position);
      out.sum += position;
      ++out.count;
    }
    out.positions[{model.meshes()[m].node, model.meshes()[m].primitive}] = std::move(skinned.positions);
  }
  return out;
}

void compare(const Posed& found, const ReferenceJson& expected, const std::string& where) {
  const glm::dvec3 low = vector_of(expected["bbox_min"]);
  const glm::dvec3 high = vector_of(expected["bbox_max"]);
  const double tolerance = kToleranceOfDiagonal * glm::length(high - low);
  ASSERT_EQ(found.count, expected["count"].get<std::size_t>()) << where;
  EXPECT_LE(glm::length(found.bounds.min - low), tolerance) << where;
  EXPECT_LE(glm::length(found.bounds.max - high), tolerance) << where;
  const glm::dvec3 centroid = found.sum / static_cast<double>(found.count);
  EXPECT_LE(glm::length(centroid - vector_of(expected["centroid"])), tolerance) << where;
  for (const ReferenceJson& row : expected["verts"]) {
    const auto mesh = found.positions.find({row[0].get<std::uint32_t>(), row[1].get<std::uint32_t>()});
    ASSERT_NE(mesh, found.positions.end()) << where << row;
    const glm::dvec3 position = mesh->second.at(row[2].get<std::size_t>());
    const glm::dvec3 truth(row[3].get<double>(), row[4].get<double>(), row[5].get<double>());
    EXPECT_LE(glm::length(position - truth), tolerance) << where << " " << row;
  }
}

class GltfReference : public testing::TestWithParam<std::string> {};

TEST_P(GltfReference, PutsEveryVertexWhereTheReferenceHasIt) {
  if (GetParam().empty()) GTEST_SKIP() << "no shared folder";
  auto imported = import_model(shared_folder() / "models" / GetParam());
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  for (const ReferenceJson& entry : reference()["files"][GetParam()]) {
    if (entry["clip_index"].is_null()) {
      compare(posed(model, rest_pose(model)), entry, "at rest");
      continue;
    }
    const auto clip = entry["clip_index"].get<std::size_t>();
    ASSERT_LT(clip, model.clips().size());
    const double time = entry["t"].get<double>();
    compare(posed(model, sample(model, model.clips()[clip], time)), entry, fmt::format("clip {} at {} s", clip, time));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GltfReference, testing::ValuesIn(reference_files()),
                         [](const auto& file) { return test_name(file.param); });

TEST(GltfShared, AFileOfClipsWithoutMeshesIsAModel) {
  const auto file = shared_folder() / "models/gltf/kaykit_char/Med_MovementBasic.glb";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no shared folder";
  const auto imported = import_model(file);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.meshes().empty());
  EXPECT_FALSE(imported->model.clips().empty());
  EXPECT_FALSE(imported->model.bones().empty());
}

// Every glTF there is, in the reference or not.
TEST(GltfShared, EveryModelIsRead) {
  if (!std::filesystem::exists(shared_folder() / "models")) GTEST_SKIP() << "no shared folder";
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared_folder() / "models")) {
    const auto extension = entry.path().extension();
    if (extension != ".gltf" && extension != ".glb") continue;
    const auto imported = import_model(entry.path());
    ASSERT_TRUE(imported) << imported.error().message;
    ++read;
    for (const std::string& note : imported->notes) EXPECT_TRUE(is_one_line(note)) << note;
  }
  EXPECT_GE(read, 54u);
}

}  // namespace
}  // namespace throng::test
