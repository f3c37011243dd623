// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page of `throng web`: one file that plays characters in a browser.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The page without characters, as the build made it; empty where it was built without (THRONG_WEB).
std::string_view page_template();

struct Embedded {
  std::string name;  // as errors name it
  std::vector<std::byte> bytes;
};

// The page with these inside.
std::string page_with(std::string_view page, std::span<const Embedded> characters);
