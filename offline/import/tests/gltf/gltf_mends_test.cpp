// SPDX-License-Identifier: Apache-2.0
// Faults that have one sensible meaning: strictly each is refused in the words of the rule it breaks; otherwise it is
// mended, counted, and told in one note, and what is read is what was meant.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "gltf_builder.h"
#include "shared_files.h"
#include "throng/pose/pose.h"

namespace throng::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Fault {
  const char* name;
  const char* refusal;  // when strict
  const char* note;     // otherwise
  std::function<GltfBuilder()> file;
  std::function<void(const Imported&)> expect = nullptr;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

Json& entry(GltfBuilder& b, const char* collection, int index) {
  return b.json[collection][static_cast<std::size_t>(index)];
}

Json& primitive(GltfBuilder& b) { return b.json["meshes"][0]["primitives"][0]; }

void expect_triangle(const Imported& imported) {
  ASSERT_EQ(imported.model.meshes().size(), 1u);
  const Mesh& mesh = imported.model.meshes()[0];
  const std::vector<glm::vec3> expected = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(mesh.positions, expected);
  EXPECT_EQ(mesh.indices, (std::vector<std::uint32_t>{0, 1, 2}));
}

// The triangle, changed.
std::function<GltfBuilder()> triangle_with(std::function<void(GltfBuilder&)> change) {
  return [change] {
    GltfBuilder b = triangle_file();
    change(b);
    return b;
  };
}

// The triangle with one more attribute of floats.
std::function<GltfBuilder()> triangle_with(const char* name, const char* type, std::vector<float> values) {
  return triangle_with([=](GltfBuilder& b) {
    const int accessor = b.floats(type, values);
    entry(b, "accessors", accessor).erase("min");  // JSON has no word for what is no number
    entry(b, "accessors", accessor).erase("max");
    primitive(b)["attributes"][name] = accessor;
  });
}

// The triangle on a node that a clip of three keys moves.
std::function<GltfBuilder()> clip_with(std::vector<float> times, const char* path, const char* type,
                                       std::vector<float> values, const char* interpolation = "LINEAR") {
  return triangle_with([=](GltfBuilder& b) {
    b.animate(0, path, times, b.floats(type, values), interpolation);
    for (Json& accessor : b.json["accessors"]) {
      if (accessor["type"] != "VEC3" || accessor["count"] != 3) accessor.erase("min"), accessor.erase("max");
    }
    const auto input = b.json["animations"][0]["samplers"][0]["input"].get<int>();
    std::vector<float> numbers = times;
    std::erase_if(numbers, [](float time) { return !std::isfinite(time); });
    entry(b, "accessors", input)["min"] = {*std::ranges::min_element(numbers)};
    entry(b, "accessors", input)["max"] = {*std::ranges::max_element(numbers)};
  });
}

// A triangle on two joints; joint 0 is the mesh's node's neighbour 1 and joint 1 is 2.
GltfBuilder skinned(const Json& nodes, const std::vector<int>& scene, const std::vector<float>& matrices = {}) {
  GltfBuilder b;
  Json p = triangle(b);
  p["attributes"]["JOINTS_0"] = b.accessor<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, "VEC4", kU8);
  p["attributes"]["WEIGHTS_0"] = b.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  b.append("meshes", {{"primitives", {p}}});
  b.json["nodes"] = nodes;
  b.json["scenes"] = {{{"nodes", scene}}};
  b.json["skins"] = {{{"joints", {1, 2}}}};
  if (matrices.empty()) return b;
  const int accessor = b.floats("MAT4", matrices);
  entry(b, "accessors", accessor).erase("min");
  entry(b, "accessors", accessor).erase("max");
  b.json["skins"][0]["inverseBindMatrices"] = accessor;
  return b;
}

const Json kJointsApart = {{{"mesh", 0}, {"skin", 0}},
                           {{"name", "left"}, {"translation", {2, 0, 0}}},
                           {{"name", "right"}, {"translation", {0, 5, 0}}}};
const Json kJointsBelow = {{{"mesh", 0}, {"skin", 0}},
                           {{"name", "hip"}, {"translation", {2, 0, 0}}, {"children", {2}}},
                           {{"name", "knee"}, {"translation", {0, 5, 0}}}};

std::vector<glm::dvec3> at_rest(const Model& model) {
  const Pose pose = rest_pose(model);
  return skin_mesh(model, 0, pose, skinning_palette(model, pose)).positions;
}

class GltfFault : public testing::TestWithParam<Fault> {};

