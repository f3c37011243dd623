// SPDX-License-Identifier: Apache-2.0
#pragma once
// ASCII FBX: `Name: value, value { children }`, arrays as `*3 { a: 1,2,3 }`, comments from ';' to the end of the line.

#include <string_view>

#include "fbx/file/element.h"
#include "import_budget.h"
#include "mender.h"
#include "throng/base/result.h"

namespace throng::detail::fbx {

Result<Element> read_ascii(std::string_view text, import::Mender& mender, import::Budget& budget);

}  // namespace throng::detail::fbx
