// SPDX-License-Identifier: Apache-2.0
// Frames that Maya, 3ds Max and Blender exported as OBJ, beside the FBX files they came from (shared/models/fbx/ufbx).

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "shared_files.h"
#include "throng/import/import.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

// Normals are no part of it: the exporters made new ones from the moved polygons.
struct Corner {
  glm::dvec3 position{0.0};
  glm::dvec2 uv{0.0};
};

struct ObjFile {
  std::vector<glm::dvec3> points;
  std::vector<Corner> corners;
  std::size_t triangles = 0;
  bool uvs_match = true;  // unless the file itself says that its exporter made others

  double diagonal() const {
    Bounds bounds;
    for (const auto& point : points) bounds.add(point);
    return bounds.diagonal();
  }
};

class ObjReader {
 public:
  ObjFile read(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word == "#") add_remark(line);
      if (word == "v") out_.points.push_back(numbers<3>(words));
      if (word == "vt") uvs_.push_back(numbers<2>(words));
      if (word == "f") add_face(words);
    }
    out_.uvs_match = out_.uvs_match && !uvs_.empty();
    return std::move(out_);
  }

 private:
  template <int N>
  static glm::vec<N, double> numbers(std::istream& words) {
    glm::vec<N, double> v(0.0);
    for (int i = 0; i < N; ++i) words >> v[i];
    return v;
  }
  void add_remark(const std::string& line) {
    if (line.find("bad_uvs") != std::string::npos) out_.uvs_match = false;
  }
  void add_face(std::istream& words) {
    std::string word;
    std::size_t count = 0;
    while (words >> word) {
      std::size_t index[3] = {};
      std::istringstream parts(word);
      std::string part;
      for (std::size_t i = 0; i < 3 && std::getline(parts, part, '/'); ++i)
        index[i] = part.empty() ? 0 : std::stoul(part);
      Corner corner;
      corner.position = out_.points.at(index[0] - 1);
      if (index[1] > 0) corner.uv = uvs_.at(index[1] - 1);
      out_.corners.push_back(corner);
      ++count;
    }
    out_.triangles += count - 2;
  }

  ObjFile out_;
  std::vector<glm::dvec2> uvs_;
};

struct Truth {
  const char* fbx;
  const char* clip;  // none: at rest
  double seconds;
  const char* obj;
  double tolerance;  // of the diagonal
  bool z_up = false;
};

constexpr double kSixDigits = 1e-6;    // what OBJ files of these programs hold
constexpr double kUvTolerance = 1e-4;  // 3ds Max writes four decimals

const Truth kTruths[] = {
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx", "wiggle", 10 / 24.0, "maya_game_sausage_wiggle_10",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx", "wiggle", 18 / 24.0, "maya_game_sausage_wiggle_18",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx", "spin", 27 / 24.0, "maya_game_sausage_spin_7",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx", "spin", 35 / 24.0, "maya_game_sausage_spin_15",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx", "deform", 48 / 24.0, "maya_game_sausage_deform_8",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_combined.fbx", "deform", 55 / 24.0, "maya_game_sausage_deform_15",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_6100_ascii_combined.fbx", "wiggle", 10 / 24.0, "maya_game_sausage_wiggle_10",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_6100_ascii_combined.fbx", "wiggle", 18 / 24.0, "maya_game_sausage_wiggle_18",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_6100_ascii_combined.fbx", "spin", 27 / 24.0, "maya_game_sausage_spin_7",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_6100_ascii_combined.fbx", "spin", 35 / 24.0, "maya_game_sausage_spin_15",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_6100_ascii_combined.fbx", "deform", 48 / 24.0, "maya_game_sausage_deform_8",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_6100_ascii_combined.fbx", "deform", 55 / 24.0, "maya_game_sausage_deform_15",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_wiggle.fbx", "wiggle", 10 / 24.0, "maya_game_sausage_wiggle_10",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_binary_wiggle.fbx", "wiggle", 18 / 24.0, "maya_game_sausage_wiggle_18",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_ascii_wiggle.fbx", "wiggle", 10 / 24.0, "maya_game_sausage_wiggle_10",
     kSixDigits},
    {"models/fbx/ufbx/maya_game_sausage_7500_ascii_wiggle.fbx", "wiggle", 18 / 24.0, "maya_game_sausage_wiggle_18",
     kSixDigits},
    {"malformed/ufbx-synthetic/synthetic_sausage_wiggle_no_bind_7500_ascii.fbx", "wiggle", 10 / 24.0,
     "maya_game_sausage_wiggle_10", kSixDigits},
    {"malformed/ufbx-synthetic/synthetic_sausage_wiggle_no_bind_6100_ascii.fbx", "wiggle", 18 / 24.0,
     "maya_game_sausage_wiggle_18", kSixDigits},
    {"malformed/ufbx-synthetic/synthetic_sausage_wiggle_no_link_7500_ascii.fbx", "wiggle", 10 / 24.0,
     "maya_game_sausage_wiggle_10", kSixDigits},
    {"malformed/ufbx-synthetic/synthetic_sausage_wiggle_no_link_6100_ascii.fbx", "wiggle", 18 / 24.0,
     "maya_game_sausage_wiggle_18", kSixDigits},
    {"models/fbx/ufbx/blender_279_sausage_7400_binary.fbx", "Skeleton|Spin", 15 / 24.0, "blender_279_sausage_spin_15",
     kSixDigits},
    {"models/fbx/ufbx/blender_279_sausage_7400_binary.fbx", "Skeleton|Wiggle", 20 / 24.0,
     "blender_279_sausage_wiggle_20", kSixDigits},
    {"models/fbx/ufbx/blender_293_half_skinned_7400_binary.fbx", nullptr, 0.0, "blender_293_half_skinned", kSixDigits},
    // 3ds Max writes four decimals of numbers near 100, and says itself that they are good to 0.01.
    {"models/fbx/ufbx/max_transformed_skin_7500_binary.fbx", "Take 001", 5 / 30.0, "max_transformed_skin_5", 1e-4,
     true},
    {"models/fbx/ufbx/max_transformed_skin_7500_binary.fbx", "Take 001", 15 / 30.0, "max_transformed_skin_15", 1e-4,
     true},
    {"models/fbx/ufbx/maya_blend_inbetween_7500_binary.fbx", "Take 001", 1 / 24.0, "maya_blend_inbetween_1",
     kSixDigits},
    {"models/fbx/ufbx/maya_blend_inbetween_7500_binary.fbx", "Take 001", 30 / 24.0, "maya_blend_inbetween_30",
     kSixDigits},
    {"models/fbx/ufbx/maya_blend_inbetween_7500_binary.fbx", "Take 001", 65 / 24.0, "maya_blend_inbetween_65",
     kSixDigits},
};

