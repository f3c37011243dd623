// SPDX-License-Identifier: Apache-2.0
#pragma once
// What names of bones mean, as rigs in use write them.

#include <string>
#include <string_view>

namespace throng {

// The part of a body a name means, as NameMatching::aliases compares it: lower case, without namespaces, separators and
// the prefixes of common rigs, the side behind a dot. "mixamorig:LeftUpLeg", "thigh_l" and "Bip01 L Thigh" are
// "upperleg.l"; what is not in the table of parts is kept as it is written.
std::string meant_bone(std::string_view name);

}  // namespace throng
