#pragma once
// What there is to say about a baked model, for people and for programs. Programs outside the project read the JSON's
// names: keep them.

#include <nlohmann/json.hpp>
#include <string>

#include "throng/asset/baked_model.h"

nlohmann::ordered_json report_json(const throng::BakedModel& model);
std::string report_text(const throng::BakedModel& model);

// Texels and bytes of one clip in the animation texture.
std::uint64_t clip_bytes(const throng::BakedModel& model, const throng::BakedClip& clip);
std::uint64_t frame_total(const throng::BakedModel& model);
