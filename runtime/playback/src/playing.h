// SPDX-License-Identifier: Apache-2.0
#pragma once
// What it means to play: the one behaviour behind Controller and Crowd. It works on a PlayRecord, which is all that the
// GPU sees, and on plans for later. Everything is a function of time: when it is carried out does not matter.

#include <optional>
#include <span>
#include <vector>

#include "throng/base/result.h"
#include "track.h"

namespace throng::detail::playback {

// What a character is going to do.
struct Plans {
  std::vector<Play> queue = {};            // the next one first
  std::optional<Ticks> queue_due = {};     // when that begins
  std::optional<Position> cycle_end = {};  // where the track's cycle ends then
  bool paused = false;                     // the rates to go on with:
  std::uint64_t rate = 0, previous_rate = 0;
};

// Refuse what cannot be played, and say why.
Result<void> check_play(std::span<const ClipTiming> clips, const Play& play);
Result<void> check_speed(double speed);
Result<void> check_seek(double seconds);

std::uint32_t fade_ticks_of(const Play& play);
inline Ticks fade_end(const PlayRecord& record) { return join(record.fade_start) + record.fade_ticks; }

// InstanceRecord::clips.
inline std::uint32_t clips_of(const PlayRecord& record) {
  return record.track.clip | (record.fade_ticks != 0 ? record.previous.clip : gpu::kNoClip) << 16;
}

// Plays from `now` on: at once, or in a cross-fade with what is being played.
void begin_play(std::span<const ClipTiming> clips, PlayRecord& record, const Play& play, Ticks now);

void change_speed(std::span<const ClipTiming> clips, PlayRecord& record, Plans& plans, double speed, Ticks now);
void seek_to(std::span<const ClipTiming> clips, PlayRecord& record, double seconds, Ticks now);
void pause_play(PlayRecord& record, Plans& plans, Ticks now);
void resume_play(PlayRecord& record, Plans& plans, Ticks now);

// Finds out anew when the next of the queue begins. To be called after the track changed.
void plan_queue(const PlayRecord& record, Plans& plans, Ticks now);

// When something is to be carried out: a fade is over, or the next of the queue begins.
std::optional<Ticks> next_change(const PlayRecord& record, const Plans* plans);

// How far the track got before the change at `when`, where that is not simply as far as it is then: a loop whose cycle
// is over does not begin the next.
std::optional<Position> last_position(const PlayRecord& record, const Plans* plans, Ticks when);

// Carries out what next_change() says.
void carry_out(std::span<const ClipTiming> clips, PlayRecord& record, Plans* plans, Ticks when);

// Carries out all that is due up to `now`, having called settle(when, last_position) before each. Whether there was
// anything.
template <class Settle>
bool carry_out_until(std::span<const ClipTiming> clips, PlayRecord& record, Plans* plans, Ticks now,
                     const Settle& settle) {
  bool changed = false;
  for (auto due = next_change(record, plans); due && !before(now, *due); due = next_change(record, plans)) {
    settle(*due, last_position(record, plans, *due));
    carry_out(clips, record, plans, *due);
    changed = true;
  }
  return changed;
}

}  // namespace throng::detail::playback
