// SPDX-License-Identifier: Apache-2.0
#include "core/bake_form.h"

#include <algorithm>

#include "throng/bake/options.h"

namespace throng::studio {
namespace {

// Names chosen on one condition, each once: two clips of one name are chosen together.
template <class Condition>
std::vector<std::string> names_where(const std::vector<ClipChoice>& clips, Condition condition) {
  std::vector<std::string> names;
  for (const ClipChoice& clip : clips)
    if (condition(clip) && std::ranges::find(names, clip.name) == names.end()) names.push_back(clip.name);
  return names;
}

}  // namespace

bool operator==(const BakeForm& a, const BakeForm& b) {
  const auto same = [&](const BakeOption& option) {
    return option_text(option, a.settings) == option_text(option, b.settings);
  };
  return a.clips == b.clips && std::ranges::all_of(bake_options(), same) && a.bone_encoding == b.bone_encoding &&
         a.vertex_encoding == b.vertex_encoding && a.bounded == b.bounded && a.max_error_mm == b.max_error_mm &&
         a.link_textures == b.link_textures;
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
  if (!form.clips.empty() && std::ranges::none_of(form.clips, baked)) return fail("no clip is chosen; tick one");
  BakeSettings settings = form.settings;
  if (!std::ranges::all_of(form.clips, baked)) settings.clips = names_where(form.clips, baked);
  settings.loops = names_where(form.clips, [](const auto& c) { return c.baked && c.loop == LoopChoice::loops; });
  settings.once = names_where(form.clips, [](const auto& c) { return c.baked && c.loop == LoopChoice::once; });
  settings.encoding = chosen_encoding(form);
  settings.max_error_mm = form.bounded ? std::optional(form.max_error_mm) : std::nullopt;
  for (const BakeOption& option : bake_options())
    if (!applies(option, settings)) reset_option(option, settings);
  return settings;
}

}  // namespace throng::studio
