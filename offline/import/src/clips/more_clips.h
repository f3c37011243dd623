// SPDX-License-Identifier: Apache-2.0
#pragma once
// Clips of another file that are added to those a model has.

#include <string>
#include <vector>

#include "throng/import/import.h"

namespace throng::detail::import {

// `name`, or with the first number behind it that makes it new.
std::string free_clip_name(const std::string& name, const std::vector<Clip>& clips);

// `onto` with the clips that `draft` has, some of which came out of `from`, the file `from_name`.
Result<Imported> with_clips(Imported onto, ModelDraft draft, const Imported& from, const std::string& from_name);

}  // namespace throng::detail::import