TEST_P(GltfFault, IsRefusedStrictlyAndOtherwiseMendedWithANote) {
  const Fault& fault = GetParam();
  const GltfBuilder file = fault.file();
  const auto refused = file.import({.strict = true});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(fault.refusal), std::string::npos) << refused.error().message;
  const auto imported = file.import();
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(mentions(imported->notes, fault.note)) << testing::PrintToString(imported->notes);
  EXPECT_EQ(imported->notes.size(), 1u) << testing::PrintToString(imported->notes);
  const Repairs& repairs = imported->repairs;
  EXPECT_EQ(repairs.faults_mended + repairs.normals_fixed + repairs.quaternions_fixed,
            static_cast<std::uint64_t>(std::stoul(imported->notes[0])));
  if (fault.expect)
    fault.expect(*imported);
  else
    expect_triangle(*imported);
}

const Fault kFaults[] = {
    {"bounds_too_narrow", "accessors[0]: its max[0] is declared as 0.5, and that of its data is 1",
     "1 declared bound of an accessor is missing or wrong", triangle_with([](GltfBuilder& b) {
       b.json["accessors"][0]["max"] = {0.5, 0.5, 0};
     })},
    {"bounds_too_wide", "accessors[0]: its min[2] is declared as -1, and that of its data is 0",
     "1 declared bound of an accessor is missing or wrong", triangle_with([](GltfBuilder& b) {
       b.json["accessors"][0]["min"] = {0, 0, -1};
     })},
    {"bounds_of_integers_too_wide", "its max[0] is declared as 3, and that of its data is 2",
     "1 declared bound of an accessor is missing or wrong", triangle_with([](GltfBuilder& b) {
       const int indices = b.accessor<std::uint8_t>({0, 1, 2}, "SCALAR", kU8);
       primitive(b)["indices"] = indices;
       entry(b, "accessors", indices)["max"] = {3};
     })},
    {"bounds_missing", "POSITION (accessors[0]) has no min and max", "1 declared bound of an accessor is",
     triangle_with([](GltfBuilder& b) { b.json["accessors"][0].erase("min"); })},
    {"bounds_not_numbers", "accessors[0].min[0] is not a number", "2 declared bounds",
     triangle_with([](GltfBuilder& b) {
       b.json["accessors"][0]["min"] = {nullptr, "NaN", 0};
     })},
    {"bounds_too_few", "its min or max has 2 values for 3 components", "1 declared bound of an accessor is",
     triangle_with([](GltfBuilder& b) {
       b.json["accessors"][0]["max"] = {1, 1};
     })},
    {"empty_collection", "accessors is empty; leave it out instead", "1 list is empty where it should be left out",
     [] {
       GltfBuilder b;
       b.json["accessors"] = Json::array();
       return b;
     },
     [](const Imported& imported) { EXPECT_TRUE(imported.model.meshes().empty()); }},
    {"empty_children", "nodes[0].children is empty; leave it out instead", "1 list is empty where it",
     triangle_with([](GltfBuilder& b) { b.json["nodes"][0]["children"] = Json::array(); })},
    {"empty_animation", "animations[0].channels is empty", "2 lists are empty", triangle_with([](GltfBuilder& b) {
       b.json["animations"] = {{{"channels", Json::array()}, {"samplers", Json::array()}}};
     }),
     [](const Imported& imported) { EXPECT_TRUE(imported.model.clips().empty()); }},
    {"mesh_without_primitives", "meshes[1].primitives is empty", "1 list is empty where it",
     triangle_with([](GltfBuilder& b) {
       b.append("meshes", {{"primitives", Json::array()}});
       b.append("nodes", {{"mesh", 1}});
       b.json["scenes"][0]["nodes"].push_back(1);
     })},
    {"empty_morph_target", "targets[0] is empty", "1 list is empty where it",
     triangle_with([](GltfBuilder& b) { primitive(b)["targets"] = Json::array({Json::object()}); }),
     [](const Imported& imported) { EXPECT_EQ(imported.model.meshes()[0].morph_targets.size(), 1u); }},
    {"extension_undeclared", "VENDOR_thing is not declared in extensionsUsed", "1 use of an extension is not declared",
     triangle_with([](GltfBuilder& b) { b.json["nodes"][0]["extensions"]["VENDOR_thing"] = Json::object(); })},
    {"extension_required_only", "extensionsRequired is given without 'extensionsUsed'",
     "1 use of an extension is not declared",
     triangle_with([](GltfBuilder& b) { b.json["extensionsRequired"] = {"KHR_texture_transform"}; }),
     [](const Imported&) {}},
    {"children_twice", "nodes[1].children[1] repeats an earlier value", "1 entry of a list repeats an earlier one",
     triangle_with([](GltfBuilder& b) {
       b.append("nodes", {{"children", {0, 0}}});
       b.json["scenes"][0]["nodes"] = {1};
     })},
    {"normalized_floats", "only 8-bit and 16-bit integers can be normalized",
     "1 accessor of floats or 32-bit integers is",
     triangle_with([](GltfBuilder& b) { b.json["accessors"][0]["normalized"] = true; })},
    {"keys_at_one_time", "its key 2 at 1 s does not come after the one before",
     "1 animation key was no finite number, a rotation without length or at the time of the one before",
     clip_with({0, 1, 1}, "translation", "VEC3", {0, 0, 0, 4, 5, 6, 7, 8, 9}),
     [](const Imported& imported) {
       const auto& curve = imported.model.clips()[0].bones[0].translation;
       EXPECT_EQ(curve.times, (std::vector<float>{0, 1}));
       EXPECT_EQ(curve.values[1], glm::vec3(4, 5, 6));
     }},
    {"stride_of_keys", "holds animation keys but has a byteStride", "1 use of a buffer view has a byteStride",
     triangle_with([](GltfBuilder& b) {
       b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 5, 6}), "LINEAR");
       const int view = b.view<float>({0, 99, 2, 99});
       entry(b, "bufferViews", view)["byteStride"] = 8;
       auto& times = entry(b, "accessors", b.json["animations"][0]["samplers"][0]["input"].get<int>());
       times["bufferView"] = view;
       times["max"] = {2};
     }),
     [](const Imported& imported) {
       const auto& curve = imported.model.clips()[0].bones[0].translation;
       EXPECT_EQ(curve.times, (std::vector<float>{0, 2}));
       EXPECT_EQ(curve.values[1], glm::vec3(4, 5, 6));
     }},
    {"stride_of_key_values", "holds animation keys but has a byteStride", "1 use of a buffer view has a byteStride",
     triangle_with([](GltfBuilder& b) {
       b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 5, 6}), "LINEAR");
       const int view = b.view<float>({1, 2, 3, 99, 4, 5, 6, 99});
       entry(b, "bufferViews", view)["byteStride"] = 16;
       auto& values = entry(b, "accessors", b.json["animations"][0]["samplers"][0]["output"].get<int>());
       values["bufferView"] = view;
       values.erase("min");
       values.erase("max");
     }),
     [](const Imported& imported) {
       const auto& curve = imported.model.clips()[0].bones[0].translation;
       EXPECT_EQ(curve.values, (std::vector<glm::vec3>{{1, 2, 3}, {4, 5, 6}}));
     }},
    {"stride_of_inverse_bind_matrices", "holds inverse bind matrices but has a byteStride",
     "1 use of a buffer view has a byteStride",
     [] {
       GltfBuilder b = skinned(kJointsBelow, {0, 1}, std::vector<float>(32, 0.0f));
       const int view = b.view<float>(
           {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1, 99, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, -4, 0, 1, 99});
       entry(b, "bufferViews", view)["byteStride"] = 68;
       entry(b, "accessors", b.json["skins"][0]["inverseBindMatrices"].get<int>())["bufferView"] = view;
       return b;
     },
     [](const Imported& imported) {
       EXPECT_EQ(at_rest(imported.model)[0], glm::dvec3(0, 0, 0));
       EXPECT_EQ(at_rest(imported.model)[1], glm::dvec3(1, 1, 0)) << "bound four up, now five up";
     }},
    {"stride_of_indices", "holds indices but has a byteStride", "1 use of a buffer view has a byteStride",
     triangle_with([](GltfBuilder& b) {
       primitive(b)["indices"] = b.accessor<std::uint16_t>({0, 1, 2}, "SCALAR", kU16);
       const int view = b.view<std::uint16_t>({0, 9, 1, 9, 2, 9});
       entry(b, "bufferViews", view)["byteStride"] = 4;
       entry(b, "accessors", primitive(b)["indices"].get<int>())["bufferView"] = view;
     })},
    {"attributes_not_aligned", "is a vertex attribute but not aligned to four bytes",
     "1 accessor is not aligned as it should be", triangle_with([](GltfBuilder& b) {
       primitive(b)["attributes"]["COLOR_0"] =
           b.accessor<std::uint8_t>({255, 0, 51, 0, 255, 0, 0, 0, 255}, "VEC3", kU8, true);
     }),
     [](const Imported& imported) {
       expect_triangle(imported);
       EXPECT_EQ(imported.model.meshes()[0].colours[1], glm::vec4(0, 1, 0, 1));
       EXPECT_NEAR(imported.model.meshes()[0].colours[0].z, 0.2f, 1e-6f);
     }},
    {"floats_at_an_odd_byte", "its data is not aligned to its components of 4 bytes", "2 accessors are not aligned",
     triangle_with([](GltfBuilder& b) {
       std::vector<std::uint8_t> bytes(2 + 36);
       const float values[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
       std::memcpy(bytes.data() + 2, values, sizeof(values));
       b.json["accessors"][0]["bufferView"] = b.view(bytes);
       b.json["accessors"][0]["byteOffset"] = 2;
     })},
    {"several_attributes_without_stride", "holds several vertex attributes, so it needs a byteStride",
     "1 use of a buffer view mixes what should lie apart", triangle_with([](GltfBuilder& b) {
       const int view = b.view<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1});
       b.json["accessors"][0]["bufferView"] = view;
       primitive(b)["attributes"]["NORMAL"] = b.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
       auto& normals = entry(b, "accessors", primitive(b)["attributes"]["NORMAL"].get<int>());
       normals["bufferView"] = view;
       normals["byteOffset"] = 36;
     })},
    {"unknown_attribute", "'UV' is not an attribute glTF knows", "1 vertex attribute has a name or type",
     triangle_with("UV", "VEC2", {0, 0, 1, 0, 0, 1})},
    {"texcoord_numbers", "the sets of TEXCOORD are not numbered 0, 1, 2, …", "1 primitive numbers its attributes",
     triangle_with("TEXCOORD_3", "VEC2", {0, 0, 1, 0, 0, 1})},
    {"colours_above_one", "value 4 of COLOR_0 is 1.0000001, out of range", "1 value of a vertex colour is",
     triangle_with("COLOR_0", "VEC3", {0, 0, 0, 0, 1.0000001f, 0, 0, 0, 1}),
     [](const Imported& imported) { EXPECT_EQ(imported.model.meshes()[0].colours[1], glm::vec4(0, 1, 0, 1)); }},
    {"normals_not_unit", "normal 1 has length 2, not 1", "1 normal is not of unit length",
     triangle_with("NORMAL", "VEC3", {0, 0, 1, 0, 0, 2, 1, 0, 0}),
     [](const Imported& imported) { EXPECT_EQ(imported.model.meshes()[0].normals[1], glm::vec3(0, 0, 1)); }},
    {"node_rotation_not_unit", "nodes[0] has a rotation of length 2, not 1", "1 rotation of a node is",
     triangle_with([](GltfBuilder& b) {
       b.json["nodes"][0]["rotation"] = {0, 2, 0, 0};
     }),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.bones()[0].rest.rotation, glm::dquat(0.0, 0.0, 1.0, 0.0));
     }},
    {"node_rotation_zero", "nodes[0] has a rotation of length 0, not 1", "1 rotation of a node is",
     triangle_with([](GltfBuilder& b) {
       b.json["nodes"][0]["rotation"] = {0, 0, 0, 0};
     }),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.bones()[0].rest.rotation, glm::dquat(1.0, 0.0, 0.0, 0.0));
     }},
    {"interpolation_is_a_number", "samplers[0].interpolation is not a string", "1 interpolation is no word",
     triangle_with([](GltfBuilder& b) {
       b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 5, 6}), "LINEAR");
       b.json["animations"][0]["samplers"][0]["interpolation"] = 1;
     }),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.clips()[0].bones[0].translation.interpolation, Interpolation::linear);
     }},
    {"key_times_without_bounds", "have no min and max", "1 declared bound of an accessor is",
     triangle_with([](GltfBuilder& b) {
       b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 5, 6}), "LINEAR");
       entry(b, "accessors", b.json["animations"][0]["samplers"][0]["input"].get<int>()).erase("max");
     })},
    {"animated_matrix", "it animates nodes[0], which has a matrix", "1 animation channel moves a node",
     triangle_with([](GltfBuilder& b) {
       b.json["nodes"][0]["matrix"] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 7, 8, 9, 1};
       b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 5, 6}), "LINEAR");
     }),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.bones()[0].rest.scale, glm::dvec3(2.0));
       EXPECT_EQ(imported.model.clips()[0].bones.size(), 1u);
     }},
    {"weights_without_targets", "whose mesh has no morph targets", "1 animation channel weighs morph targets",
     triangle_with([](GltfBuilder& b) {
       b.animate(0, "weights", {0, 1}, b.floats("SCALAR", {0, 1}), "LINEAR");
     }),
     [](const Imported& imported) { EXPECT_TRUE(imported.model.clips()[0].morphs.empty()); }},
    {"vertices_not_finite", "accessors[0]: element 3 is not finite",
     "2 vertices were not finite: their triangles were dropped",
     [] {
       GltfBuilder b = triangle_file();
       const int positions = b.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0, kNan, 0, 0, 5, 5, 5, 0, kInf, 0});
       b.json["accessors"][0] = entry(b, "accessors", positions);
       b.json["accessors"].erase(1);
       b.json["accessors"][0]["min"] = {0, 0, 0};
       b.json["accessors"][0]["max"] = {9, 9, 9};
       primitive(b)["indices"] = b.accessor<std::uint8_t>({0, 1, 2, 1, 2, 3, 2, 5, 4}, "SCALAR", kU8);
       return b;
     },
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.meshes()[0].indices, (std::vector<std::uint32_t>{0, 1, 2}));
       EXPECT_EQ(imported.model.meshes()[0].positions.size(), 6u);
       EXPECT_EQ(imported.model.meshes()[0].positions[4], glm::vec3(5));
     }},
    {"normals_not_finite", "element 1 is not finite", "1 normal was not finite: computed from the triangles",
     triangle_with("NORMAL", "VEC3", {1, 0, 0, kNan, 0, 0, 1, 0, 0}),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.meshes()[0].normals[0], glm::vec3(1, 0, 0));
       EXPECT_EQ(imported.model.meshes()[0].normals[1], glm::vec3(0, 0, 1));
     }},
    {"texture_coordinates_not_finite", "element 2 is not finite", "1 texture coordinate, colour or morph offset was",
     triangle_with("TEXCOORD_0", "VEC2", {1, 1, 1, 1, kInf, 0}),
     [](const Imported& imported) { EXPECT_EQ(imported.model.meshes()[0].uvs[2], glm::vec2(0)); }},
    {"tangents_not_finite", "element 1 is not finite", "1 tangent was not finite: computed from the texture",
     triangle_with([](GltfBuilder& b) {
       const auto add = [&b](const char* name, const char* type, const std::vector<float>& values) {
         const int accessor = b.floats(type, values);
         entry(b, "accessors", accessor).erase("min");
         entry(b, "accessors", accessor).erase("max");
         primitive(b)["attributes"][name] = accessor;
       };
       // The texture lies across the triangle: u grows along y, v along x.
       add("NORMAL", "VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1});
       add("TEXCOORD_0", "VEC2", {0, 0, 0, 1, 1, 0});
       add("TANGENT", "VEC4", {1, 0, 0, 1, kNan, 0, 0, 1, 1, 0, 0, 1});
     }),
     [](const Imported& imported) {
       const auto& tangents = imported.model.meshes()[0].tangents;
       ASSERT_EQ(tangents.size(), 3u);
       EXPECT_EQ(tangents[0], glm::vec4(1, 0, 0, 1)) << "sound ones stay as they are";
       EXPECT_LT(glm::distance(tangents[1], glm::vec4(0, 1, 0, -1)), 1e-6f);
     }},
    {"keys_not_finite", "element 1 is not finite", "1 animation key was no finite number, a rotation without length",
     clip_with({0, 1, 2, 3}, "translation", "VEC3", {0, 0, 0, kNan, 0, 0, 4, 5, 6, 7, 8, 9}),
     [](const Imported& imported) {
       const auto& curve = imported.model.clips()[0].bones[0].translation;
       EXPECT_EQ(curve.times, (std::vector<float>{0, 2, 3}));
       EXPECT_EQ(curve.values[1], glm::vec3(4, 5, 6));
     }},
    {"key_times_not_finite", "times cannot be negative", "2 animation keys were no finite numbers",
     clip_with({kNan, 1, 2, kInf}, "translation", "VEC3", {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.clips()[0].bones[0].translation.times, (std::vector<float>{1, 2}));
       EXPECT_EQ(imported.model.clips()[0].start, 1.0);
       EXPECT_EQ(imported.model.clips()[0].end, 2.0);
     }},
    {"rotation_keys_without_length", "its rotation 1 has length 0, not 1",
     "1 animation key was no finite number, a rotation without length",
     clip_with({0, 1, 2}, "rotation", "VEC4", {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0}),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.clips()[0].bones[0].rotation.times, (std::vector<float>{0, 2}));
     }},
    {"a_spline_of_one_sound_key", "element 3 is not finite",
     "1 animation key was no finite number, a rotation without length",
     clip_with({0, 1}, "translation", "VEC3", {0, 0, 0, 1, 2, 3, 0, 0, 0, kNan, 0, 0, 4, 5, 6, 0, 0, 0}, "CUBICSPLINE"),
     [](const Imported& imported) {
       const auto& curve = imported.model.clips()[0].bones[0].translation;
       EXPECT_EQ(curve.interpolation, Interpolation::step);
       EXPECT_EQ(curve.values, (std::vector<glm::vec3>{{1, 2, 3}}));
     }},
    {"interpolation_unknown", "its interpolation 'BEZIER' is none of LINEAR, STEP and CUBICSPLINE",
     "1 interpolation is no word that glTF knows: read as linear",
     [] {
       GltfBuilder b = triangle_file();
       b.animate(0, "translation", {0, 1}, b.floats("VEC3", {0, 0, 0, 4, 5, 6}), "BEZIER");
       return b;
     },
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.clips()[0].bones[0].translation.interpolation, Interpolation::linear);
     }},
    {"a_spline_of_one_key", "a cubic spline needs two keys or more",
     "1 cubic spline has one key alone: taken as a pose",
     clip_with({0.5f}, "translation", "VEC3", {9, 9, 9, 1, 2, 3, 9, 9, 9}, "CUBICSPLINE"),
     [](const Imported& imported) {
       const auto& curve = imported.model.clips()[0].bones[0].translation;
       EXPECT_EQ(curve.interpolation, Interpolation::step);
       EXPECT_EQ(curve.times, (std::vector<float>{0.5f}));
       EXPECT_EQ(curve.values, (std::vector<glm::vec3>{{1, 2, 3}}));
     }},
    {"weights_too_many", "meshes[0] has 2 weights for 1 morph target",
     "1 mesh or node has another number of weights than of morph targets", triangle_with([](GltfBuilder& b) {
       primitive(b)["targets"] = {{{"POSITION", 0}}};
       b.json["meshes"][0]["weights"] = {0.25, 0.5};
     }),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.meshes()[0].morph_weights, (std::vector<float>{0.25f}));
     }},
    {"weights_of_a_node_too_few", "nodes[0] has 1 weight for 2 morph targets",
     "1 mesh or node has another number of weights than of morph targets", triangle_with([](GltfBuilder& b) {
       primitive(b)["targets"] = {{{"POSITION", 0}}, {{"POSITION", 0}}};
       b.json["meshes"][0]["weights"] = {0.25, 0.5};
       b.json["nodes"][0]["weights"] = {0.75};
     }),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.meshes()[0].morph_weights, (std::vector<float>{0.75f, 0.0f}));
     }},
    {"extensions_that_are_no_object", "materials[0].extensions is not an object",
     "1 property that nothing here needs is wrong: left out", triangle_with([](GltfBuilder& b) {
       b.json["materials"] = {{{"extensions", "none"}, {"pbrMetallicRoughness", {{"baseColorFactor", {0, 1, 0, 1}}}}}};
       primitive(b)["material"] = 0;
     }),
     [](const Imported& imported) { EXPECT_EQ(imported.model.materials()[0].base_colour, glm::vec4(0, 1, 0, 1)); }},
    {"joints_apart", "its joints have no common root", "1 skin has joints without a common root: one was made",
     [] {
       return skinned(kJointsApart, {0, 1, 2});
     },
     [](const Imported& imported) {
       const auto& bones = imported.model.bones();
       ASSERT_EQ(bones.size(), 4u);
       EXPECT_EQ(bones[2].name, "left");
       EXPECT_EQ(bones[3].name, "right");
       EXPECT_EQ(bones[2].parent, bones[3].parent);
       EXPECT_TRUE(bones[2].parent.has_value());
       EXPECT_EQ(at_rest(imported.model)[0], glm::dvec3(2, 0, 0));
       EXPECT_EQ(at_rest(imported.model)[1], glm::dvec3(1, 5, 0));
     }},
    {"joints_outside_the_scene", "the joints of its skin are not; add nodes[1] to the scene",
     "1 skinned node has joints outside the scene",
     [] {
       GltfBuilder b = skinned(kJointsBelow, {0});
       b.json["nodes"][2]["mesh"] = 0;  // which is not shown, for its node is outside the scene
       b.animate(2, "translation", {0, 1}, b.floats("VEC3", {0, 5, 0, 0, 9, 0}), "LINEAR");
       return b;
     },
     [](const Imported& imported) {
       const Model& model = imported.model;
       EXPECT_EQ(model.meshes().size(), 1u);
       EXPECT_EQ(at_rest(model)[1], glm::dvec3(3, 5, 0));
       const Pose pose = sample(model, model.clips()[0], 1.0);
       EXPECT_EQ(skin_mesh(model, 0, pose, skinning_palette(model, pose)).positions[1], glm::dvec3(3, 9, 0));
     }},
    {"inverse_bind_matrix_not_finite", "element 1 is not finite",
     "1 inverse bind matrix was not finite: that of the rest pose stands in",
     [] {
       std::vector<float> matrices = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0, 0, 1,
                                      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0, 0, 1};
       matrices[16] = kNan;
       return skinned(kJointsBelow, {0, 1}, matrices);
     },
     [](const Imported& imported) {
       EXPECT_EQ(at_rest(imported.model)[0], glm::dvec3(0, 0, 0));
       EXPECT_EQ(at_rest(imported.model)[1], glm::dvec3(1, 0, 0));
     }},
    {"inverse_bind_matrix_row", "the last row of its inverse bind matrix 1 is not 0 0 0 1",
     "1 inverse bind matrix has a last row",
     [] {
       return skinned(kJointsBelow, {0, 1}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0,  0, 1,
                                             1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, -5, 0, 0});
     },
     [](const Imported& imported) { EXPECT_EQ(at_rest(imported.model)[1], glm::dvec3(1, 0, 0)); }},
    {"texture_that_is_not_there", "names textures[5], but there are 0",
     "1 property of a material, texture or sampler is", triangle_with([](GltfBuilder& b) {
       b.json["materials"] = {
           {{"pbrMetallicRoughness", {{"baseColorFactor", {0.5, 0.25, 0, 1}}, {"baseColorTexture", {{"index", 5}}}}}}};
       primitive(b)["material"] = 0;
     }),
     [](const Imported& imported) {
       EXPECT_EQ(imported.model.materials()[0].base_colour, glm::vec4(0.5f, 0.25f, 0, 1));
     }},
};

