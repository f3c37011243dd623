// SPDX-License-Identifier: Apache-2.0
#include "mesh/part_selection.h"

#include <algorithm>

#include "throng/base/names.h"
#include "throng/base/text.h"
#include "throng/base/try.h"
#include "throng/model/parts.h"

namespace throng::detail::bake {
namespace {

std::vector<std::string> names_of(const std::vector<ModelPart>& parts) {
  std::vector<std::string> names;
  for (const ModelPart& part : parts) names.push_back(part.name);
  return names;
}

Result<std::vector<bool>> kept_parts(const BakeSettings& settings, const std::vector<std::string>& names) {
  THRONG_TRY(std::vector<bool> kept, meant_by(settings.only, "part", names));
  THRONG_TRY(const std::vector<bool> left_out, meant_by(settings.without, "part", names));
  if (settings.only.empty()) kept.assign(names.size(), true);
  for (std::size_t i = 0; i < names.size(); ++i) kept[i] = kept[i] && !left_out[i];
  if (std::find(kept.begin(), kept.end(), true) == kept.end())
    return fail("`only` and `without` leave none of its parts: {}", listed(names));
  return kept;
}

void note_left_out(const std::vector<std::string>& names, const std::vector<bool>& kept,
                   std::vector<std::string>& notes) {
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!kept[i]) left_out.push_back(names[i]);
  if (!left_out.empty())
    notes.push_back(fmt::format("{} of {} parts left out: {}", left_out.size(), names.size(), listed(left_out)));
}

}  // namespace

Result<std::optional<Model>> chosen_parts(const Model& model, const BakeSettings& settings,
                                          std::vector<std::string>& notes) {
  if (settings.only.empty() && settings.without.empty()) return std::nullopt;
  const std::vector<std::string> names = names_of(parts_of(model));
  const auto kept = kept_parts(settings, names);
  if (!kept) return fail(with_context(fmt::format("model '{}'", model.name()), kept.error()));
  note_left_out(names, *kept, notes);
  THRONG_TRY(Model chosen, with_parts(model, *kept));
  return std::optional(std::move(chosen));
}

}  // namespace throng::detail::bake
