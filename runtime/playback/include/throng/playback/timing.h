// SPDX-License-Identifier: Apache-2.0
#pragma once
// A clip as a player sees it: how long it is, which frames it has, and when its events fire.

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "throng/character/character.h"
#include "throng/playback/clock.h"

namespace throng {

// A character of a crowd, for as long as it is there. One that was removed is never mistaken for another.
struct InstanceId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;

  friend bool operator==(const InstanceId&, const InstanceId&) = default;
};

// An event that a character met while it played.
struct FiredEvent {
  InstanceId instance = {};  // of a controller: {}
  ClipId clip = {};
  std::uint32_t event = 0;     // index into BakedClip::events
  std::string_view name = {};  // of the event; for as long as the crowd or controller is there
  Ticks when = 0;              // the first tick at which it was reached
  float weight = 1.0f;         // of the clip at that moment: less than 1 while a cross-fade lasts

  friend bool operator==(const FiredEvent&, const FiredEvent&) = default;
};

using OnEvent = std::function<void(const FiredEvent&)>;  // told of every event, in order of time

// Where an event fires, as a phase of the track that plays the clip: see TrackRecord.
struct TimedEvent {
  std::uint64_t phase = 0;
  std::uint32_t event = 0;
  std::string_view name = {};  // in the clip that the timing was made from, which must outlive it
};

// What a clip needs to be played: its frames and its events by phase.
struct ClipTiming {
  ClipRecord record = {};  // of it, only what time needs
  double length = 0.0;     // seconds
  // Events by phase, for each way to play it (gpu::kWrap…). A ping-pong meets events twice a cycle, on the way there
  // and on the way back, but those where it reverses once.
  std::array<std::vector<TimedEvent>, 3> events = {};
};

ClipTiming clip_timing(const BakedClip& clip);  // worked out once a clip

}  // namespace throng
