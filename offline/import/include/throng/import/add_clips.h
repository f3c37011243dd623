#pragma once
// What a model's own file does not bring: clips from other files for the same skeleton, and events from a side file.

#include <filesystem>

#include "throng/import/import.h"
#include "throng/retarget/retarget.h"

namespace throng {

// The clips of `from` on the bones of `onto`, matched by bone name (a namespace before the last ':' or '|' is left out
// where the full names do not match). A clip whose name is taken gets a number behind it. What matched nothing is
// noted: tracks of bones `onto` lacks, and bones of `onto` that no track moves. No match at all, or no clip, is an
// error that names bones of both.
Result<Imported> add_clips(Imported onto, const Imported& from, const std::string& from_name);

// The same for a skeleton of other proportions, bone axes or names, as retarget (throng/retarget/retarget.h) makes
// clips fit. Its errors and notes are passed on with `from_name` before them.
Result<Imported> retarget_clips(Imported onto, const Imported& from, const std::string& from_name,
                                const RetargetSettings& settings = {});

// Events and loop flags from a JSON file:
//
//   { "walk": { "loops": true, "events": [ { "time": 0.25, "name": "left foot" }, { "frame": 12, "fps": 24, "name": … }
//   ] } }
//
// Times count from the clip's start in seconds. The clip's events from elsewhere are kept. An unknown clip name or
// field, or a time outside its clip, is an error that names the JSON pointer.
Result<Imported> add_side_file(Imported onto, const std::filesystem::path& path);

}  // namespace throng
