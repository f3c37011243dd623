// SPDX-License-Identifier: Apache-2.0
#include "core/preview/wardrobe.h"

#include <algorithm>

namespace throng::studio {

void Wardrobe::follow(const std::shared_ptr<const SourceModel>& source) {
  if (source == source_) return;
  source_ = source;
  worn_.clear();
  if (!source_) return;
  for (const PartGroup& group : source_->character().part_groups()) worn_.push_back(group.parts.front().value);
}

void Wardrobe::wear(std::uint32_t part) {
  for (std::size_t i = 0; i < worn_.size(); ++i) {
    const auto& parts = source_->character().part_groups()[i].parts;
    if (std::ranges::find(parts, PartId(part)) != parts.end()) worn_[i] = part;
  }
}

std::string Wardrobe::group_of(std::uint32_t part) const {
  if (!source_) return "";
  for (const PartGroup& group : source_->character().part_groups())
    if (std::ranges::find(group.parts, PartId(part)) != group.parts.end()) return group.name;
  return "";
}

std::vector<std::string> Wardrobe::hidden(const BakeForm& form) const {
  std::vector<std::string> names;
  if (!source_) return names;
  const auto& parts = source_->character().parts();
  const auto is_ticked = [&](std::uint32_t part) {
    const auto choice = std::ranges::find(form.parts, parts[part].name, &PartChoice::name);
    return choice == form.parts.end() || choice->baked;
  };
  std::vector<bool> worn(parts.size(), true);
  for (std::size_t i = 0; i < worn_.size(); ++i) {
    const auto& group = source_->character().part_groups()[i].parts;
    std::uint32_t picked = worn_[i];
    if (!is_ticked(picked)) {
      const auto other = std::ranges::find_if(group, [&](PartId part) { return is_ticked(part.value); });
      if (other != group.end()) picked = other->value;
    }
    for (const PartId part : group)
      if (part.value != picked) worn[part.value] = false;
  }
  for (std::uint32_t i = 0; i < parts.size(); ++i)
    if (!worn[i] || !is_ticked(i)) names.push_back(parts[i].name);
  return names;
}

}  // namespace throng::studio
