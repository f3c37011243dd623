// SPDX-License-Identifier: Apache-2.0
#pragma once
// Clips from other files for a skeleton of other proportions, bone axes or names.

#include <string>

#include "throng/base/result.h"
#include "throng/import/imported.h"
#include "throng/retarget/retarget.h"

namespace throng {

// Adds clips as add_clips does, after retarget (throng/retarget/retarget.h) has made them fit. Its errors and notes are
// passed on with `from_name` before them.
Result<Imported> retarget_clips(Imported onto, const Imported& from, const std::string& from_name,
                                const RetargetSettings& settings = {});

}  // namespace throng
