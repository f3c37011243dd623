// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which bones BakeSettings::sockets picks.

#include <cstdint>
#include <string>
#include <vector>

#include "throng/model/model.h"

namespace throng {

// The bones whose whole name matches a regular expression (ECMAScript), in the model's order. Names of more than 1000
// bytes match nothing. The error says what is wrong with the expression. A wicked one can take for ever: not for a
// thread that draws.
Result<std::vector<std::uint32_t>> socket_bones(const Model& model, const std::string& expression);

}  // namespace throng
