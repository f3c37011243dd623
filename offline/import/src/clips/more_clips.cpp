// SPDX-License-Identifier: Apache-2.0
#include "clips/more_clips.h"

#include "throng/base/memory_budget.h"
#include "throng/base/text.h"

namespace throng::detail::import {

ClipNames::ClipNames(const std::vector<Clip>& clips) {
  for (const Clip& clip : clips) taken_.insert(clip.name);
}

std::string ClipNames::take(const std::string& name) {
  if (taken_.insert(name).second) return name;
  std::uint64_t& number = last_.try_emplace(name, 1).first->second;
  std::string free;
  do free = fmt::format("{} {}", name, ++number);
  while (!taken_.insert(free).second);
  return free;
}

Result<Imported> with_clips(Imported onto, ModelDraft draft, const Imported& from, const std::string& from_name) {
  auto model = build_model(std::move(draft));
  if (!model) return fail("{}: {}", one_line(from_name), model.error().message);
  onto.repairs.quaternions_fixed += from.repairs.quaternions_fixed;
  onto.model = *std::move(model);
  // Not what goes with the sum of bytes: beyond those of a small file that is far more than each of the two may take.
  onto.work_seconds = work_budget(onto.budget, onto.work_seconds) + work_budget(from.budget, from.work_seconds);
  onto.budget += from.budget;
  return onto;
}

}  // namespace throng::detail::import
