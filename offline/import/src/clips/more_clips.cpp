// SPDX-License-Identifier: Apache-2.0
#include "clips/more_clips.h"

#include <algorithm>

#include "throng/base/text.h"

namespace throng::detail::import {

std::string free_clip_name(const std::string& name, const std::vector<Clip>& clips) {
  const auto taken = [&clips](const std::string& wanted) {
    return std::any_of(clips.begin(), clips.end(), [&wanted](const Clip& clip) { return clip.name == wanted; });
  };
  std::string free = name;
  for (int number = 2; taken(free); ++number) free = fmt::format("{} {}", name, number);
  return free;
}

Result<Imported> with_clips(Imported onto, ModelDraft draft, const Imported& from, const std::string& from_name) {
  auto model = build_model(std::move(draft));
  if (!model) return fail("{}: {}", one_line(from_name), model.error().message);
  onto.repairs.quaternions_fixed += from.repairs.quaternions_fixed;
  onto.model = *std::move(model);
  onto.budget += from.budget;
  return onto;
}

}  // namespace throng::detail::import
