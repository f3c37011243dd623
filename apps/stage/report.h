// SPDX-License-Identifier: Apache-2.0
#pragma once
// What there is to say about a baked model, for people and for programs. Programs outside the project read the JSON's
// names: keep them.

#include <nlohmann/json.hpp>
#include <string>

#include "throng/character/character.h"

nlohmann::ordered_json report_json(const throng::Character& model);
std::string report_text(const throng::Character& model);

// Texels and bytes of one clip in the animation texture.
std::uint64_t clip_bytes(const throng::Character& model, const throng::BakedClip& clip);
std::uint64_t frame_total(const throng::Character& model);
