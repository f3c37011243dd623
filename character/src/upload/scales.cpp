// SPDX-License-Identifier: Apache-2.0
#include "upload/scales.h"

#include <algorithm>

namespace throng::detail::character {
namespace {

bool clip_scales_alike(const CharacterDraft& model, const BakedClip& clip) {
  const EncodingInfo& info = info_of(clip.encoding);
  if (info.one_scale) return true;
  if (!info.scale) return false;
  const FrameLayout frames = frame_layout(model, clip);
  std::optional<std::uint32_t> first;
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const auto words = model.atlas.frame(frames, clip.layer, clip.first_frame + frame);
    for (std::size_t column = 0; column < model.bones.size(); ++column) {
      const std::uint32_t scale = words[info.header_words + column * info.words + info.scale->word] & info.scale->mask;
      if (scale != first.value_or(scale)) return false;
      first = scale;
    }
  }
  // Below 0 a scale mirrors, and turns normals the other way.
  return (first.value_or(0) & info.scale->sign) == 0;
}

}  // namespace

bool has_uniform_scale(const CharacterDraft& model) {
  return std::ranges::all_of(model.clips, [&](const BakedClip& clip) { return clip_scales_alike(model, clip); });
}

}  // namespace throng::detail::character
