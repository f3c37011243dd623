// SPDX-License-Identifier: Apache-2.0
// Files whose hash is right and whose content is not: each is refused for what is wrong with it, none is trusted. The
// clips and frames have a file of their own: hostile_clip_test.cpp.
#include <limits>

#include "hostile_case.h"

namespace throng {
namespace {

using Json = nlohmann::ordered_json;
using Case = HostileCase;

class HostileAsset : public testing::TestWithParam<Case> {};

TEST_P(HostileAsset, IsRefused) { expect_refused(small_model(), GetParam()); }

const Case kExtensionCases[] = {
    {"version_newer", [](Halves& h) { h.extension()["version"] = "5.0"; }},
    {"version_older_than_the_fields", [](Halves& h) { h.extension()["version"] = "1.0"; }},
    {"version_zero", [](Halves& h) { h.extension()["version"] = "0.9"; }},
    {"version_words", [](Halves& h) { h.extension()["version"] = "one"; }},
    {"version_number", [](Halves& h) { h.extension()["version"] = 1.0; }},
    {"mode_unknown", [](Halves& h) { h.extension()["mode"] = "pixels"; }},
    {"mode_of_vertices", [](Halves& h) { h.extension()["mode"] = "vertices"; }},
    {"tangents_animated_in_bone_mode", [](Halves& h) { h.extension()["tangentsAnimated"] = true; }},
    {"hash_is_short", [](Halves& h) { h.extension()["hash"] = "00000000000000001"; }},
    {"no_extension",
     [](Halves& h) {
       h.json["extensions"] = {{"other", {{"hash", std::string(16, '0')}}}};
     }},
    {"atlas_width_zero", [](Halves& h) { h.extension()["atlas"]["width"] = 0; }},
    {"atlas_width_huge", [](Halves& h) { h.extension()["atlas"]["width"] = 4294967295u; }},
    {"atlas_width_over_32_bits", [](Halves& h) { h.extension()["atlas"]["width"] = 4294967298u * 1ull; }},
    {"atlas_width_negative", [](Halves& h) { h.extension()["atlas"]["width"] = -2; }},
    {"atlas_width_fraction", [](Halves& h) { h.extension()["atlas"]["width"] = 2.5; }},
    {"atlas_format_unknown", [](Halves& h) { h.extension()["atlas"]["format"] = "rgba8"; }},
    {"atlas_format_of_half_the_words", [](Halves& h) { h.extension()["atlas"]["format"] = "rg32ui"; }},
    {"atlas_format_of_floats", [](Halves& h) { h.extension()["atlas"]["format"] = "rgba16f"; }},
    {"atlas_height_too_large", [](Halves& h) { h.extension()["atlas"]["height"] = 9; }},
    {"atlas_layers_too_many", [](Halves& h) { h.extension()["atlas"]["layers"] = 3; }},
    {"atlas_layers_huge", [](Halves& h) { h.extension()["atlas"]["layers"] = 2147483649u; }},
    {"atlas_view_missing", [](Halves& h) { h.extension()["atlas"]["bufferView"] = 99; }},
    {"atlas_view_of_vertices", [](Halves& h) { h.extension()["atlas"]["bufferView"] = accessor_view(h, 0); }},
    {"table_view_missing", [](Halves& h) { h.extension()["table"]["bufferView"] = 99; }},
    {"table_view_not_whole_rows", [](Halves& h) { h.json["bufferViews"][view_of(h, "table")]["byteLength"] = 92; }},
    {"table_too_short", [](Halves& h) { h.json["bufferViews"][view_of(h, "table")]["byteLength"] = 80; }},
    {"table_gone", [](Halves& h) { h.extension().erase("table"); }},
    {"table_is_a_number", [](Halves& h) { h.extension()["table"] = 1; }},
    {"source_view_missing", [](Halves& h) { h.extension()["bakedFromSource"]["bufferView"] = 99; }},
    {"source_view_too_short",
     [](Halves& h) { h.json["bufferViews"][view_of(h, "bakedFromSource")]["byteLength"] = 16; }},
    {"source_view_not_whole",
     [](Halves& h) { h.json["bufferViews"][view_of(h, "bakedFromSource")]["byteLength"] = 18; }},
    {"clips_empty", [](Halves& h) { h.extension()["clips"] = Json::array(); }},
    {"clips_of_numbers",
     [](Halves& h) {
       h.extension()["clips"] = {1, 2};
     }},
    {"bones_empty", [](Halves& h) { h.extension()["bones"] = Json::array(); }},
    {"bones_fewer_than_named", [](Halves& h) { h.extension()["bones"].erase(1); }},
    {"skeleton_without_local8",
     [](Halves& h) {
       const Json rest = {{"translation", {0, 0, 0}}, {"rotation", {0, 0, 0, 1}}, {"scale", 1}};
       h.extension()["skeleton"] = Json::array({{{"rest", rest}}});
       for (Json& bone : h.extension()["bones"]) bone.update({{"link", 0}, {"linkFromMesh", rest}});
     }},
    {"level_error_negative", [](Halves& h) { h.extension()["levels"][0]["error"] = -0.1; }},
    {"fewer_bones_negative", [](Halves& h) { h.extension()["fewerBones"][1] = -0.1; }},
    {"fewer_bones_of_two", [](Halves& h) { h.extension()["fewerBones"].erase(0); }},
    {"fewer_bones_of_a_level_negative", [](Halves& h) { h.extension()["levels"][0]["fewerBones"][2] = -1.0; }},
    {"fewer_bones_of_a_level_no_list", [](Halves& h) { h.extension()["levels"][0]["fewerBones"] = 0.5; }},
    {"level_of_too_many_vertices", [](Halves& h) { h.extension()["levels"][0]["vertexCount"] = 5; }},
    {"level_index_past_its_vertices", [](Halves& h) { h.extension()["levels"][0]["vertexCount"] = 2; }},
    {"level_without_parts", [](Halves& h) { h.extension()["levels"][0]["parts"] = Json::array(); }},
    {"level_part_past_the_indices", [](Halves& h) { h.extension()["levels"][0]["parts"][0]["firstIndex"] = 7; }},
    {"level_part_wraps", [](Halves& h) { h.extension()["levels"][0]["parts"][0]["firstIndex"] = 4294967293u; }},
    {"level_part_not_triangles", [](Halves& h) { h.extension()["levels"][0]["parts"][0]["indexCount"] = 2; }},
    {"level_part_of_no_material", [](Halves& h) { h.extension()["levels"][0]["parts"][0]["material"] = 2; }},
    {"level_parts_over_and_over",
     [](Halves& h) {
       Json& parts = h.extension()["levels"][0]["parts"];
       for (int i = 0; i < 3; ++i) parts.push_back(parts[0]);
     }},
    {"levels_too_many",
     [](Halves& h) {
       Json& levels = h.extension()["levels"];
       while (levels.size() < 17) levels.push_back(levels[0]);
     }},
    {"levels_of_numbers",
     [](Halves& h) {
       h.extension()["levels"] = {1, 2};
     }},
    {"half_float_bytes_negative", [](Halves& h) { h.extension()["halfFloatBytes"] = -1; }},
    {"half_float_bytes_fraction", [](Halves& h) { h.extension()["halfFloatBytes"] = 0.5; }},
    {"uniform_scale_is_number", [](Halves& h) { h.extension()["uniformScale"] = 1; }},
    {"uniform_scale_missing", [](Halves& h) { h.extension().erase("uniformScale"); }},
    {"speck_of_three_rows", [](Halves& h) { h.extension()["speck"].erase(3); }},
    {"speck_negative", [](Halves& h) { h.extension()["speck"][1][2] = -0.5; }},
    {"speck_parts_of_a_row_less", [](Halves& h) { h.extension()["speckParts"].erase(3); }},
    {"speck_parts_of_a_part_less",
     [](Halves& h) {
       for (int i = 0; i < 5; ++i) h.extension()["speckParts"].erase(0);
     }},
    {"speck_parts_negative", [](Halves& h) { h.extension()["speckParts"][4][1] = -0.5; }},
    {"speck_past_float", [](Halves& h) { h.extension()["speck"][1][2] = 1e39; }},
    {"skin_vertices_missing", [](Halves& h) { h.extension().erase("skinVertices"); }},
    {"skin_vertices_in_another_view",
     [](Halves& h) { h.extension()["skinVertices"]["bufferView"] = view_of(h, "table"); }},
    {"skin_vertex_elsewhere", [](Halves& h) { poke(h, view_of(h, "skinVertices"), 32, 99.0f); }},
    {"skin_vertex_turned_over", [](Halves& h) { poke<std::uint32_t>(h, view_of(h, "skinVertices"), 12, 0x7FFF7FFFu); }},
    {"skin_vertex_of_a_bone_past_the_last",
     [](Halves& h) { poke<std::uint16_t>(h, view_of(h, "skinVertices"), 3 * 32 + 16, 2); }},
    {"skin_vertex_of_other_weight", [](Halves& h) { poke<std::uint16_t>(h, view_of(h, "skinVertices"), 24, 1); }},
    {"repairs_negative", [](Halves& h) { h.extension()["repairs"]["verticesCut"] = -1; }},
    {"repairs_weight_negative", [](Halves& h) { h.extension()["repairs"]["mostWeightDropped"] = -0.1; }},
    {"repairs_is_a_list", [](Halves& h) { h.extension()["repairs"] = Json::array(); }},
    {"socket_bone_past_last", [](Halves& h) { h.extension()["sockets"][0]["bone"] = 2; }},
    {"socket_rotation_not_unit",
     [](Halves& h) {
       h.extension()["sockets"][0]["rotation"] = {0, 0, 0, 0};
     }},
    {"source_vertices_past_last", [](Halves& h) { h.extension()["sources"][1]["vertexCount"] = 3; }},
    {"sources_empty", [](Halves& h) { h.extension()["sources"] = Json::array(); }},
    {"sources_partial", [](Halves& h) { h.extension()["sources"].erase(1); }},
    {"source_cut_short", [](Halves& h) { h.extension()["sources"][1]["vertexCount"] = 1; }},
    {"source_with_a_gap_before_it",
     [](Halves& h) {
       h.extension()["sources"][1]["firstVertex"] = 4;
       h.extension()["sources"][1]["vertexCount"] = 1;
     }},
    {"source_repeated",
     [](Halves& h) {
       Json& sources = h.extension()["sources"];
       sources.push_back(sources[1]);
     }},
    {"sources_that_overlap", [](Halves& h) { h.extension()["sources"][0]["vertexCount"] = 4; }},
    {"vertex_of_no_source", [](Halves& h) { poke<std::uint32_t>(h, view_of(h, "bakedFromSource"), 12, 1); }},
    {"source_vertices_wrap", [](Halves& h) { h.extension()["sources"][1]["firstVertex"] = 4294967295u; }},
    {"bounds_inside_out",
     [](Halves& h) {
       h.extension()["bounds"]["max"] = {-9, 0, 0};
     }},
    {"error_negative", [](Halves& h) { h.extension()["error"]["between"]["max"] = -1; }},
    {"error_is_text", [](Halves& h) { h.extension()["error"] = "none"; }},
    {"notes_of_numbers", [](Halves& h) { h.extension()["notes"] = {1}; }},
};

const Case kGltfCases[] = {
    {"no_buffers", [](Halves& h) { h.json.erase("buffers"); }},
    {"buffer_longer_than_chunk", [](Halves& h) { h.json["buffers"][0]["byteLength"] = 1000000; }},
    {"view_past_end", [](Halves& h) { h.json["bufferViews"][0]["byteOffset"] = 100000; }},
    {"view_length_wraps", [](Halves& h) { h.json["bufferViews"][0]["byteLength"] = 4294967295u; }},
    {"view_of_another_buffer", [](Halves& h) { h.json["bufferViews"][0]["buffer"] = 1; }},
    {"vertex_view_cut", [](Halves& h) { h.json["bufferViews"][accessor_view(h, 0)]["byteLength"] = 156; }},
    {"vertex_view_not_whole", [](Halves& h) { h.json["bufferViews"][accessor_view(h, 0)]["byteLength"] = 207; }},
    {"vertex_view_not_aligned",
     [](Halves& h) {
       Json& view = h.json["bufferViews"][accessor_view(h, 0)];
       view["byteOffset"] = view["byteOffset"].get<int>() + 1;
     }},
    {"vertex_stride", [](Halves& h) { h.json["bufferViews"][accessor_view(h, 0)]["byteStride"] = 56; }},
    {"accessor_count", [](Halves& h) { h.json["accessors"][0]["count"] = 5; }},
    {"accessor_counts_all",
     [](Halves& h) {
       for (std::size_t i = 0; i < 6; ++i) h.json["accessors"][i]["count"] = 400000000;
     }},
    {"accessor_offset", [](Halves& h) { h.json["accessors"][1]["byteOffset"] = 16; }},
    {"accessor_type", [](Halves& h) { h.json["accessors"][0]["type"] = "VEC4"; }},
    {"accessor_component", [](Halves& h) { h.json["accessors"][4]["componentType"] = 5121; }},
    {"accessor_not_normalised", [](Halves& h) { h.json["accessors"][5].erase("normalized"); }},
    {"accessor_sparse", [](Halves& h) { h.json["accessors"][0]["sparse"] = Json::object(); }},
    {"accessor_missing", [](Halves& h) { h.json["meshes"][0]["primitives"][0]["attributes"]["_BONES"] = 99; }},
    {"attribute_missing", [](Halves& h) { h.json["meshes"][0]["primitives"][0]["attributes"].erase("_WEIGHTS"); }},
    {"vertex_numbers_fewer", [](Halves& h) { h.json["accessors"][kNumbers]["count"] = 3; }},
    {"vertex_numbers_of_integers", [](Halves& h) { h.json["accessors"][kNumbers]["componentType"] = 5125; }},
    {"vertex_numbers_missing", [](Halves& h) { h.json["accessors"][kNumbers]["bufferView"] = 99; }},
    {"tangents_fewer", [](Halves& h) { h.json["accessors"][kTangents]["count"] = 3; }},
    {"tangents_cut", [](Halves& h) { h.json["bufferViews"][accessor_view(h, kTangents)]["byteLength"] = 48; }},
    {"tangents_of_three", [](Halves& h) { h.json["accessors"][kTangents]["type"] = "VEC3"; }},
    {"tangents_not_at_the_start", [](Halves& h) { h.json["accessors"][kTangents]["byteOffset"] = 16; }},
    {"tangents_of_one_primitive",
     [](Halves& h) { h.json["meshes"][0]["primitives"][1]["attributes"].erase("TANGENT"); }},
    {"tangents_missing", [](Halves& h) { h.json["accessors"][kTangents]["bufferView"] = 99; }},
    {"index_accessor_past_end", [](Halves& h) { h.json["accessors"][kFirstIndices + 1]["byteOffset"] = 28; }},
    {"index_accessor_not_aligned", [](Halves& h) { h.json["accessors"][kFirstIndices + 1]["byteOffset"] = 2; }},
    {"index_accessor_not_triangles", [](Halves& h) { h.json["accessors"][kFirstIndices]["count"] = 2; }},
    {"index_accessor_empty", [](Halves& h) { h.json["accessors"][kFirstIndices]["count"] = 0; }},
    {"index_accessor_shorts", [](Halves& h) { h.json["accessors"][kFirstIndices]["componentType"] = 5123; }},
    {"primitive_of_lines", [](Halves& h) { h.json["meshes"][0]["primitives"][0]["mode"] = 1; }},
    {"primitives_of_two_buffers", [](Halves& h) { h.json["accessors"][kFirstIndices + 1]["bufferView"] = 0; }},
    {"no_primitives", [](Halves& h) { h.json["meshes"][0]["primitives"] = Json::array(); }},
    {"no_mesh", [](Halves& h) { h.json["nodes"][0]["mesh"] = 1; }},
    {"no_nodes", [](Halves& h) { h.json["nodes"] = Json::array(); }},
    {"material_past_last", [](Halves& h) { h.json["meshes"][0]["primitives"][0]["material"] = 2; }},
    {"texture_past_last",
     [](Halves& h) { h.json["materials"][1]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 1; }},
    {"image_past_last", [](Halves& h) { h.json["textures"][0]["source"] = 1; }},
    {"sampler_past_last", [](Halves& h) { h.json["textures"][0]["sampler"] = 1; }},
    {"sampler_wrap_unknown", [](Halves& h) { h.json["samplers"][0]["wrapS"] = 1; }},
    {"image_view_past_last", [](Halves& h) { h.json["images"][0]["bufferView"] = 50; }},
    {"image_kind_unknown", [](Halves& h) { h.json["images"][0]["mimeType"] = "text/html"; }},
    {"colour_past_one",
     [](Halves& h) {
       h.json["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = {2, 0, 0, 1};
     }},
    {"alpha_mode_unknown", [](Halves& h) { h.json["materials"][0]["alphaMode"] = "GLASS"; }},
    {"alpha_cutoff_negative", [](Halves& h) { h.json["materials"][1]["alphaCutoff"] = -1; }},
    {"deep_json",
     [](Halves& h) {
       Json deep = 1;
       for (int i = 0; i < 500; ++i) deep = Json::array({deep});
       h.json["extras"] = deep;
     }},
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const Case kBinaryCases[] = {
    {"index_past_last_vertex", [](Halves& h) { poke<std::uint32_t>(h, accessor_view(h, kFirstIndices), 8, 4); }},
    {"index_huge", [](Halves& h) { poke<std::uint32_t>(h, accessor_view(h, kFirstIndices), 0, 4294967295u); }},
    {"index_past_its_levels_vertices",
     [](Halves& h) { poke<std::uint32_t>(h, accessor_view(h, kFirstIndices), 6 * 4, 3); }},
    {"position_nan", [](Halves& h) { poke(h, accessor_view(h, kPosition), 52, kNan); }},
    {"normal_infinite", [](Halves& h) { poke(h, accessor_view(h, kPosition), 12, kInfinity); }},
    {"uv_nan", [](Halves& h) { poke(h, accessor_view(h, kPosition), 52 + 24, kNan); }},
    {"bone_past_last", [](Halves& h) { poke<std::uint16_t>(h, accessor_view(h, kPosition), 32, 2); }},
    {"bone_past_last_without_weight", [](Halves& h) { poke<std::uint16_t>(h, accessor_view(h, kPosition), 38, 2); }},
    {"weights_too_little", [](Halves& h) { poke<std::uint16_t>(h, accessor_view(h, kPosition), 40, 39999); }},
    {"weights_too_much", [](Halves& h) { poke<std::uint16_t>(h, accessor_view(h, kPosition), 44, 65535); }},
    {"vertex_number_of_another", [](Halves& h) { poke(h, accessor_view(h, kNumbers), 4, 2.0f); }},
    {"vertex_number_nan", [](Halves& h) { poke(h, accessor_view(h, kNumbers), 0, kNan); }},
    {"tangent_nan", [](Halves& h) { poke(h, accessor_view(h, kTangents), 16, kNan); }},
    {"tangent_too_long", [](Halves& h) { poke(h, accessor_view(h, kTangents), 0, 1.1f); }},
    {"tangent_without_a_side", [](Halves& h) { poke(h, accessor_view(h, kTangents), 12, 0.5f); }},
    {"source_vertex_past_last", [](Halves& h) { poke<std::uint32_t>(h, view_of(h, "bakedFromSource"), 16, 4); }},
    {"table_nan", [](Halves& h) { poke(h, view_of(h, "table"), 16, kNan); }},
    {"table_infinite", [](Halves& h) { poke(h, view_of(h, "table"), 16 * 5 + 12, -kInfinity); }},
};

INSTANTIATE_TEST_SUITE_P(Extension, HostileAsset, testing::ValuesIn(kExtensionCases), hostile_case_name);
INSTANTIATE_TEST_SUITE_P(Gltf, HostileAsset, testing::ValuesIn(kGltfCases), hostile_case_name);
INSTANTIATE_TEST_SUITE_P(Binary, HostileAsset, testing::ValuesIn(kBinaryCases), hostile_case_name);

}  // namespace
}  // namespace throng
