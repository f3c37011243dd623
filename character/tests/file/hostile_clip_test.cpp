// SPDX-License-Identifier: Apache-2.0
// Clips and frames that are not what they say, in files whose hash is right.
#include <limits>

#include "check/draft.h"
#include "cpu_time.h"
#include "hostile_case.h"

namespace throng {
namespace {

using Json = nlohmann::ordered_json;
using Case = HostileCase;

class HostileClip : public testing::TestWithParam<Case> {};

TEST_P(HostileClip, IsRefused) { expect_refused(small_model(), GetParam()); }

const Case kClipCases[] = {
    {"clip_frames_zero", [](Halves& h) { h.extension()["clips"][0]["frameCount"] = 0; }},
    {"clip_frames_past_atlas", [](Halves& h) { h.extension()["clips"][0]["frameCount"] = 90; }},
    {"clip_first_frame_past_atlas", [](Halves& h) { h.extension()["clips"][0]["firstFrame"] = 60; }},
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
    {"clip_folded_past_atlas", [](Halves& h) { h.extension()["clips"][1]["firstFrame"] = 2; }},
    {"clip_encoding_unknown", [](Halves& h) { h.extension()["clips"][0]["encoding"] = "q17"; }},
    {"clip_encoding_missing", [](Halves& h) { h.extension()["clips"][0].erase("encoding"); }},
    {"clip_encoding_of_vertices", [](Halves& h) { h.extension()["clips"][0]["encoding"] = "v8"; }},
    {"clip_encoding_needs_small_texels", [](Halves& h) { h.extension()["clips"][0]["encoding"] = "half-quaternion"; }},
    {"clip_encoding_needs_a_skeleton", [](Halves& h) { h.extension()["clips"][0]["encoding"] = "local8"; }},
    {"clip_encoding_needs_a_longer_table", [](Halves& h) { h.extension()["clips"][2]["encoding"] = "q8"; }},
    {"clip_table_past_last", [](Halves& h) { h.extension()["clips"][0]["tableRow"] = 5; }},
    {"clip_table_wraps", [](Halves& h) { h.extension()["clips"][0]["tableRow"] = 4294967295u; }},
    {"clip_root_motion_too_short", [](Halves& h) { h.extension()["clips"][0]["rootMotion"].erase(3); }},
    {"clip_root_motion_too_long",
     [](Halves& h) { h.extension()["clips"][1]["rootMotion"] = h.extension()["clips"][0]["rootMotion"]; }},
    {"clip_root_motion_of_three", [](Halves& h) { h.extension()["clips"][0]["rootMotion"][1].erase(3); }},
    {"clip_root_motion_of_text", [](Halves& h) { h.extension()["clips"][0]["rootMotion"][1][2] = "far"; }},
    {"clip_root_motion_flat",
     [](Halves& h) {
       h.extension()["clips"][0]["rootMotion"] = {1, 2, 3, 4};
     }},
    {"clip_error_negative", [](Halves& h) { h.extension()["clips"][0]["error"]["atFrames"]["rms"] = -1; }},
    {"clip_error_missing", [](Halves& h) { h.extension()["clips"][0].erase("error"); }},
    {"clip_error_time_is_text", [](Halves& h) { h.extension()["clips"][0]["error"]["worstTime"] = "noon"; }},
    {"clip_choice_number", [](Halves& h) { h.extension()["clips"][0]["choice"] = 1; }},
    {"rotation_zero", [](Halves& h) { poke<std::uint64_t>(h, view_of(h, "atlas"), 16, 0); }},
    {"rotation_too_long", [](Halves& h) { poke<std::uint64_t>(h, view_of(h, "atlas"), 32, 0x7FFF7FFF7FFF7FFFull); }},
};

INSTANTIATE_TEST_SUITE_P(Clips, HostileClip, testing::ValuesIn(kClipCases), hostile_case_name);

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Where frame `frame` of a made model starts in its atlas, in bytes.
std::size_t frame_at(const Character& model, std::uint32_t frame) {
  const BakedClip& clip = model.clips()[0];
  const auto words = model.atlas().frame(frame_layout(model, clip), clip.layer, clip.first_frame + frame);
  return static_cast<std::size_t>(words.data() - model.atlas().words.data()) * sizeof(std::uint32_t);
}

struct MadeCase {
  const char* name;
  Encoding encoding;
  std::function<void(Halves&, const Character&)> change;
};

void PrintTo(const MadeCase& c, std::ostream* out) { *out << c.name; }

class HostileFrames : public testing::TestWithParam<MadeCase> {};

TEST_P(HostileFrames, AreRefused) {
  const Character model = made_model(GetParam().encoding, {16, 2});
  expect_refused(model, {GetParam().name, [&](Halves& h) { GetParam().change(h, model); }});
}

template <class T>
void poke_frame(Halves& h, const Character& model, std::uint32_t frame, std::size_t word, T value) {
  poke(h, view_of(h, "atlas"), frame_at(model, frame) + word * sizeof(std::uint32_t), value);
}

const MadeCase kFrameCases[] = {
    {"q8_origin_nan", Encoding::q8, [](Halves& h, const Character& m) { poke_frame(h, m, 3, 2, kNan); }},
    {"q8_origin_infinite", Encoding::q8, [](Halves& h, const Character& m) { poke_frame(h, m, 0, 0, kInfinity); }},
    {"q8_origin_too_far", Encoding::q8, [](Halves& h, const Character& m) { poke_frame(h, m, 0, 1, -2e38f); }},
    {"q8_box_negative", Encoding::q8,
     [](Halves& h, const Character&) { poke(h, view_of(h, "table"), 16 * (2 + 3 + 5) + 4, -1.0f); }},
    {"q8_table_row_one_late", Encoding::q8,
     [](Halves& h, const Character&) { h.extension()["clips"][0]["tableRow"] = 3; }},
    {"local8_rotation_zero", Encoding::local8,
     [](Halves& h, const Character& m) { poke_frame<std::uint64_t>(h, m, 2, 2, 0); }},
    {"local8_box_negative", Encoding::local8,
     [](Halves& h, const Character&) { poke(h, view_of(h, "table"), 16 * (2 + 3) + 12, -1.0f); }},
    {"q8_called_half_floats", Encoding::q8,
     [](Halves& h, const Character&) { h.extension()["atlas"]["format"] = "rgba16f"; }},
    {"half_quaternion_infinite", Encoding::half_quaternion,
     [](Halves& h, const Character& m) { poke_frame<std::uint16_t>(h, m, 1, 2, 0x7C00); }},
    {"half_quaternion_nan_in_the_high_half", Encoding::half_quaternion,
     [](Halves& h, const Character& m) { poke_frame<std::uint32_t>(h, m, 1, 3, 0xFE000000u); }},
    {"half_quaternion_zero", Encoding::half_quaternion,
     [](Halves& h, const Character& m) { poke_frame<std::uint64_t>(h, m, 3, 8, 0); }},
    {"half_quaternion_pivot", Encoding::half_quaternion,
     [](Halves& h, const Character&) { poke(h, view_of(h, "table"), 16 * 3, 1.0f); }},
    {"half_rows_infinite", Encoding::half_rows,
     [](Halves& h, const Character& m) { poke_frame<std::uint16_t>(h, m, 3, 17, 0xFC00); }},
    {"half_vertex_nan", Encoding::half_vertex,
     [](Halves& h, const Character& m) { poke_frame<std::uint16_t>(h, m, 3, 35, 0x7E01); }},
    {"skeleton_missing", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["skeleton"] = Json::array(); }},
    {"skeleton_parent_after_child", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["skeleton"][1]["parent"] = 1; }},
    {"skeleton_parent_huge", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["skeleton"][1]["parent"] = 4294967295u; }},
    {"skeleton_rest_not_a_rotation", Encoding::local8,
     [](Halves& h, const Character&) {
       h.extension()["skeleton"][1]["rest"]["rotation"] = {0, 0, 0, 2};
     }},
    {"skeleton_rest_past_float", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["skeleton"][1]["rest"]["scale"] = 1e39; }},
    {"skeleton_slot_twice", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["skeleton"][0]["rotationSlot"] = 0; }},
    {"skeleton_slot_past_last", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["skeleton"][3]["translationSlot"] = 2; }},
    {"skeleton_slot_left_out", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["skeleton"][2].erase("rotationSlot"); }},
    {"skeleton_without_slots", Encoding::local8,
     [](Halves& h, const Character&) {
       for (Json& link : h.extension()["skeleton"]) {
         link.erase("rotationSlot");
         link.erase("translationSlot");
       }
     }},
    {"bone_link_past_last", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["bones"][0]["link"] = 4; }},
    {"bone_link_missing", Encoding::local8,
     [](Halves& h, const Character&) { h.extension()["bones"][0].erase("link"); }},
    {"bone_link_not_a_rotation", Encoding::local8,
     [](Halves& h, const Character&) {
       h.extension()["bones"][0]["linkFromMesh"]["rotation"] = {0, 0, 0, 0};
     }},
    {"vertices_of_two_bones", Encoding::v8,
     [](Halves& h, const Character&) { h.extension()["bones"].push_back(h.extension()["bones"][0]); }},
    {"vertices_in_bone_mode", Encoding::v8, [](Halves& h, const Character&) { h.extension()["mode"] = "bones"; }},
    {"vertices_socket_of_a_vertex", Encoding::v8,
     [](Halves& h, const Character&) { h.extension()["sockets"][0]["bone"] = 3; }},
    {"vertices_socket_past_last", Encoding::v8,
     [](Halves& h, const Character&) { h.extension()["sockets"][0]["bone"] = 5; }},
    {"vertices_sockets_more_than_items", Encoding::v8,
     [](Halves& h, const Character&) {
       Json& sockets = h.extension()["sockets"];
       while (sockets.size() < 60) sockets.push_back(sockets[0]);
     }},
    {"vertices_table_row_past_none", Encoding::v8,
     [](Halves& h, const Character&) { h.extension()["clips"][0]["tableRow"] = 1; }},
};

std::string made_case_name(const testing::TestParamInfo<MadeCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Frames, HostileFrames, testing::ValuesIn(kFrameCases), made_case_name);

// Looked at clip by clip these would take minutes.
TEST(OverlappingClips, CostNoMoreThanTheFramesTheyShare) {
  CharacterDraft model = small_draft();
  std::vector<std::uint32_t> words(std::size_t{2} * 16384 * 4);
  for (std::size_t i = 0; i < words.size(); i += 4) words[i] = 32767;  // x: one
  model.atlas = {{2, 4}, 16384, 1, words};
  BakedClip clip = small_clip("walk", 0, 0, false);
  model.clips.clear();
  for (std::uint32_t first = 0; first < 100000; ++first) {
    clip.first_frame = first % 5000;
    clip.frame_count = 11000;
    model.clips.push_back(clip);
  }
  const double started = test::cpu_seconds();
  const auto checked = check_draft(model);
  EXPECT_TRUE(checked.has_value()) << checked.error().message;
  EXPECT_LT(test::cpu_seconds() - started, 5.0);
  words[4 * 2 * 15998] = 0;
  EXPECT_FALSE(check_draft(model).has_value());
}

}  // namespace
}  // namespace throng
