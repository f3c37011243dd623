// SPDX-License-Identifier: Apache-2.0
#include "core/form/bake_form.h"

#include <algorithm>

#include "throng/bake/options.h"
#include "throng/model/parts.h"

namespace throng::studio {
namespace {

// Names chosen on one condition, each once: two clips of one name are chosen together.
template <class Choice, class Condition>
std::vector<std::string> names_where(const std::vector<Choice>& choices, Condition condition) {
  std::vector<std::string> names;
  for (const Choice& choice : choices)
    if (condition(choice) && std::ranges::find(names, choice.name) == names.end()) names.push_back(choice.name);
  return names;
}

bool same_value(const BakeOption& option, const BakeSettings& a, const BakeSettings& b) {
  if (const auto* patterns = std::get_if<PatternsField>(&option.field))
    return a.*patterns->member == b.*patterns->member;
  return option_text(option, a) == option_text(option, b);
}

// What is ticked or what is not, whichever is the shorter thing to say.
void choose_parts(const std::vector<PartChoice>& parts, BakeSettings& settings) {
  const auto baked = names_where(parts, [](const PartChoice& part) { return part.baked; });
  const auto left_out = names_where(parts, [](const PartChoice& part) { return !part.baked; });
  if (left_out.empty()) return;
  auto& said = left_out.size() <= baked.size() ? settings.without : settings.only;
  const auto& names = left_out.size() <= baked.size() ? left_out : baked;
  said.insert(said.end(), names.begin(), names.end());
}

}  // namespace

bool operator==(const BakeForm& a, const BakeForm& b) {
  const auto same = [&](const BakeOption& option) { return same_value(option, a.settings, b.settings); };
  return a.clips == b.clips && a.parts == b.parts && std::ranges::all_of(bake_options(), same) &&
         a.bone_encoding == b.bone_encoding && a.vertex_encoding == b.vertex_encoding && a.bounded == b.bounded &&
         a.max_error_mm == b.max_error_mm && a.link_textures == b.link_textures;
}

std::vector<ClipChoice> clip_choices(const Model& model, const std::vector<ClipChoice>& before) {
  std::vector<ClipChoice> choices;
  for (const Clip& clip : model.clips()) {
    ClipChoice choice{.name = clip.name, .length = clip.length()};
    const auto known = std::ranges::find(before, clip.name, &ClipChoice::name);
    if (known != before.end()) {
      choice.baked = known->baked;
      choice.loop = known->loop;
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

std::vector<PartChoice> part_choices(const Model& model, const std::vector<PartChoice>& before) {
  std::vector<PartChoice> choices;
  for (const ModelPart& part : parts_of(model)) {
    const auto known = std::ranges::find(before, part.name, &PartChoice::name);
    choices.push_back({part.name, part.triangles, known == before.end() || known->baked});
  }
  return choices;
}

std::vector<Encoding> encodings_of(BakeMode mode) {
  std::vector<Encoding> encodings;
  for (const Encoding encoding : kEncodings)
    if (is_vertex_encoding(encoding) == (mode == BakeMode::vertices)) encodings.push_back(encoding);
  return encodings;
}

std::optional<Encoding>& encoding_field(BakeForm& form) {
  return form.settings.mode == BakeMode::bones ? form.bone_encoding : form.vertex_encoding;
}

std::optional<Encoding> chosen_encoding(const BakeForm& form) {
  return form.settings.mode == BakeMode::bones ? form.bone_encoding : form.vertex_encoding;
}

Result<BakeSettings> settings_of(const BakeForm& form) {
  const auto baked = [](const ClipChoice& clip) { return clip.baked; };
  const auto part_baked = [](const PartChoice& part) { return part.baked; };
  if (!form.clips.empty() && std::ranges::none_of(form.clips, baked)) return fail("no clip is chosen; tick one");
  if (!form.parts.empty() && std::ranges::none_of(form.parts, part_baked)) return fail("no part is chosen; tick one");
  BakeSettings settings = form.settings;
  if (!std::ranges::all_of(form.clips, baked)) settings.clips = names_where(form.clips, baked);
  settings.loops = names_where(form.clips, [](const auto& c) { return c.baked && c.loop == LoopChoice::loops; });
  settings.once = names_where(form.clips, [](const auto& c) { return c.baked && c.loop == LoopChoice::once; });
  choose_parts(form.parts, settings);
  settings.encoding = chosen_encoding(form);
  settings.max_error_mm = form.bounded ? std::optional(form.max_error_mm) : std::nullopt;
  for (const BakeOption& option : bake_options())
    if (!applies(option, settings)) reset_option(option, settings);
  return settings;
}

}  // namespace throng::studio