INSTANTIATE_TEST_SUITE_P(Each, GltfFault, testing::ValuesIn(kFaults),
                         [](const auto& fault) { return std::string(fault.param.name); });

// It stays, so that the others keep their numbers, but nobody's bounds may grow by it: the model is far from the
// origin.
TEST(GltfMends, AVertexThatIsNotFiniteLiesWhereOthersDo) {
  GltfBuilder b = triangle_file();
  const int positions = b.floats("VEC3", {7, 8, 9, 8, 8, 9, 7, 9, 9, kNan, 8, 9});
  b.json["accessors"][0] = entry(b, "accessors", positions);
  b.json["accessors"].erase(1);
  for (const char* bound : {"min", "max"}) b.json["accessors"][0].erase(bound);
  primitive(b)["indices"] = b.accessor<std::uint8_t>({0, 1, 2, 1, 2, 3}, "SCALAR", kU8);
  const auto imported = b.import();
  ASSERT_TRUE(imported) << imported.error().message;
  const std::vector<glm::vec3>& found = imported->model.meshes()[0].positions;
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(std::ranges::count(std::span(found).first(3), found[3]) > 0);
}

TEST(GltfMends, AByteOrderMarkAndOddChunksArePassedOver) {
  const ScratchFolder folder;
  const auto marked = folder.write("marked.gltf", "\xEF\xBB\xBF" + triangle_file().gltf());
  EXPECT_FALSE(import_gltf(marked, {.strict = true}));
  const auto imported = import_gltf(marked);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_TRUE(mentions(imported->notes, "1 byte-order mark"));
  expect_triangle(*imported);
}

