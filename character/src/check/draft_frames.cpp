// SPDX-License-Identifier: Apache-2.0
// The words of every frame that a clip plays. Clips may share frames, so each frame is looked at once an encoding, not
// once a clip.
#include <algorithm>
#include <map>

#include "check/draft.h"
#include "encodings/entry.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

// What is alike in all frames of an encoding; found once, since there may be very many.
struct FrameKind {
  const EncodingEntry& entry;
  std::size_t words;      // of a frame
  std::size_t rotations;  // items that are rotations, or hold one
};

FrameKind kind_of(const CharacterDraft& model, Encoding encoding) {
  const std::uint32_t items = item_count(model, encoding);
  const auto& entry = entry_of(encoding);
  return {entry, static_cast<std::size_t>(words_per_frame(encoding, items, model.tangents_animated)),
          entry.info.kind == ItemKind::slot ? rotation_slots(model) : items};
}

// Counted through all layers, from the top of the first.
struct FrameRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

// The frames that clips of one encoding play.
struct Played {
  FrameLayout layout;
  std::vector<FrameRange> ranges;
};

Result<void> check_played(const Atlas& atlas, const FrameKind& kind, Played& played) {
  std::sort(played.ranges.begin(), played.ranges.end(),
            [](const FrameRange& a, const FrameRange& b) { return a.first < b.first; });
  std::uint32_t next = 0;
  for (const FrameRange& range : played.ranges) {
    for (next = std::max(next, range.first); next < range.end; ++next) {
      const auto words = atlas.frame(played.layout, 0, next).first(kind.words);
      if (const std::string_view wrong = kind.entry.refuse_frame(words, kind.rotations); !wrong.empty()) {
        const LayerFrame in = layer_frame(played.layout, atlas.height, 0, next);
        return fail("frame {} of layer {} ({}) {}", in.frame, in.layer, kind.entry.info.name, wrong);
      }
    }
  }
  return {};
}

}  // namespace

Result<void> check_frames(const CharacterDraft& model) {
  std::map<Encoding, Played> played;
  for (const BakedClip& clip : model.clips) {
    if (entry_of(clip.encoding).refuse_frame == nullptr) continue;
    Played& here = played[clip.encoding];
    if (here.ranges.empty()) here.layout = frame_layout(model, clip);
    // The words of all layers are there, so that their frames count in 32 bits.
    const std::uint32_t first = clip.layer * frames_per_layer(here.layout, model.atlas.height) + clip.first_frame;
    here.ranges.push_back({first, first + clip.frame_count});
  }
  for (auto& [encoding, frames] : played) THRONG_CHECK(check_played(model.atlas, kind_of(model, encoding), frames));
  return {};
}

}  // namespace throng::detail::character
