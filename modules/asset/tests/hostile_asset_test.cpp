// Files whose hash is right and whose content is not: each is refused for what is wrong with it, none is trusted.
#include <cstring>
#include <functional>
#include <limits>

#include "small_asset.h"

namespace throng {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  const char* name;
  std::function<void(Halves&)> change;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class HostileAsset : public testing::TestWithParam<Case> {};

TEST_P(HostileAsset, IsRefused) {
  Halves halves = taken_apart(small_file());
  GetParam().change(halves);
  const std::string message = refusal(put_together(halves));
  EXPECT_NE(message, "");
  EXPECT_EQ(message.find("hash does not match"), std::string::npos) << message;
}

const Case kExtensionCases[] = {
    {"version_newer", [](Halves& h) { h.extension()["version"] = "2.0"; }},
    {"version_zero", [](Halves& h) { h.extension()["version"] = "0.9"; }},
    {"version_words", [](Halves& h) { h.extension()["version"] = "one"; }},
    {"version_number", [](Halves& h) { h.extension()["version"] = 1.0; }},
    {"encoding_unknown", [](Halves& h) { h.extension()["encoding"] = "rows"; }},
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
    {"atlas_rows_zero", [](Halves& h) { h.extension()["atlas"]["rowsPerFrame"] = 0; }},
    {"atlas_rows_too_many", [](Halves& h) { h.extension()["atlas"]["rowsPerFrame"] = 2; }},
    {"atlas_height_too_large", [](Halves& h) { h.extension()["atlas"]["height"] = 6; }},
    {"atlas_layers_too_many", [](Halves& h) { h.extension()["atlas"]["layers"] = 3; }},
    {"atlas_layers_huge", [](Halves& h) { h.extension()["atlas"]["layers"] = 2147483649u; }},
    {"atlas_view_missing", [](Halves& h) { h.extension()["atlas"]["bufferView"] = 99; }},
    {"atlas_view_of_vertices", [](Halves& h) { h.extension()["atlas"]["bufferView"] = 1; }},
    {"clip_frames_zero", [](Halves& h) { h.extension()["clips"][0]["frameCount"] = 0; }},
    {"clip_frames_past_atlas", [](Halves& h) { h.extension()["clips"][0]["frameCount"] = 6; }},
    {"clip_first_frame_past_atlas", [](Halves& h) { h.extension()["clips"][0]["firstFrame"] = 3; }},
    {"clip_first_frame_wraps", [](Halves& h) { h.extension()["clips"][0]["firstFrame"] = 4294967294u; }},
    {"clip_layer_past_last", [](Halves& h) { h.extension()["clips"][1]["layer"] = 2; }},
    {"clip_length_negative", [](Halves& h) { h.extension()["clips"][0]["length"] = -0.5; }},
    {"clip_length_zero", [](Halves& h) { h.extension()["clips"][0]["length"] = 0; }},
    {"clip_length_null", [](Halves& h) { h.extension()["clips"][0]["length"] = nullptr; }},
    {"clip_loops_number", [](Halves& h) { h.extension()["clips"][0]["loops"] = 1; }},
    {"clip_name_number", [](Halves& h) { h.extension()["clips"][0]["name"] = 7; }},
    {"clip_range_short",
     [](Halves& h) {
       h.extension()["clips"][0]["pivotMin"] = {1, 2};
     }},
    {"clip_range_text",
     [](Halves& h) {
       h.extension()["clips"][0]["pivotMin"] = {1, 2, "3"};
     }},
    {"clip_range_negative",
     [](Halves& h) {
       h.extension()["clips"][0]["pivotSize"] = {1, -2, 3};
     }},
    {"clip_range_past_float",
     [](Halves& h) {
       h.extension()["clips"][0]["pivotSize"] = {1, 1e39, 3};
     }},
    {"clip_scale_negative", [](Halves& h) { h.extension()["clips"][0]["scaleMax"] = -1; }},
    {"clip_scale_past_float", [](Halves& h) { h.extension()["clips"][0]["scaleMax"] = 1e300; }},
    {"clip_bounds_inside_out",
     [](Halves& h) {
       h.extension()["clips"][0]["bounds"]["min"] = {9, 9, 9};
     }},
    {"clip_event_outside", [](Halves& h) { h.extension()["clips"][0]["events"][1]["time"] = 0.31; }},
    {"clip_event_out_of_order", [](Halves& h) { h.extension()["clips"][0]["events"][0]["time"] = 0.25; }},
    {"clip_event_negative", [](Halves& h) { h.extension()["clips"][0]["events"][0]["time"] = -0.1; }},
    {"clip_events_object", [](Halves& h) { h.extension()["clips"][0]["events"] = Json::object(); }},
    {"clips_empty", [](Halves& h) { h.extension()["clips"] = Json::array(); }},
    {"clips_of_numbers",
     [](Halves& h) {
       h.extension()["clips"] = {1, 2};
     }},
    {"bones_empty", [](Halves& h) { h.extension()["bones"] = Json::array(); }},
    {"bones_fewer_than_named", [](Halves& h) { h.extension()["bones"].erase(1); }},
    {"bones_more_than_columns", [](Halves& h) { h.extension()["bones"].push_back(h.extension()["bones"][0]); }},
    {"bone_pivot_past_float",
     [](Halves& h) {
       h.extension()["bones"][0]["pivot"] = {1e39, 0, 0};
     }},
    {"socket_bone_past_last", [](Halves& h) { h.extension()["sockets"][0]["bone"] = 2; }},
    {"socket_rotation_not_unit",
     [](Halves& h) {
       h.extension()["sockets"][0]["rotation"] = {0, 0, 0, 0};
     }},
    {"source_vertices_past_last", [](Halves& h) { h.extension()["sources"][1]["vertexCount"] = 2; }},
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
    {"vertex_view_cut", [](Halves& h) { h.json["bufferViews"][1]["byteLength"] = 156; }},
    {"vertex_view_not_whole", [](Halves& h) { h.json["bufferViews"][1]["byteLength"] = 207; }},
    {"vertex_view_not_aligned",
     [](Halves& h) { h.json["bufferViews"][1]["byteOffset"] = h.json["bufferViews"][1]["byteOffset"].get<int>() + 1; }},
    {"vertex_stride", [](Halves& h) { h.json["bufferViews"][1]["byteStride"] = 56; }},
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
    {"index_accessor_past_end", [](Halves& h) { h.json["accessors"][7]["byteOffset"] = 16; }},
    {"index_accessor_not_aligned", [](Halves& h) { h.json["accessors"][7]["byteOffset"] = 2; }},
    {"index_accessor_not_triangles", [](Halves& h) { h.json["accessors"][6]["count"] = 2; }},
    {"index_accessor_empty", [](Halves& h) { h.json["accessors"][6]["count"] = 0; }},
    {"index_accessor_shorts", [](Halves& h) { h.json["accessors"][6]["componentType"] = 5123; }},
    {"primitive_of_lines", [](Halves& h) { h.json["meshes"][0]["primitives"][0]["mode"] = 1; }},
    {"primitives_of_two_buffers", [](Halves& h) { h.json["accessors"][7]["bufferView"] = 0; }},
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

// Overwrites bytes of the vertex, index or texel arrays.
template <class T>
void poke(Halves& h, std::size_t view, std::size_t offset, T value) {
  const auto start = h.json["bufferViews"][view]["byteOffset"].get<std::size_t>();
  std::memcpy(h.bin.data() + start + offset, &value, sizeof value);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const Case kBinaryCases[] = {
    {"index_past_last_vertex", [](Halves& h) { poke<std::uint32_t>(h, 2, 8, 4); }},
    {"index_huge", [](Halves& h) { poke<std::uint32_t>(h, 2, 0, 4294967295u); }},
    {"position_nan", [](Halves& h) { poke(h, 1, 52, kNan); }},
    {"normal_infinite", [](Halves& h) { poke(h, 1, 12, kInfinity); }},
    {"uv_nan", [](Halves& h) { poke(h, 1, 52 + 24, kNan); }},
    {"bone_past_last", [](Halves& h) { poke<std::uint16_t>(h, 1, 32, 2); }},
    {"bone_past_last_without_weight", [](Halves& h) { poke<std::uint16_t>(h, 1, 38, 2); }},
    {"weights_too_little", [](Halves& h) { poke<std::uint16_t>(h, 1, 40, 39999); }},
    {"weights_too_much", [](Halves& h) { poke<std::uint16_t>(h, 1, 44, 65535); }},
    {"rotation_zero", [](Halves& h) { poke<std::uint64_t>(h, 0, 16, 0); }},
};

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Extension, HostileAsset, testing::ValuesIn(kExtensionCases), case_name);
INSTANTIATE_TEST_SUITE_P(Gltf, HostileAsset, testing::ValuesIn(kGltfCases), case_name);
INSTANTIATE_TEST_SUITE_P(Binary, HostileAsset, testing::ValuesIn(kBinaryCases), case_name);

// Visits every value of a JSON tree by its path.
void visit_paths(const Json& json, const Json::json_pointer& path,
                 const std::function<void(const Json::json_pointer&)>& visit) {
  if (!path.empty()) visit(path);
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) visit_paths(value, path / key, visit);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) visit_paths(json[i], path / i, visit);
  }
}

