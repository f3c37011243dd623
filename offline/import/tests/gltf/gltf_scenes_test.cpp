// SPDX-License-Identifier: Apache-2.0
// Several scenes in a file, and nodes that clips move although no skin knows of them.

#include "gltf_builder.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

// Scenes "day" (node "sun", the default), "night" (node "moon") and one without a name (both).
GltfBuilder scenes_file() {
  GltfBuilder b = triangle_file();
  b.json["nodes"] = {{{"name", "sun"}, {"mesh", 0}}, {{"name", "moon"}, {"mesh", 0}}};
  b.json["scenes"] = {{{"name", "day"}, {"nodes", {0}}}, {{"name", "night"}, {"nodes", {1}}}, {{"nodes", {0, 1}}}};
  return b;
}

std::vector<std::string> bones_of(const GltfBuilder& b, const std::string& scene) {
  const auto imported = import_gltf(ScratchFolder().write("scenes.gltf", b.gltf()), {.scene = scene});
  EXPECT_TRUE(imported) << imported.error().message;
  std::vector<std::string> names;
  if (!imported) return names;
  for (const Bone& bone : imported->model.bones()) names.push_back(bone.name);
  EXPECT_EQ(imported->model.meshes().size(), names.size());
  return names;
}

TEST(GltfSceneChoice, ANameBringsItsSceneAndNoNameTheDefault) {
  const GltfBuilder b = scenes_file();
  using Names = std::vector<std::string>;
  EXPECT_EQ(bones_of(b, ""), Names({"sun"}));
  EXPECT_EQ(bones_of(b, "day"), Names({"sun"}));
  EXPECT_EQ(bones_of(b, "night"), Names({"moon"}));
  EXPECT_EQ(bones_of(b, "scene 2"), Names({"sun", "moon"}));
  GltfBuilder other = b;
  other.json["scene"] = 1;
  EXPECT_EQ(bones_of(other, ""), Names({"moon"}));
  EXPECT_EQ(bones_of(other, "day"), Names({"sun"}));
}

TEST(GltfSceneChoice, AnUnknownNameIsRefusedListingTheNamesThereAre) {
  const ScratchFolder folder;
  const auto imported = import_gltf(folder.write("scenes.gltf", scenes_file().gltf()), {.scene = "Night"});
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("scenes.gltf: no scene is named 'Night'; there are: day, night, scene 2"),
            std::string::npos)
      << imported.error().message;
  GltfBuilder none = triangle_file();
  none.json.erase("scenes");
  const auto without = import_model(folder.write("none.gltf", none.gltf()), {.scene = "day"});
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("has no scenes"), std::string::npos) << without.error().message;
}

TEST(GltfSceneChoice, LeavingItOpenAmongSeveralIsNoted) {
  const auto imported = scenes_file().import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(mentions(imported->notes, "of 3 scenes 'day' is read; there are: day, night, scene 2"));
  const auto one = triangle_file().import();
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_TRUE(one->notes.empty());
}

// A skinned triangle on joint "hip" under "carrier", a rigid "sword" in an empty "grip" on the hip, a skinned node
// whose own transform means nothing.
GltfBuilder carried_file() {
  GltfBuilder b;
  Json skinned = triangle(b);
  skinned["attributes"]["JOINTS_0"] = b.accessor<std::uint8_t>(std::vector<std::uint8_t>(12, 0), "VEC4", kU8);
  skinned["attributes"]["WEIGHTS_0"] = b.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  b.append("meshes", {{"name", "body"}, {"primitives", {skinned}}});
  b.append("meshes", {{"name", "sword"}, {"primitives", {triangle(b)}}});
  b.json["nodes"] = {{{"name", "carrier"}, {"children", {1}}},
                     {{"name", "hip"}, {"children", {2}}},
                     {{"name", "grip"}, {"children", {3}}, {"translation", {0, 5, 0}}},
                     {{"name", "blade"}, {"mesh", 1}},
                     {{"name", "skinned"}, {"mesh", 0}, {"skin", 0}}};
  b.json["skins"] = {{{"joints", {1}}}};
  return b;
}

struct Carried {
  glm::dvec3 body, sword, grip;
};

Carried carried_at(const GltfBuilder& b, double time) {
  const auto imported = b.import();
  EXPECT_TRUE(imported) << imported.error().message;
  if (!imported) return {};
  const Model& model = imported->model;
  const Pose pose = sample(model, model.clips()[0], time);
  const auto palette = skinning_palette(model, pose);
  const auto bones = model_from_bones(model, pose);
  Carried carried{};
  for (std::size_t m = 0; m < 2; ++m) {
    const glm::dvec3 first = skin_mesh(model, m, pose, palette).positions[0];
    (model.meshes()[m].name == "body" ? carried.body : carried.sword) = first;
  }
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (model.bones()[i].name == "grip") carried.grip = glm::dvec3(bones[i][3]);
  }
  return carried;
}

TEST(GltfOutsideTheSkeleton, ANodeAboveTheJointsCarriesEverything) {
  GltfBuilder b = carried_file();
  b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 10, 0, 0}), "LINEAR");
  const Carried at = carried_at(b, 0.5);
  EXPECT_EQ(at.body, glm::dvec3(5, 0, 0));
  EXPECT_EQ(at.sword, glm::dvec3(5, 5, 0));
  EXPECT_EQ(at.grip, glm::dvec3(5, 5, 0));
}

TEST(GltfOutsideTheSkeleton, ANodeOnAJointMovesWhatHangsOnItAlone) {
  GltfBuilder b = carried_file();
  b.animate(2, "translation", {0, 1}, b.floats("VEC3", {0, 5, 0, 0, 9, 0}), "LINEAR");
  const Carried at = carried_at(b, 0.5);
  EXPECT_EQ(at.body, glm::dvec3(0));
  EXPECT_EQ(at.grip, glm::dvec3(0, 7, 0)) << "a place to hang things on moves too";
  EXPECT_EQ(at.sword, glm::dvec3(0, 7, 0));
}

TEST(GltfOutsideTheSkeleton, TheNodeOfASkinnedMeshMovesNothing) {
  GltfBuilder b = carried_file();
  b.animate(4, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 10, 0, 0}), "LINEAR");
  const Carried at = carried_at(b, 0.5);
  EXPECT_EQ(at.body, glm::dvec3(0));
  EXPECT_EQ(at.sword, glm::dvec3(0, 5, 0));
}

}  // namespace
}  // namespace throng::test
