// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names for clips that are added to others.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "throng/model/model.h"

namespace throng::detail::import {

// `name`, or with the first number behind it that makes it new.
inline std::string free_clip_name(const std::string& name, const std::vector<Clip>& clips) {
  const auto taken = [&clips](const std::string& wanted) {
    return std::any_of(clips.begin(), clips.end(), [&wanted](const Clip& clip) { return clip.name == wanted; });
  };
  std::string free = name;
  for (int number = 2; taken(free); ++number) free = fmt::format("{} {}", name, number);
  return free;
}

}  // namespace throng::detail::import
