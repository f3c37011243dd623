// Skins, shapes, layers of corners and materials, each in a file of a few numbers.

#include <cmath>

#include "fbx_builder.h"

namespace throng::test {
namespace {

// A quad of two units in the xy plane, seen from +z.
const Numbers kQuad = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0};
const std::vector<int> kQuadCorners = {0, 1, 2, -4};

const Numbers kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

Numbers translation(double x, double y, double z) {
  Numbers matrix = kIdentity;
  matrix[12] = x;
  matrix[13] = y;
  matrix[14] = z;
  return matrix;
}

void add_skin(FbxBuilder& b, int id, int geometry) {
  b.object("Deformer", id, "Deformer", "", "Skin", "");
  b.connect(id, geometry);
}

void add_cluster(FbxBuilder& b, int id, int skin, int bone, const std::vector<int>& points, const Numbers& weights,
                 const Numbers& transform = kIdentity) {
  b.object("Deformer", id, "SubDeformer", "", "Cluster",
           fmt::format("Indexes: {}\nWeights: {}\nTransform: {}\n", array(points), array(weights), array(transform)));
  b.connect(id, skin);
  b.connect(bone, id);
}

std::vector<glm::dvec3> posed(const Model& model, const Pose& pose, std::size_t mesh = 0) {
  return skin_mesh(model, mesh, pose, skinning_palette(model, pose)).positions;
}

bool noted(const Imported& imported, std::string_view text) {
  for (const std::string& note : imported.notes) {
    if (note.find(text) != std::string::npos) return true;
  }
  return false;
}

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

TEST(FbxMeshes, CornersAlikeShareAVertexAndOthersDoNot) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  // Two quads side by side: the two points between them have one normal each in the first file, two in the second.
  const Numbers points = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
  const std::vector<int> corners = {0, 1, 4, -4, 1, 2, 5, -5};
  const auto layer = [](const Numbers& normals, const char* mapping) {
    return fmt::format(
        "LayerElementNormal: 0 {{\nMappingInformationType: \"{}\"\nReferenceInformationType: \"Direct\"\n"
        "Normals: {}\n}}\n",
        mapping, array(normals));
  };
  Numbers smooth;
  Numbers creased;
  for (int i = 0; i < 6; ++i) smooth.insert(smooth.end(), {0, 0, 1});
  for (int i = 0; i < 8; ++i) creased.insert(creased.end(), {i < 4 ? 0.6 : -0.6, 0, 0.8});
  FbxBuilder sharp = b;
  b.geometry(2, 1, points, corners, layer(smooth, "ByVertice"));
  sharp.geometry(2, 1, points, corners, layer(creased, "ByPolygonVertex"));
  const auto soft_model = b.import();
  const auto sharp_model = sharp.import();
  ASSERT_TRUE(soft_model && sharp_model);
  EXPECT_EQ(soft_model->model.meshes()[0].positions.size(), 6u);
  EXPECT_EQ(sharp_model->model.meshes()[0].positions.size(), 8u);
  EXPECT_EQ(sharp_model->model.meshes()[0].indices.size(), 12u);
  EXPECT_TRUE(soft_model->notes.empty());
}

TEST(FbxMeshes, ConcavePolygonsAreCutInside) {
  FbxBuilder b;
  b.model(1, "arrow", 0, {}, "Mesh");
  // An arrowhead: a fan from the first point would leave the shape.
  b.geometry(2, 1, {0, 0, 0, 4, 2, 0, 0, 4, 0, 1, 2, 0}, {0, 1, 2, -4});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  ASSERT_EQ(mesh.indices.size(), 6u);
  double area = 0.0;
  for (std::size_t i = 0; i < 6; i += 3) {
    const auto p = [&](std::size_t k) { return glm::dvec3(mesh.positions[mesh.indices[i + k]]); };
    const double z = glm::cross(p(1) - p(0), p(2) - p(0)).z;
    EXPECT_GT(z, 0.0);
    area += 0.5 * z;
  }
  EXPECT_NEAR(area, 6.0, 1e-6);
}