// Every field, each replaced by every kind of thing it should not be: refused, or read without harm.
TEST(HostileAssetSweep, AnyFieldMayHoldAnything) {
  const Halves original = taken_apart(small_file());
  const Json things[] = {nullptr,
                         true,
                         -1,
                         0,
                         1,
                         4294967295u,
                         18446744073709551615ull,
                         1e300,
                         -0.5,
                         "",
                         "x",
                         Json::array(),
                         Json::object(),
                         Json::array({1, 2, 3})};
  std::size_t refused = 0;
  std::size_t read = 0;
  visit_paths(original.json, Json::json_pointer(), [&](const Json::json_pointer& path) {
    for (const Json& thing : things) {
      Halves halves = original;
      halves.json[path] = thing;
      const auto file = make_glb(halves.json.dump(), halves.bin);
      if (!file) continue;  // the hash's own place is gone
      const auto model = decode_asset(SharedBytes(*file));
      ++(model ? read : refused);
      if (!model) continue;
      for (const BakedClip& clip : model->clips) {
        const ExactCursor at = cursor_at_time(clip, 0.17);
        EXPECT_EQ(decode_pose(*model, clip, at.cursor, at.blend).positions.size(), model->vertices.size());
      }
    }
  });
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(read, 100u);
}

TEST(HostileAssetSweep, AnyFieldMayBeMissing) {
  const Halves original = taken_apart(small_file());
  std::size_t refused = 0;
  visit_paths(original.extension_copy(), Json::json_pointer(), [&](const Json::json_pointer& path) {
    Halves halves = original;
    Json& parent = halves.extension()[path.parent_pointer()];
    if (!parent.is_object()) return;
    parent.erase(path.back());
    const auto file = make_glb(halves.json.dump(), halves.bin);
    if (!file) return;
    EXPECT_NE(refusal(*file), "") << path.to_string();
    ++refused;
  });
  EXPECT_GT(refused, 80u);
}

TEST(HostileAssetSweep, KeysGivenTwiceAreRefused) {
  const Halves halves = taken_apart(small_file());
  std::string json = halves.json.dump();
  const std::string once = "\"frameCount\":3";
  json.replace(json.find(once), once.size(), once + ",\"frameCount\":3");
  EXPECT_NE(refusal(*make_glb(json, halves.bin)).find("twice"), std::string::npos);
}

TEST(HostileAssetSweep, FieldsNobodyKnowsAreIgnored) {
  Halves halves = taken_apart(small_file());
  halves.extension()["version"] = "1.7";
  halves.extension()["future"] = {{"anything", {1, 2, 3}}};
  halves.extension()["clips"][0]["future"] = true;
  halves.json["extras"] = {{"tool", "another"}};
  EXPECT_EQ(refusal(put_together(halves)), "");
}

TEST(HostileAssetSweep, ANewerVersionIsNamed) {
  Halves halves = taken_apart(small_file());
  halves.extension()["version"] = "3.1";
  const std::string message = refusal(put_together(halves));
  EXPECT_NE(message.find("3.1"), std::string::npos) << message;
  EXPECT_NE(message.find("newer"), std::string::npos) << message;
}

}  // namespace
}  // namespace throng
