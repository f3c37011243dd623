// SPDX-License-Identifier: Apache-2.0
#include "throng/import/retarget_clips.h"

#include "clips/more_clips.h"
#include "throng/base/text.h"

namespace throng {

Result<Imported> retarget_clips(Imported onto, const Imported& from, const std::string& from_name,
                                const RetargetSettings& settings) {
  auto made = retarget(from.model, onto.model, settings);
  if (!made) return fail(Error{one_line(fmt::format("{}: {}", from_name, made.error().message))});
  if (made->clips.empty()) return fail("{}: none of its clips moves a bone of the model", one_line(from_name));
  const auto note = [&](const std::string& text) {
    onto.notes.push_back(one_line(fmt::format("{}: {}", from_name, text)));
  };
  for (const std::string& text : from.notes) note(text);
  for (const std::string& text : made->notes) note(text);
  ModelDraft draft = onto.model.draft();
  detail::import::ClipNames names(draft.clips);
  for (Clip& clip : made->clips) {
    clip.name = names.take(clip.name);
    draft.clips.push_back(std::move(clip));
  }
  return detail::import::with_clips(std::move(onto), std::move(draft), from, from_name);
}

}  // namespace throng
