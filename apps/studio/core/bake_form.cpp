#include "core/bake_form.h"

#include <algorithm>

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
  return form.mode == BakeMode::bones ? form.bone_encoding : form.vertex_encoding;
}

std::optional<Encoding> chosen_encoding(const BakeForm& form) {
  return form.mode == BakeMode::bones ? form.bone_encoding : form.vertex_encoding;
}

Result<BakeSettings> settings_of(const BakeForm& form) {
  const auto baked = [](const ClipChoice& clip) { return clip.baked; };
  if (!form.clips.empty() && std::ranges::none_of(form.clips, baked)) return fail("no clip is chosen; tick one");
  BakeSettings settings;
  if (!std::ranges::all_of(form.clips, baked)) settings.clips = names_where(form.clips, baked);
  settings.loops = names_where(form.clips, [](const auto& c) { return c.baked && c.loop == LoopChoice::loops; });
  settings.once = names_where(form.clips, [](const auto& c) { return c.baked && c.loop == LoopChoice::once; });
  settings.mode = form.mode;
  settings.encoding = chosen_encoding(form);
  settings.frame_rate = form.frame_rate;
  if (form.bounded) settings.max_error_mm = form.max_error_mm;
  settings.max_atlas_size = form.atlas_size;
  settings.shape = form.shape;
  settings.packing = form.packing;
  settings.sockets = form.sockets;
  settings.root_motion = form.root_motion;
  settings.root_bone = form.root_motion == RootTreatment::keep ? "" : form.root_bone;
  settings.levels = form.levels;
  settings.tangents = form.tangents;
  settings.merge_vertices = form.merge_vertices && form.mode == BakeMode::vertices;
  settings.drop_morphs = form.drop_morphs && form.mode == BakeMode::bones;
  return settings;
}

}  // namespace throng::studio
