// SPDX-License-Identifier: Apache-2.0
#include "upload/scales.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "throng/character/channels.h"

namespace throng::detail::character {
namespace {

// How far scales may differ, of one: what rounding makes of rest poses. A normal is then off by as much at most.
constexpr double kAlike = 1e-5;

// localv: of a clip that scales no link, as most are.
bool links_scale_alike(const CharacterDraft& model, const BakedClip& clip) {
  const ChannelReader reader(model.channel_words, clip.channels);
  std::vector<double> links;
  for (const PoseLink& link : model.skeleton) {
    if (link.scale_slot && reader.vector(*link.scale_slot, {})) return false;
    links.push_back(link.rest.scale * (link.parent ? links[*link.parent] : 1.0));
  }
  std::optional<double> first;
  for (const BakedBone& bone : model.bones) {
    const double scale = links[bone.link] * bone.link_from_mesh.scale;
    if (!(scale > 0.0) || std::abs(scale - first.value_or(scale)) > kAlike * scale) return false;
    first = first.value_or(scale);
  }
  return true;
}

bool clip_scales_alike(const CharacterDraft& model, const BakedClip& clip) {
  const EncodingInfo& info = info_of(clip.encoding);
  if (info.one_scale) return true;
  if (info.kind == ItemKind::channel) return links_scale_alike(model, clip);
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
