// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a character is told to do: where it stands, how it looks, what it plays; and what it reports to be doing.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>

#include "throng/base/result.h"
#include "throng/character/ids.h"
#include "throng/character/parts.h"
#include "throng/character/records.h"

namespace throng {

// world_from_model.
struct Placement {
  glm::vec3 position{0.0f};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
  float scale = 1.0f;
};
// Refused in words: numbers that are not finite, a scale of 0 or less, a rotation of no length. It need not be a unit
// quaternion.
Result<void> check_placement(const Placement& placement);

// A colour that one character's surfaces are multiplied by.
struct Tint {
  std::uint8_t red = 255, green = 255, blue = 255, alpha = 255;  // sRGB; multiplies the base colour
};

// What tells one character of a model from another: colour, variation, what it wears.
struct Look {
  Tint tint = {};
  std::uint32_t variation = 0;         // any number: materials take their differences between characters from it
  std::optional<PartMask> parts = {};  // what it wears; nothing: at first what is usual (usual_parts)
};

// What happens at a clip's ends. As baked: it loops when its last frame leads back to its first, and clamps when not.
enum class PlayMode : std::uint8_t { as_baked, clamp, loop, ping_pong };

// A play that begins while a cross-fade lasts fades from the heavier of the two clips; the other is dropped. One of the
// clip that is fading out reverses the fade instead: that clip goes on from where it is (`offset` is ignored), and no
// weight jumps.
struct Play {
  ClipId clip = {};
  double speed = 1.0;   // 0 stands still, below 0 goes backwards
  double offset = 0.0;  // seconds into the clip at the moment play begins; in step: from where that would be
  PlayMode mode = PlayMode::as_baked;
  double fade = 0.0;  // seconds over which it takes the place of what was played before, at most 4095; 0: at once
  // Begins at the phase of what was played before; while they fade both run at this clip's rate, so that feet agree.
  bool in_step = false;
};

// One clip being played.
struct TrackState {
  ClipId clip = {};
  Cursor cursor = {};
  double phase = 0.0;    // of the clip: 0 is its start, 1 its end
  double seconds = 0.0;  // from the clip's first frame
  float weight = 1.0f;
  bool finished = false;  // stands at the end it was going to
};

// What a character is doing at a moment.
struct PlayState {
  TrackState track = {};
  std::optional<TrackState> previous = {};  // what fades out, while it does
  bool paused = false;
  std::size_t queued = 0;  // plays that come after this one
};

}  // namespace throng
