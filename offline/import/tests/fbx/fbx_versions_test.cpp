// SPDX-License-Identifier: Apache-2.0
// Nodes and names, the versions of FBX, and that reading is repeatable.

#include <cmath>

#include "fbx_posed.h"

namespace throng::test {
namespace {

TEST(FbxNodes, EveryModelIsABoneUnderItsParent) {
  FbxBuilder b;
  b.model(3, "hand", 2, {}, "LimbNode");
  b.model(1, "hips", 0, {}, "Null");
  b.model(2, "arm", 1, {}, "LimbNode");
  b.model(4, "lamp", 1, {}, "Light");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const auto& bones = imported->model.bones();
  ASSERT_EQ(bones.size(), 4u);
  EXPECT_EQ(bones[0].name, "hips");
  EXPECT_FALSE(bones[0].parent);
  EXPECT_EQ(bones[1].name, "arm");
  EXPECT_EQ(bones[1].parent, 0u);
  EXPECT_EQ(bones[2].name, "hand");
  EXPECT_EQ(bones[2].parent, 1u);
  EXPECT_EQ(bones[3].name, "lamp");
  EXPECT_EQ(bones[3].parent, 0u);
}

TEST(FbxNodes, ALoopOfParentsIsRefused) {
  FbxBuilder b;
  b.model(1, "hen", 2);
  b.model(2, "egg", 1);
  const auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("loop of parents"), std::string::npos) << imported.error().message;
}

// `Visibility` goes for what hangs on a node too, unless that says otherwise; `Show` for the node alone.
TEST(FbxNodes, WhatIsNotVisibleIsNotShown) {
  FbxBuilder b;
  const Properties hidden = {{"Visibility", {0}}};
  b.model(1, "shown", 0, {}, "Mesh");
  b.model(2, "hidden", 0, hidden, "Mesh");
  b.model(3, "below hidden", 2, {}, "Mesh");
  b.model(4, "on its own", 2, {{"Visibility Inheritance", {0}}}, "Mesh");
  b.model(5, "not itself", 0, {{"Show", {0}}}, "Mesh");
  b.model(6, "below it", 5, {}, "Mesh");
  b.model(7, "appears", 0, hidden, "Mesh");
  for (int i = 1; i <= 7; ++i) b.triangle(10 + i, i);
  b.take(30, "appear");
  b.curve(40, 30, 7, "Visibility", "d|Visibility", {0, 1}, {0, 1}, kConstantKeys);
  b.curve(50, 30, 1, "Lcl Translation", "d|X", {0, 1}, {0, 1});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  std::vector<std::string> shown;
  for (const Mesh& mesh : imported->model.meshes()) shown.push_back(mesh.part);
  EXPECT_EQ(shown, (std::vector<std::string>{"shown", "on its own", "below it", "appears"}));
  EXPECT_EQ(imported->model.bones().size(), 7u);
  EXPECT_TRUE(noted(*imported, "3 meshes on nodes that are not visible left out"));
}

TEST(FbxNames, AreValidAndOnOneLine) {
  FbxBuilder b;
  b.model(1,
          "b\xFF"
          "d\xC3\xA9\xED\xA0\x80",
          0);
  b.model(2, "two\nlines", 0);
  b.take(10, "take\nof nothing");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.bones()[0].name, "b?d\xC3\xA9???");
  for (const std::string& note : imported->notes) EXPECT_EQ(note.find('\n'), std::string::npos) << note;
}

// Every version from 7100 on is the same to the reader; ones outside are told apart.
TEST(FbxVersions, AreReadFrom6100To7700) {
  FbxBuilder b;
  b.model(1, "node", 0);
  for (const int version : {7000, 7100, 7200, 7300, 7400, 7500, 7700}) {
    b.version = version;
    EXPECT_TRUE(b.import()) << version << b.import().error().message;
  }
  for (const int version : {5800, 6000, 7800, 8000}) {
    b.version = version;
    const auto imported = b.import();
    ASSERT_FALSE(imported) << version;
    EXPECT_NE(imported.error().message.find(fmt::format("is FBX version {}; versions 6100 to 7700", version)),
              std::string::npos)
        << imported.error().message;
  }
}

