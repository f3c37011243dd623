// SPDX-License-Identifier: Apache-2.0
#include "motion/clip_selection.h"

#include "throng/base/names.h"
#include "throng/base/try.h"

namespace throng::detail::bake {
namespace {

// What the settings say about every clip there is.
struct Choice {
  std::vector<bool> baked, loops, once;
};

Result<Choice> choice_of(const BakeSettings& settings, const std::vector<std::string>& names) {
  THRONG_TRY(std::vector<bool> baked, meant_by(settings.clips, "clip", names));
  THRONG_TRY(std::vector<bool> loops, meant_by(settings.loops, "clip", names));
  THRONG_TRY(std::vector<bool> once, meant_by(settings.once, "clip", names));
  if (settings.clips.empty()) baked.assign(names.size(), true);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!loops[i] || !once[i]) continue;
    return fail("clip '{}' is asked both to loop and to play once; name it in one of the two", names[i]);
  }
  return Choice{std::move(baked), std::move(loops), std::move(once)};
}

// What there is to choose from: the model's clips, or its rest pose.
std::vector<SelectedClip> all_clips(const Model& model) {
  std::vector<SelectedClip> all;
  for (std::uint32_t i = 0; i < model.clips().size(); ++i) all.push_back({model.clips()[i], i});
  if (!all.empty()) return all;
  all.emplace_back();
  all[0].clip.name = "rest";
  return all;
}

}  // namespace

Result<std::vector<SelectedClip>> selected_clips(const Model& model, const BakeSettings& settings) {
  std::vector<SelectedClip> all = all_clips(model);
  std::vector<std::string> names;
  for (const SelectedClip& one : all) names.push_back(one.clip.name);
  const auto choice = choice_of(settings, names);
  if (!choice) return fail(with_context(fmt::format("model '{}'", model.name()), choice.error()));
  std::vector<SelectedClip> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (choice->loops[i] || choice->once[i]) all[i].clip.loops = choice->loops[i];
    if (choice->baked[i]) chosen.push_back(std::move(all[i]));
  }
  return chosen;
}

}  // namespace throng::detail::bake