// Declared in fewer digits than a float has; more digits mean the float.
TEST(GltfMends, BoundsThatAreRoundedAreNothingToTellOfButStrictlyWrong) {
  const auto with_bound = [](const Json& bound) {
    GltfBuilder b;
    Json p = triangle(b);
    p["attributes"]["POSITION"] = b.floats("VEC3", {0, 0, 0, 0.1234567f, 0, 0, 0, 1, 0});
    entry(b, "accessors", p["attributes"]["POSITION"])["max"][0] = bound;
    b.append("meshes", {{"primitives", {p}}});
    b.json["nodes"] = {{{"mesh", 0}}};
    return b;
  };
  struct Case {
    double bound;
    bool strictly;
    bool told;
  };
  for (const Case& one : {Case{0.1234567, true, false}, Case{0.123456705, true, false}, Case{0.12346, false, false},
                          Case{0.12345, false, false}, Case{0.1235, false, true}, Case{0.1234, false, true}}) {
    SCOPED_TRACE(one.bound);
    const GltfBuilder file = with_bound(one.bound);
    EXPECT_EQ(file.import({.strict = true}).has_value(), one.strictly);
    const auto imported = file.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(mentions(imported->notes, "1 declared bound of an accessor"), one.told);
  }
}

TEST(GltfMends, WhatHasNoSensibleMeaningIsRefusedAllTheSame) {
  const std::pair<const char*, std::function<void(GltfBuilder&)>> cases[] = {
      {"it requires the extension VENDOR_needed",
       [](GltfBuilder& b) { b.json["extensionsRequired"] = {"VENDOR_needed"}; }},
      {"past the last of 3 vertices",
       [](GltfBuilder& b) {
         primitive(b)["indices"] = b.accessor<std::uint8_t>({0, 1, 3}, "SCALAR", kU8);
       }},
      {"does not come after the one before",
       [](GltfBuilder& b) {
         b.animate(0, "translation", {1, 0}, b.floats("VEC3", {0, 0, 0, 1, 1, 1}), "LINEAR");
       }},
      {"overlap at a stride of 8", [](GltfBuilder& b) { b.json["bufferViews"][0]["byteStride"] = 8; }},
      {"both a matrix and a scale", [](GltfBuilder& b) {
         b.json["nodes"][0]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
         b.json["nodes"][0]["scale"] = {1, 1, 1};
       }}};
  for (const auto& [because, change] : cases) {
    GltfBuilder b = triangle_file();
    change(b);
    const auto imported = b.import();
    ASSERT_FALSE(imported) << because;
    EXPECT_NE(imported.error().message.find(because), std::string::npos) << imported.error().message;
  }
}

