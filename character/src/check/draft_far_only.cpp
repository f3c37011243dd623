// SPDX-License-Identifier: Apache-2.0
// What near characters play too was checked when their Motion was built, and check_near found it the same. The rest is
// looked at here: all of it in characters that can only be played far.
#include <algorithm>

#include "check/draft.h"
#include "check/rules.h"
#include "throng/base/try.h"

namespace throng::detail::character {
namespace {

// Near ones are within the clip's length as a float has it, which may be a little more.
bool are_known_events(const CharacterDraft& model, std::size_t clip) {
  const BakedClip& far = model.clips[clip];
  const bool inside = far.events.empty() || far.events.back().time <= far.length;
  return inside && model.motion && model.motion->clips()[clip].events == far.events;
}

bool are_known_slots(const CharacterDraft& model, const PoseLink& link) {
  return link.bone && model.motion && !model.motion->channels().bones.empty();
}

bool are_known_words(const CharacterDraft& model, std::size_t clip) {
  return model.motion && model.motion->clips()[clip].frames;
}

Result<void> check_clip_events(const CharacterDraft& model) {
  for (std::size_t i = 0; i < model.clips.size(); ++i) {
    const BakedClip& clip = model.clips[i];
    if (are_known_events(model, i)) continue;
    if (auto ok = check_events(clip.events, clip.length); !ok)
      return fail("clip '{}' {}", clip.name, ok.error().message);
  }
  return {};
}

Result<void> check_channel_slots(const CharacterDraft& model) {
  for (std::size_t i = 0; i < model.skeleton.size(); ++i) {
    const PoseLink& link = model.skeleton[i];
    if (are_known_slots(model, link)) continue;
    if (!are_slots({link.rotation_slot, link.translation_slot, link.scale_slot}, model.channel_slots))
      return fail("link {} of the skeleton follows a slot that does not exist, or of another kind", i);
  }
  return {};
}

// Clips in localv have words of their own, or share all of another's: each is looked at once.
Result<void> check_channel_clips(const CharacterDraft& model) {
  std::vector<std::size_t> clips;
  for (std::size_t i = 0; i < model.clips.size(); ++i)
    if (is_channel_encoding(model.clips[i].encoding)) clips.push_back(i);
  std::ranges::stable_sort(clips, {}, [&model](std::size_t i) { return model.clips[i].channels.first_word; });
  std::uint64_t end = 0;
  const BakedClip* before = nullptr;
  for (const std::size_t i : clips) {
    const BakedClip& clip = model.clips[i];
    const ChannelClip& words = clip.channels;
    const bool same = before != nullptr && words == before->channels && clip.frame_count == before->frame_count;
    before = &clip;
    if (same) continue;
    if (words.first_word < end) return fail("clip '{}' shares a part of its words with another", clip.name);
    if (!are_known_words(model, i)) {
      const auto ok = check_channels(model.channel_words, words, model.channel_slots, clip.frame_count);
      if (!ok) return fail("clip '{}' {}", clip.name, ok.error().message);
    }
    end = std::uint64_t{words.first_word} + words.frames + std::uint64_t{words.stored_frames} * words.frame_words;
  }
  return {};
}

}  // namespace

Result<void> check_far_only(const CharacterDraft& model) {
  const auto is_channel = [](const BakedClip& clip) { return is_channel_encoding(clip.encoding); };
  THRONG_CHECK(check_clip_events(model));
  if (std::ranges::none_of(model.clips, is_channel)) return {};
  THRONG_CHECK(check_channel_slots(model));
  return check_channel_clips(model);
}

}  // namespace throng::detail::character