TEST(FbxMeshes, TextureCoordinatesCountFromTheTopAndColoursAreKept) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, kQuadCorners,
             "LayerElementUV: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nUV: *4 { a: 0.25,0.125,0.5,1 }\nUVIndex: *4 { a: 0,1,1,0 }\n}\n"
             "LayerElementColor: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nColors: *4 { a: 0.5,0.25,0.125,1 }\nColorIndex: *4 { a: 0,0,0,0 }\n}\n");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Mesh& mesh = imported->model.meshes()[0];
  ASSERT_EQ(mesh.uvs.size(), 4u);
  EXPECT_EQ(mesh.uvs[0], glm::vec2(0.25f, 0.875f));
  EXPECT_EQ(mesh.uvs[1], glm::vec2(0.5f, 0.0f));
  ASSERT_EQ(mesh.colours.size(), 4u);
  EXPECT_EQ(mesh.colours[2], glm::vec4(0.5f, 0.25f, 0.125f, 1.0f));
}

TEST(FbxMeshes, LayersThatDoNotFitAreLeftOutWithANote) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, kQuadCorners,
             "LayerElementUV: 0 {\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nUV: *4 { a: 0,0,1,1 }\nUVIndex: *4 { a: 0,1,2,0 }\n}\n");
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(imported->model.meshes()[0].uvs.empty());
  EXPECT_TRUE(noted(*imported, "UV do not fit its polygons"));
}

TEST(FbxMeshes, PointsLinesAndPolygonsWithoutAreaDoNotDisturbTheRest) {
  FbxBuilder b;
  b.model(1, "odd", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {-1, 0, -2, 0, 0, -1, 0, 1, 2, -4, 1, 1, 1, 1, -2, 3});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes().size(), 1u);
  const Mesh& mesh = imported->model.meshes()[0];
  double area = 0.0;
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const auto p = [&](std::size_t k) { return glm::dvec3(mesh.positions[mesh.indices[i + k]]); };
    area += 0.5 * glm::length(glm::cross(p(1) - p(0), p(2) - p(0)));
  }
  EXPECT_NEAR(area, 4.0, 1e-6);
}

TEST(FbxMeshes, AMaterialThatHangsOnANodeTwiceIsOne) {
  FbxBuilder b;
  b.model(1, "quads", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {0, 1, -3, 0, 2, -4, 1, 2, -4},
             "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nMaterials: *3 { a: 0,1,2 }\n}\n");
  b.object("Material", 3, "Material", "red", "", "");
  b.object("Material", 4, "Material", "blue", "", "");
  for (const int material : {3, 3, 4}) b.connect(material, 1);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  ASSERT_EQ(imported->model.meshes().size(), 2u);
  for (const Mesh& mesh : imported->model.meshes()) {
    const bool red = imported->model.materials()[mesh.material].name == "red";
    EXPECT_EQ(mesh.indices.size(), red ? 6u : 3u);
  }
}

TEST(FbxMeshes, AnIndexPastTheLastPointIsRefused) {
  FbxBuilder b;
  b.model(1, "quad", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {0, 1, 2, -5});
  const auto imported = b.import();
  ASSERT_FALSE(imported);
  EXPECT_NE(imported.error().message.find("mesh 'quad' has a polygon that names vertex 4 of 4"), std::string::npos)
      << imported.error().message;
}

TEST(FbxMeshes, PolygonsOfSeveralMaterialsBecomeMeshesOfOne) {
  FbxBuilder b;
  b.model(1, "quads", 0, {}, "Mesh");
  b.geometry(2, 1, kQuad, {0, 1, -3, 0, 2, -4, 1, 2, -4},
             "LayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nReferenceInformationType: "
             "\"IndexToDirect\"\nMaterials: *3 { a: 1,0,1 }\n}\n");
  b.object("Material", 3, "Material", "red", "",
           properties({{"DiffuseColor", {0.5, 0.25, 0}}, {"DiffuseFactor", {0.5}}, {"Opacity", {0.75}}}));
  b.object("Material", 4, "Material", "blue", "", properties({{"DiffuseColor", {0, 0, 1}}}));
  b.connect(3, 1);
  b.connect(4, 1);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ASSERT_EQ(model.meshes().size(), 2u);
  std::size_t triangles_of_red = 0;
  for (const Mesh& mesh : model.meshes()) {
    const Material& material = model.materials()[mesh.material];
    if (material.name == "red") {
      triangles_of_red = mesh.indices.size() / 3;
      EXPECT_EQ(material.base_colour, glm::vec4(0.25f, 0.125f, 0.0f, 0.75f));
      EXPECT_EQ(material.alpha_mode, AlphaMode::blend);
    } else {
      EXPECT_EQ(material.name, "blue");
      EXPECT_EQ(mesh.indices.size(), 6u);
      EXPECT_EQ(material.alpha_mode, AlphaMode::opaque);
    }
  }
  EXPECT_EQ(triangles_of_red, 1u);
}