void PrintTo(const Truth& truth, std::ostream* out) { *out << truth.fbx << " as " << truth.obj; }

std::filesystem::path obj_folder() { return shared_folder() / "models/fbx/ufbx"; }

struct Posed {
  std::vector<Corner> vertices;
  std::size_t triangles = 0;
};

Posed posed(const Model& model, const Pose& pose) {
  Posed out;
  const auto palette = skinning_palette(model, pose);
  for (std::size_t m = 0; m < model.meshes().size(); ++m) {
    const Mesh& mesh = model.meshes()[m];
    const auto skinned = skin_mesh(model, m, pose, palette);
    for (std::size_t v = 0; v < skinned.positions.size(); ++v) {
      // OBJ counts v from the bottom.
      const glm::dvec2 uv = mesh.uvs.empty() ? glm::dvec2(0.0) : glm::dvec2(mesh.uvs[v].x, 1.0f - mesh.uvs[v].y);
      out.vertices.push_back({skinned.positions[v], uv});
    }
    out.triangles += mesh.indices.size() / 3;
  }
  return out;
}

// How far the corner that is worst off is from the one that is most like it, in place first of all.
struct Distance {
  double position = 0.0;  // of the diagonal
  double uv = 0.0;
};

Distance farthest(const std::vector<Corner>& from, const std::vector<Corner>& to, double diagonal, bool uvs) {
  Distance worst;
  for (const Corner& corner : from) {
    Distance best;
    double lowest = 1e30;
    for (const Corner& other : to) {
      const Distance d{glm::length(corner.position - other.position) / diagonal, glm::length(corner.uv - other.uv)};
      // Far more weight on places: corners of one point differ in the rest alone.
      const double cost = 1e3 * d.position + (uvs ? d.uv : 0.0);
      if (cost >= lowest) continue;
      lowest = cost;
      best = d;
    }
    worst = {std::max(worst.position, best.position), std::max(worst.uv, best.uv)};
  }
  return worst;
}

class FbxTruth : public testing::TestWithParam<Truth> {};

TEST_P(FbxTruth, PutsEveryVertexWhereTheProgramThatMadeItDid) {
  const Truth& truth = GetParam();
  if (!std::filesystem::exists(obj_folder())) GTEST_SKIP() << "no shared folder";
  const auto imported = import_model(shared_folder() / truth.fbx);
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ObjFile obj = ObjReader().read(obj_folder() / (std::string(truth.obj) + ".obj"));
  ASSERT_FALSE(obj.corners.empty());
  for (Corner& corner : obj.corners) {
    if (truth.z_up) corner.position = {corner.position.x, corner.position.z, -corner.position.y};
  }
  Pose pose = rest_pose(model);
  if (truth.clip) {
    const auto clip = model.find_clip(truth.clip);
    ASSERT_TRUE(clip) << clip.error().message;
    pose = sample(model, model.clips()[*clip], truth.seconds);
  }
  const Posed found = posed(model, pose);
  EXPECT_EQ(found.triangles, obj.triangles);
  const double diagonal = obj.diagonal();
  for (const Distance& d : {farthest(found.vertices, obj.corners, diagonal, obj.uvs_match),
                            farthest(obj.corners, found.vertices, diagonal, obj.uvs_match)}) {
    EXPECT_LE(d.position, truth.tolerance);
    EXPECT_LE(obj.uvs_match ? d.uv : 0.0, kUvTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Frames, FbxTruth, testing::ValuesIn(kTruths), [](const auto& truth) {
  return test_name(std::filesystem::path(truth.param.fbx).stem().string() + "_at_" + truth.param.obj);
});

TEST(FbxTruthTable, HasEveryObjThereIs) {
  if (!std::filesystem::exists(obj_folder())) GTEST_SKIP() << "no shared folder";
  std::set<std::string> named;
  for (const Truth& truth : kTruths) named.insert(truth.obj);
  for (const auto& entry : std::filesystem::directory_iterator(obj_folder())) {
    if (entry.path().extension() != ".obj") continue;
    EXPECT_TRUE(named.contains(entry.path().stem().string())) << entry.path();
  }
}

}  // namespace
}  // namespace throng::test