// A list or a map that is required, and has nothing in it.
TEST(GltfMends, WhatIsRequiredAndEmptyIsNothing) {
  GltfBuilder skin = triangle_file();
  skin.json["skins"] = {{{"joints", Json::array()}}};
  skin.json["nodes"][0]["skin"] = 0;
  GltfBuilder primitive = triangle_file();
  primitive.json["meshes"][0]["primitives"].push_back({{"attributes", Json::object()}});
  const std::tuple<GltfBuilder, const char*, const char*> cases[] = {
      {skin, "skins[0].joints is empty", "1 list is empty where it should be left out"},
      {primitive, "meshes[0].primitives[1].attributes is empty", "1 primitive without positions left out"}};
  for (const auto& [file, refusal, note] : cases) {
    const auto refused = file.import({.strict = true});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find(refusal), std::string::npos) << refused.error().message;
    EXPECT_EQ(refused.error().message.find("leave it out"), std::string::npos) << refused.error().message;
    const auto imported = file.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->notes.size(), 1u) << testing::PrintToString(imported->notes);
    EXPECT_TRUE(mentions(imported->notes, note)) << testing::PrintToString(imported->notes);
    expect_triangle(*imported);
  }
}

TEST(GltfMends, EmptyListsOfCamerasAndImagesAreToldOfOnce) {
  for (const char* list : {"cameras", "images"}) {
    GltfBuilder b = triangle_file();
    b.json[list] = Json::array();
    const auto imported = b.import();
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(imported->notes.size(), 1u) << testing::PrintToString(imported->notes);
    EXPECT_TRUE(mentions(imported->notes, "1 list is empty where it should be left out"))
        << testing::PrintToString(imported->notes);
  }
}

