// SPDX-License-Identifier: Apache-2.0
// The same model as FBX and as glTF, exported or converted by others.

#include <cmath>

#include "shared_files.h"
#include "throng/import/import.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

struct Twins {
  const char* fbx;
  const char* gltf;
  std::size_t shared_clips;
  double mean_of_diagonal;  // allowed
};

// Both FBX files declare centimetres; glTF is in metres.
constexpr double kMetresPerUnit = 0.01;

// Pug's twin came from Blender apart from the FBX, with keys thinned out; Trex's was converted from this very FBX.
constexpr Twins kTwins[] = {
    {"fbx/quaternius/Pug.fbx", "gltf/quaternius/Pug.gltf", 2, 5e-4},
    {"fbx/quaternius/Trex.fbx", "gltf/quaternius/dinosaurs_pack_Trex.glb", 6, 1e-6},
};

void PrintTo(const Twins& twins, std::ostream* out) { *out << twins.fbx; }

std::vector<glm::dvec3> points(const Model& model, const Pose& pose, double scale) {
  std::vector<glm::dvec3> all;
  const auto palette = skinning_palette(model, pose);
  for (std::size_t m = 0; m < model.meshes().size(); ++m) {
    for (const glm::dvec3& position : skin_mesh(model, m, pose, palette).positions) all.push_back(position * scale);
  }
  return all;
}

// Of every eighth point: all against all takes long.
double mean_distance(const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < from.size(); i += 8) {
    double nearest = 1e300;
    for (const glm::dvec3& other : to) nearest = std::min(nearest, glm::dot(from[i] - other, from[i] - other));
    sum += std::sqrt(nearest);
    ++count;
  }
  return sum / static_cast<double>(count);
}

// Blender's FBX exporter puts the skeleton's name before the clip's.
std::string plain(const std::string& clip) { return clip.substr(clip.rfind('|') + 1); }

class FbxTwins : public testing::TestWithParam<Twins> {};

TEST_P(FbxTwins, MoveAlikeInEveryClipTheyShare) {
  if (!std::filesystem::exists(shared_folder() / "models")) GTEST_SKIP() << "no shared folder";
  const auto fbx = import_model(shared_folder() / "models" / GetParam().fbx);
  const auto gltf = import_model(shared_folder() / "models" / GetParam().gltf);
  ASSERT_TRUE(fbx) << fbx.error().message;
  ASSERT_TRUE(gltf) << gltf.error().message;
  std::size_t compared = 0;
  for (const Clip& a : fbx->model.clips()) {
    for (const Clip& b : gltf->model.clips()) {
      if (plain(a.name) != plain(b.name)) continue;
      ++compared;
      EXPECT_NEAR(a.length(), b.length(), 1e-4) << a.name;
      for (const double part : {0.0, 0.29, 0.5, 1.0}) {
        const auto ours = points(fbx->model, sample(fbx->model, a, a.start + part * a.length()), kMetresPerUnit);
        const auto theirs = points(gltf->model, sample(gltf->model, b, b.start + part * b.length()), 1.0);
        Bounds bounds;
        for (const auto& point : theirs) bounds.add(point);
        const double allowed = GetParam().mean_of_diagonal * bounds.diagonal();
        EXPECT_LE(mean_distance(ours, theirs), allowed) << a.name << " at " << part;
        EXPECT_LE(mean_distance(theirs, ours), allowed) << a.name << " at " << part;
      }
    }
  }
  EXPECT_EQ(compared, GetParam().shared_clips);
}

INSTANTIATE_TEST_SUITE_P(Files, FbxTwins, testing::ValuesIn(kTwins),
                         [](const auto& twins) { return test_name(twins.param.fbx); });

