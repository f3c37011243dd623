// SPDX-License-Identifier: Apache-2.0
#pragma once
// What there is to say about a baked model, for programs; report_text.h says it to people. Programs outside the project
// read the JSON's names: keep them.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "throng/character/character.h"

nlohmann::ordered_json report_json(const throng::Character& model);

// What a clip's bytes are shared out among, however it was baked, so that bakes and layouts can be compared: bones of
// the source's skins, or vertices, each at 30 frames a second over the clips' lengths.
struct PlainCount {
  std::uint64_t items = 0;
  std::uint64_t frames = 0;
};
// The bones of skins are those that meshes are bound to, but for the nodes of meshes that follow one alone, as a sword
// does; where all do, those nodes. A character without what near characters need knows the bones that were baked only.
PlainCount plain_count(const throng::Character& model);

// All bytes of motion, headers included, over that.
double bytes_an_item_and_frame(const throng::Character& model);
// The same over what is there: the items that were baked, and the frames that are stored.
double bytes_a_stored_item(const throng::Character& model);
// What the classic half-float layout takes: 16 bytes for each of that count.
std::uint64_t half_float_bytes(const throng::Character& model);
std::uint64_t frame_total(const throng::Character& model);
std::size_t triangle_total(const std::vector<throng::BakedDraw>& draws);
// Of the full mesh, by part.
std::vector<std::size_t> triangles_of_parts(const throng::Character& model);
// The texture's, as Vulkan calls it; "none" where no clip is in one.
std::string_view format_of(const throng::Character& model);
