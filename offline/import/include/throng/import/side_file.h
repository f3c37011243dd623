// SPDX-License-Identifier: Apache-2.0
#pragma once
// Events and loop flags that a model's own file does not have.

#include <filesystem>

#include "throng/base/result.h"
#include "throng/import/imported.h"

namespace throng {

// From a JSON file:
//
//   { "walk": { "loops": true, "events": [ { "time": 0.25, "name": "left foot" }, { "frame": 12, "fps": 24, "name": … }
//   ] } }
//
// Times count from the clip's start in seconds. The clip's events from elsewhere are kept. An unknown clip name or
// field, or a time outside its clip, is an error that names the JSON pointer.
Result<Imported> add_side_file(Imported onto, const std::filesystem::path& path);

}  // namespace throng
