// SPDX-License-Identifier: Apache-2.0
#pragma once
// Events, loop flags and groups of parts that a model's own file does not have.

#include <filesystem>

#include "throng/base/result.h"
#include "throng/import/imported.h"

namespace throng {

// Reads a JSON file:
//
//   { "walk": { "loops": true, "events": [ { "time": 0.25, "name": "left foot" }, { "frame": 12, "fps": 24, "name": … }
//   ] } }
//
// and, beside the clips, "$groups": { "shield": { "parts": [ "*_Shield*" ], "optional": true } }: parts of which a
// character wears one. Times count from the clip's start in seconds. The clip's events from elsewhere are kept. An
// unknown clip name or field, or a time outside its clip, is an error that names the JSON pointer.
Result<Imported> add_side_file(Imported onto, const std::filesystem::path& path);

}  // namespace throng