constexpr const char* kNamedObjects = R"(; FBX 6.1.0 project file
FBXHeaderExtension: {
  FBXVersion: 6100
}
Objects: {
  Model: "Model::face", "Mesh" {
    Properties60: {
      Property: "Lcl Translation", "Lcl Translation", "A",1,2,3
      Property: "InheritType", "enum", "",1
      Property: "smile", "Shape", "A",50
    }
    Vertices: 0,0,0,1,0,0
      ,0,1,0
    PolygonVertexIndex: 0,1,-3
    Shape: "smile" {
      Indexes: 1
      Vertices: 0,0,4
    }
  }
  Model: "Model::jaw", "Limb" {
    Properties60: {
      Property: "InheritType", "enum", "",1
    }
  }
  GlobalSettings: {
    Properties60: {
      Property: "UpAxis", "int", "",1
    }
  }
}
Connections: {
  Connect: "OO", "Model::face", "Model::Scene"
  Connect: "OO", "Model::jaw", "Model::face"
}
Takes: {
  Take: "talk" {
    LocalTime: 0,46186158000
    Model: "Model::face" {
      Channel: "smile" {
        KeyVer: 4005
        Key:
          0,0,L,46186158000,100,L
      }
    }
    Model: "Model::jaw" {
      Channel: "Transform" {
        Channel: "T" {
          Channel: "Y" {
            Default: 0
            KeyVer: 4005
            Key: 0,0,C,s,23093079000,6,U,s,0,0,n,46186158000,8,U,a,n
          }
        }
      }
    }
  }
}
)";

TEST(FbxVersions, ObjectsOf6100AreKnownByName) {
  const ScratchFolder folder;
  const auto imported = import_fbx(folder.write("old.fbx", kNamedObjects));
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ASSERT_EQ(model.bones().size(), 2u);
  EXPECT_EQ(model.bones()[1].name, "jaw");
  EXPECT_EQ(model.bones()[1].parent, 0u);
  ASSERT_EQ(model.clips().size(), 1u);
  const Clip& clip = model.clips()[0];
  expect_near(posed(model, rest_pose(model))[1], {2, 2, 5}, 1e-6, "half a smile");
  expect_near(posed(model, sample(model, clip, 1.0))[1], {2, 2, 7}, 1e-6, "all of it");
  EXPECT_EQ(sample(model, clip, 0.499).bones[1].translation.y, 0.0);
  EXPECT_NEAR(sample(model, clip, 0.5).bones[1].translation.y, 6.0, 1e-6);
  EXPECT_NEAR(sample(model, clip, 0.75).bones[1].translation.y, 7.0, 1e-3);
}

TEST(FbxImport, TheSameBytesMakeTheSameModel) {
  FbxBuilder b = with_shapes();
  b.take(20, "talk");
  b.curve(30, 20, 11, "DeformPercent", "d|DeformPercent", {0, 1}, {0, 100});
  b.curve(40, 20, 1, "Lcl Rotation", "d|X", {0, 0.3, 1}, {0, 50, 10}, 0x8 | 0x100 | 0x4000 | 0x2000);
  const auto first = b.import();
  const auto second = b.import();
  ASSERT_TRUE(first && second);
  const ModelDraft& x = first->model.draft();
  const ModelDraft& y = second->model.draft();
  EXPECT_EQ(x.meshes[0].positions, y.meshes[0].positions);
  EXPECT_EQ(x.meshes[0].indices, y.meshes[0].indices);
  ASSERT_EQ(x.clips[0].bones.size(), 1u);
  EXPECT_EQ(x.clips[0].bones[0].rotation.times, y.clips[0].bones[0].rotation.times);
  EXPECT_EQ(x.clips[0].bones[0].rotation.values, y.clips[0].bones[0].rotation.values);
  EXPECT_EQ(x.clips[0].bones[0].rotation.interpolation, Interpolation::cubic_spline);
  EXPECT_EQ(x.clips[0].morphs[0].weights.values, y.clips[0].morphs[0].weights.values);
}

}  // namespace
}  // namespace throng::test
