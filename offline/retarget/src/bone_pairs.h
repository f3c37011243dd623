// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts of match.h that retarget takes apart: some partners are given, the rest are found.

#include "throng/retarget/match.h"

namespace throng::detail::retarget {

// Fills in `partners` where it has none, but for bones of `from` that are `excluded`.
void match_remaining(const std::vector<Bone>& from, const std::vector<Bone>& onto, NameMatching matching,
                     const std::vector<bool>& excluded, Partners& partners);

}  // namespace throng::detail::retarget