// As Python and JavaScript print what is no number.
TEST(GltfMends, NumbersThatJsonDoesNotKnowAreTakenAsLeftOut) {
  const ScratchFolder folder;
  const std::string file =
      R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0,"name":"NaN, \"Infinity"}],"meshes":[{"primitives":)"
      R"([{"attributes":{"POSITION":0}}]}],"accessors":[{"componentType":5126,"count":3,"type":"VEC3",)"
      R"("min":[NaN,-Infinity,0],"max":[0,0,0]}]})";
  const auto path = folder.write("odd.gltf", file);
  const auto imported = import_gltf(path);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->model.bones().at(0).name, "NaN, \"Infinity");
  EXPECT_TRUE(std::any_of(imported->notes.begin(), imported->notes.end(), [](const std::string& note) {
    return note.find("2 numbers of the JSON are NaN or Infinity") != std::string::npos;
  }));
  const auto strictly = import_gltf(path, {.strict = true});
  ASSERT_FALSE(strictly);
  EXPECT_NE(strictly.error().message.find("NaN is no number"), std::string::npos) << strictly.error().message;
  std::string moved = file;
  moved.replace(moved.find("\"mesh\":0,"), 9, "\"mesh\":0,\"translation\":[NaN,0,0],");
  const auto nowhere = import_gltf(folder.write("nowhere.gltf", moved));
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("nodes[0].translation"), std::string::npos) << nowhere.error().message;
}

}  // namespace
}  // namespace throng::test