// FBX2glTF, which made the Trex's twin, works by Autodesk's own rules.
TEST(FbxTwinsColours, AreWhatTheConverterMadeOfThem) {
  if (!std::filesystem::exists(shared_folder() / "models")) GTEST_SKIP() << "no shared folder";
  const auto fbx = import_model(shared_folder() / "models" / kTwins[1].fbx);
  const auto gltf = import_model(shared_folder() / "models" / kTwins[1].gltf);
  ASSERT_TRUE(fbx && gltf);
  std::size_t compared = 0;
  for (const Material& a : fbx->model.materials()) {
    for (const Material& b : gltf->model.materials()) {
      if (a.name != b.name) continue;
      ++compared;
      EXPECT_LE(glm::length(a.base_colour - b.base_colour), 1e-5f) << a.name;
    }
  }
  EXPECT_EQ(compared, 5u);
}

struct Placed {
  glm::dvec3 position;
  glm::dvec3 normal;
};

std::vector<Placed> at_rest(const Model& model, double scale) {
  std::vector<Placed> all;
  const Pose pose = rest_pose(model);
  const auto palette = skinning_palette(model, pose);
  for (std::size_t m = 0; m < model.meshes().size(); ++m) {
    const auto skinned = skin_mesh(model, m, pose, palette);
    for (std::size_t v = 0; v < skinned.positions.size(); ++v) {
      all.push_back({skinned.positions[v] * scale, skinned.normals.at(v)});
    }
  }
  return all;
}

TEST(FbxTwinsNormals, AreThoseOfTheTwin) {
  if (!std::filesystem::exists(shared_folder() / "models")) GTEST_SKIP() << "no shared folder";
  const auto fbx = import_model(shared_folder() / "models" / kTwins[1].fbx);
  const auto gltf = import_model(shared_folder() / "models" / kTwins[1].gltf);
  ASSERT_TRUE(fbx && gltf);
  const auto theirs = at_rest(gltf->model, 1.0);
  double worst = 0.0;
  for (const Placed& ours : at_rest(fbx->model, kMetresPerUnit)) {
    double nearest = 1e30;
    for (const Placed& other : theirs) {
      nearest =
          std::min(nearest, glm::length(ours.position - other.position) + glm::length(ours.normal - other.normal));
    }
    worst = std::max(worst, nearest);
  }
  EXPECT_LE(worst, 1e-3);
}

// A clip file and a mesh file of the same skeleton, from ozz-animation; and one of assimp's own tests.
TEST(FbxSharedFiles, SkeletonsMeshesAndClipsAreThere) {
  const auto folder = shared_folder() / "models/fbx";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no shared folder";
  const auto arnaud = import_model(folder / "ozz/arnaud.fbx");
  ASSERT_TRUE(arnaud) << arnaud.error().message;
  EXPECT_EQ(arnaud->model.bones().size(), 55u);
  EXPECT_EQ(arnaud->model.bindings().size(), 53u);
  ASSERT_EQ(arnaud->model.meshes().size(), 1u);
  EXPECT_EQ(arnaud->model.meshes()[0].indices.size(), 3u * 6670u);
  EXPECT_FALSE(arnaud->model.meshes()[0].colours.empty());
  EXPECT_EQ(arnaud->repairs.vertices_cut, 30u);
  // A man of 183 cm.
  EXPECT_NEAR(pose_bounds(arnaud->model, rest_pose(arnaud->model)).size().y, 183.0, 1.0);
  const auto run = import_model(folder / "ozz/run.fbx");
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->model.meshes().empty());
  ASSERT_EQ(run->model.clips().size(), 1u);
  EXPECT_EQ(run->model.clips()[0].name, "run");
  EXPECT_NEAR(run->model.clips()[0].length(), 20.0 / 30.0, 1e-6);
  EXPECT_GT(run->model.clips()[0].bones.size(), 50u);
  const auto huesitos = import_model(folder / "assimp/huesitos.fbx");
  ASSERT_TRUE(huesitos) << huesitos.error().message;
  EXPECT_EQ(huesitos->model.clips().size(), 1u);
  EXPECT_NEAR(huesitos->model.clips()[0].length(), 39.0 / 25.0, 1e-6);
}

}  // namespace
}  // namespace throng::test
