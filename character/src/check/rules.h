// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a draft and the Motion of its near characters both promise: each rule is written here.

#include <optional>
#include <span>

#include "throng/base/result.h"
#include "throng/character/channels.h"
#include "throng/character/clip_facts.h"

namespace throng::detail::character {

// They are in order, and within the clip.
inline Result<void> check_events(std::span<const ClipEvent> events, double length) {
  double last = 0.0;
  for (const ClipEvent& event : events) {
    if (!(event.time >= last && event.time <= length))
      return fail("event '{}' at {} s is out of order or outside the clip", event.name, event.time);
    last = event.time;
  }
  return {};
}

// The slots of localv that something follows; nothing: it follows none.
struct FollowedSlots {
  std::optional<std::uint32_t> rotation, translation, scale;
};

// Whether each is there, and of its kind.
inline bool are_slots(const FollowedSlots& followed, std::span<const SlotKind> kinds) {
  const auto is_of = [kinds](std::optional<std::uint32_t> slot, SlotKind kind) {
    return !slot || (*slot < kinds.size() && kinds[*slot] == kind);
  };
  return is_of(followed.rotation, SlotKind::rotation) && is_of(followed.translation, SlotKind::translation) &&
         is_of(followed.scale, SlotKind::scale);
}

}  // namespace throng::detail::character