TEST(FbxSkins, VerticesFollowTheBonesTheyAreBoundTo) {
  FbxBuilder b;
  b.model(1, "quad", 0, {{"Lcl Translation", {100, 0, 0}}}, "Mesh");
  b.geometry(2, 1, kQuad, kQuadCorners);
  b.model(3, "still", 0);
  b.model(4, "moving", 0, {{"Lcl Translation", {5, 0, 0}}});
  add_skin(b, 10, 2);
  add_cluster(b, 11, 10, 3, {0, 1, 2}, {1, 0.25, 0.5});
  add_cluster(b, 12, 10, 4, {1, 2}, {0.75, 0.5}, translation(-5, 0, 0));
  b.take(20, "up");
  b.curve(30, 20, 4, "Lcl Translation", "d|Y", {0, 1}, {0, 8});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  const auto found = posed(model, sample(model, model.clips()[0], 1.0));
  // A skinned vertex does not follow its mesh's node; one without weights does.
  expect_near(found[0], {0, 0, 0}, 1e-5, "all still");
  expect_near(found[1], {2, 6, 0}, 1e-5, "three quarters");
  expect_near(found[2], {2, 6, 0}, 1e-5, "half");
  expect_near(found[3], {100, 2, 0}, 1e-5, "none");
  EXPECT_EQ(imported->repairs.vertices_unweighted, 1u);
  EXPECT_EQ(model.bindings().size(), 3u);
}

TEST(FbxSkins, OnlyTheFourStrongestInfluencesAreKeptAndTheLossIsCounted) {
  FbxBuilder b;
  b.model(1, "triangle", 0, {}, "Mesh");
  b.triangle(2, 1);
  add_skin(b, 10, 2);
  const Numbers weights = {0.1, 0.3, 0.05, 0.2, 0.35};
  for (int i = 0; i < 5; ++i) {
    b.model(20 + i, fmt::format("bone{}", i), 0);
    const double weight = weights[static_cast<std::size_t>(i)];
    add_cluster(b, 30 + i, 10, 20 + i, {0, 1, 2}, {weight, i == 0 ? 0.5 : 0.0, i == 0 ? 1.0 : 0.0});
  }
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Repairs& repairs = imported->repairs;
  EXPECT_EQ(repairs.vertices_cut, 1u);
  EXPECT_EQ(repairs.influences_dropped, 1u);
  EXPECT_NEAR(repairs.most_weight_dropped, 0.05, 1e-9);
  EXPECT_NEAR(repairs.mean_weight_dropped, 0.05, 1e-9);
  EXPECT_EQ(repairs.weights_rescaled, 1u);
  const Influences& first = imported->model.meshes()[0].influences[0];
  EXPECT_NEAR(first.weights[0], 0.35 / 0.95, 1e-6);
  EXPECT_EQ(imported->model.bones()[imported->model.bindings()[first.bindings[0]].bone].name, "bone4");
  EXPECT_NEAR(first.weights[3], 0.1 / 0.95, 1e-6);
  EXPECT_NEAR(imported->model.meshes()[0].influences[1].weights[0], 1.0, 1e-6);
}

TEST(FbxSkins, OtherWaysThanLinearBlendingAreNoted) {
  for (const auto& [content, otherwise] : {std::pair("SkinningType: \"DualQuaternion\"\n", true),
                                           {"SkinningType: \"Linear\"\n", false},
                                           {"SkinningType: \"Blend\"\nBlendWeights: *2 { a: 0,0 }\n", false},
                                           {"SkinningType: \"Blend\"\nBlendWeights: *2 { a: 0,0.5 }\n", true}}) {
    FbxBuilder b;
    b.model(1, "triangle", 0, {}, "Mesh");
    b.triangle(2, 1);
    b.object("Deformer", 10, "Deformer", "", "Skin", content);
    b.connect(10, 2);
    add_cluster(b, 11, 10, 1, {0, 1, 2}, {1, 1, 1});
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(noted(*imported, "dual quaternions"), otherwise) << content;
  }
}

