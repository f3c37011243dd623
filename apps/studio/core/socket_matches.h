// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones a regular expression makes sockets of, while it is being typed.

#include <string>
#include <vector>

#include "throng/base/result.h"
#include "throng/model/model.h"

namespace throng::studio {

// Names of the bones whose whole name matches (ECMAScript), in the model's order; none for an empty expression. The
// error says what is wrong with the expression. A wicked one can take for ever: not for a thread that draws.
Result<std::vector<std::string>> matching_bones(const Model& model, const std::string& expression);

}  // namespace throng::studio
