// SPDX-License-Identifier: Apache-2.0
#pragma once
// Clips from other files for the same skeleton.

#include <string>

#include "throng/base/result.h"
#include "throng/import/imported.h"

namespace throng {

// The clips of `from` on the bones of `onto`, matched by bone name (a namespace before the last ':' or '|' is left out
// where the full names do not match). A clip whose name is taken gets a number behind it. What matched nothing is
// noted: tracks of bones `onto` lacks, and bones of `onto` that no track moves. No clip, no match at all, or one of
// less than a third of the bones that are moved (or of the model's, where those are fewer) is an error: such clips are
// for retarget_clips.
Result<Imported> add_clips(Imported onto, const Imported& from, const std::string& from_name);

}  // namespace throng
