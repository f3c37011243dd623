#pragma once
// Time → frames and events of one clip, pure logic. It finds the same frames, bit for bit, as the shader does.

#include <cstdint>
#include <functional>
#include <vector>

#include "throng/asset/baked_model.h"
#include "throng/playback/clock.h"

namespace throng {

// A clip as a player sees it: what the shader reads, and its events at the phases they fire at.
struct TimedEvent {
  std::uint64_t phase = 0;
  std::uint32_t event = 0;  // index into BakedClip::events
};

struct ClipTiming {
  ClipRecord record;
  double length = 0.0;             // seconds
  std::vector<TimedEvent> events;  // by phase
};

ClipTiming clip_timing(const BakedClip& clip);

// Where a clip is and how fast it goes, in fractions of the clip of 2^-64.
struct Playhead {
  std::uint64_t phase = 0;
  std::uint64_t rate = 0;  // per tick, two's complement: backwards when negative
};

// A playhead `offset` seconds into the clip, playing at `speed` times its own; offsets beyond its ends wrap (loop) or
// clamp.
Playhead make_playhead(const ClipTiming& clip, double speed, double offset);

// The playhead's phase after `elapsed` ticks.
std::uint64_t phase_after(const ClipTiming& clip, const Playhead& playhead, Ticks elapsed);

// Called with the index of each event in BakedClip::events.
using OnEvent = std::function<void(std::uint32_t event)>;

// Whether an event exactly where the playhead stands fires: it does when play has just begun there.
enum class WindowStart : std::uint8_t { excluded, included };

// Fires, in the order they are met, the events of the window (playhead, playhead + elapsed]; once for every time each
// is crossed, on every loop. Backwards the window is [playhead − elapsed, playhead).
void fire_events(const ClipTiming& clip, const Playhead& playhead, Ticks elapsed, WindowStart start,
                 const OnEvent& on_event);

class Ticker {
 public:
  // Keeps a reference to `clip`.
  explicit Ticker(const ClipTiming& clip, double speed = 1.0, double offset = 0.0)
      : clip_(&clip), playhead_(make_playhead(clip, speed, offset)) {}

  // Steps on and fires what is crossed. An event at the very place where play began fires in the first step.
  void advance(Ticks elapsed, const OnEvent& on_event = {});

  Cursor cursor() const;
  double time() const;    // seconds from the clip's first frame
  bool finished() const;  // at the end it was going to, and the clip does not loop

 private:
  const ClipTiming* clip_;
  Playhead playhead_;
  bool begun_ = false;
};

}  // namespace throng
