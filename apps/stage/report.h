// SPDX-License-Identifier: Apache-2.0
#pragma once
// What there is to say about a baked model, for programs; report_text.h says it to people. Programs outside the project
// read the JSON's names: keep them.

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "throng/character/character.h"

nlohmann::ordered_json report_json(const throng::Character& model);

// Bytes of a bone, or a vertex, and frame, over the frames of all clips.
double bytes_an_item_and_frame(const throng::Character& model);
std::uint64_t frame_total(const throng::Character& model);
std::size_t triangle_total(const std::vector<throng::BakedDraw>& draws);
// The texture's, as Vulkan calls it; "none" where no clip is in one.
std::string_view format_of(const throng::Character& model);
