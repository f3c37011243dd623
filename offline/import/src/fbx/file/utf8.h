// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names from a file may be in any encoding; ours are UTF-8.

#include <string>
#include <string_view>

namespace throng::detail::fbx {

// Invalid bytes become question marks: the name goes into JSON.
std::string valid_utf8(std::string_view text);

}  // namespace throng::detail::fbx