TEST(FbxSkins, WithoutMatricesTheBindPoseOrTheRestTells) {
  FbxBuilder b;
  b.model(1, "triangle", 0, {{"Lcl Translation", {3, 0, 0}}}, "Mesh");
  b.triangle(2, 1);
  b.model(3, "bone", 0, {{"Lcl Translation", {0, 7, 0}}});
  add_skin(b, 10, 2);
  b.object("Deformer", 11, "SubDeformer", "", "Cluster", "Indexes: *3 { a: 0,1,2 }\nWeights: *3 { a: 1,1,1 }\n");
  b.connect(11, 10);
  b.connect(3, 11);
  FbxBuilder with_pose = b;
  with_pose.object("Pose", 40, "Pose", "", "BindPose",
                   fmt::format("PoseNode: {{\nNode: 3\nMatrix: {}\n}}\n", array(translation(0, 1, 0))));
  const auto at_rest = b.import();
  const auto bound = with_pose.import();
  ASSERT_TRUE(at_rest && bound);
  expect_near(posed(at_rest->model, rest_pose(at_rest->model))[0], {3, 0, 0}, 1e-6, "bound at rest");
  expect_near(posed(bound->model, rest_pose(bound->model))[0], {3, 6, 0}, 1e-6, "bound one up, now seven up");
}

// Shapes at 50 and 100 percent: the first lifts the second point by 1, the second moves it by 4 to the side.
FbxBuilder with_shapes() {
  FbxBuilder b;
  b.model(1, "triangle", 0, {}, "Mesh");
  b.triangle(2, 1);
  b.object("Deformer", 10, "Deformer", "", "BlendShape", "");
  b.connect(10, 2);
  b.object("Deformer", 11, "SubDeformer", "smile", "BlendShapeChannel",
           "DeformPercent: 25\nFullWeights: *2 { a: 50,100 }\n");
  b.connect(11, 10);
  b.object("Geometry", 12, "Geometry", "half", "Shape", "Indexes: *1 { a: 1 }\nVertices: *3 { a: 0,0,1 }\n");
  b.object("Geometry", 13, "Geometry", "full", "Shape", "Indexes: *1 { a: 1 }\nVertices: *3 { a: 4,0,0 }\n");
  b.connect(12, 11);
  b.connect(13, 11);
  return b;
}

TEST(FbxShapes, InBetweensAreReachedOnTheWayAndPassed) {
  FbxBuilder b = with_shapes();
  b.take(20, "talk");
  b.curve(30, 20, 11, "DeformPercent", "d|DeformPercent", {0, 1, 2}, {-50, 100, 200});
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const Model& model = imported->model;
  ASSERT_EQ(model.meshes()[0].morph_targets.size(), 2u);
  EXPECT_EQ(model.meshes()[0].morph_targets[0].name, "smile 50 %");
  EXPECT_EQ(model.meshes()[0].morph_targets[1].name, "smile");
  expect_near(posed(model, rest_pose(model))[1], {1, 0, 0.5}, 1e-6, "rest, 25 %");
  const std::pair<double, glm::dvec3> wanted[] = {{-50, {1, 0, -1}}, {0, {1, 0, 0}},   {50, {1, 0, 1}},
                                                  {75, {3, 0, 0.5}}, {100, {5, 0, 0}}, {200, {13, 0, -2}}};
  for (const auto& [percent, place] : wanted) {
    const double time = percent <= 100 ? (percent + 50) / 150 : 2.0;
    expect_near(posed(model, sample(model, model.clips()[0], time))[1], place, 0.02, fmt::format("{} %", percent));
  }
}

TEST(FbxShapes, AShapeThatDoesNotFitItsMeshIsLeftOut) {
  FbxBuilder b = with_shapes();
  b.object("Geometry", 14, "Geometry", "far", "Shape", "Indexes: *1 { a: 3 }\nVertices: *3 { a: 4,0,0 }\n");
  b.connect(14, 11);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.meshes()[0].morph_targets.size(), 2u);
  EXPECT_TRUE(noted(*imported, "'smile': a shape that does not fit"));
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
