#pragma once
// The extension's JSON object and back. Buffer view numbers and the glTF objects around it are the caller's.

#include <nlohmann/json.hpp>

#include "json_fields.h"
#include "throng/asset/baked_model.h"

namespace throng {

// Everything of the extension, in the order docs/asset-format.md lists it, the hash's digits as zeros.
nlohmann::ordered_json extension_json(const BakedModel& model, std::uint32_t atlas_view);

// Fills the model's fields that the extension carries; the texels stay empty. Returns the buffer view of the atlas.
// Ranges are checked afterwards by check_baked_model.
Result<std::uint32_t> read_extension(const nlohmann::json& extension, BakedModel& model);

}  // namespace throng
