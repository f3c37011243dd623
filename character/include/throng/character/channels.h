// SPDX-License-Identifier: Apache-2.0
#pragma once
// The motion of clips in localv: slots relative to their parents, each component in bits of its own. What the bits mean
// is in throng/shaders/shared/channels.h; a test compares the decoders of all languages.

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <span>
#include <vector>

#include "throng/base/result.h"

namespace throng {

// What of a bone a slot says.
enum class SlotKind : std::uint8_t { rotation, translation, scale };

// Where the words of a clip lie among a character's.
struct ChannelClip {
  std::uint32_t first_word = 0;   // its slot table
  std::uint32_t map = 0;          // its frame map, counted from first_word; 0: every frame is stored
  std::uint32_t frames = 0;       // its first stored frame, counted from first_word
  std::uint32_t frame_words = 0;  // of each
  std::uint32_t stored_frames = 0;

  friend bool operator==(const ChannelClip&, const ChannelClip&) = default;
};

// Two stored frames, and how far a moment is on the way from the one to the other.
struct ChannelFrames {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double blend = 0.0;
};

// On the way from one unit quaternion to another, by the shorter way, turning evenly; within 2.5e-5 radians where they
// are up to 120° apart.
glm::dquat mixed_rotation(const glm::dquat& from, const glm::dquat& to, double blend);

// Reads one clip, in double. The words outlive it, and were checked (check_channels).
class ChannelReader {
 public:
  // Reads one clip among a character's words.
  ChannelReader(std::span<const std::uint32_t> words, const ChannelClip& clip)
      : words_(words.subspan(clip.first_word)), clip_(clip) {}

  // The stored frames around a moment `blend` after a frame of the clip; `next` is the frame that follows it.
  ChannelFrames frames_at(std::uint32_t frame, std::uint32_t next, double blend) const;

  // The rotation of a slot between two frames, turning evenly; nothing: as at rest.
  std::optional<glm::dquat> rotation(std::uint32_t slot, const ChannelFrames& frames) const;
  // The translation or scale of a slot between two frames, mixed; nothing: as at rest.
  std::optional<glm::dvec3> vector(std::uint32_t slot, const ChannelFrames& frames) const;

 private:
  std::uint32_t channel(std::uint32_t slot) const;

  std::span<const std::uint32_t> words_;
  ChannelClip clip_;
};

// The values that a channel can have: whole numbers of steps, of a rotation relative to a mean.
struct ChannelGrid {
  SlotKind kind = SlotKind::rotation;
  bool four = false;  // a rotation's w is stored too
  float step = 1.0f;
  std::array<std::uint32_t, 2> mean_words{};  // words 3 and 4 of a rotation but for the step
  glm::dquat mean{1.0, 0.0, 0.0, 0.0};        // as it is read from them
};
// Components x y z w as whole numbers of steps.
using ChannelSteps = std::array<std::int32_t, 4>;

// A grid for unit quaternions: their mean, and whether w must be stored. Its step is still to be set.
ChannelGrid rotation_grid(std::span<const glm::dquat> values);

// The smallest step not below `step` that the words can hold, for components of up to `most`.
float channel_step(SlotKind kind, double step, double most);

// The components of a rotation relative to the grid's mean; x y z w. Where w is not stored it is not negative; where it
// is, neighbouring frames are to be given in one hemisphere.
glm::dvec4 components_of(const ChannelGrid& grid, const glm::dquat& value);

// The whole numbers of steps next to components.
ChannelSteps steps_of(const ChannelGrid& grid, const glm::dvec4& components);
// What readers make of the steps of a rotation: of unit length.
glm::dquat rotation_at(const ChannelGrid& grid, const ChannelSteps& steps);
// What readers make of the steps of a translation or scale.
glm::dvec3 vector_at(const ChannelGrid& grid, const ChannelSteps& steps);

// What a slot does in a clip, before it is written.
struct SlotMotion {
  ChannelGrid grid;
  std::vector<ChannelSteps> frames;  // of every frame that is stored; none: as at rest
};

// The words of one clip.
struct EncodedChannels {
  ChannelClip clip;  // first_word is 0
  std::vector<std::uint32_t> words;
};

// Frames that are stored: which of the clip's, ascending from its first; the last frame of a clip that does not loop is
// among them. Two neighbours are at most kMostFramesApart apart. All of them: no map is written.
inline constexpr std::uint32_t kMostFramesApart = 255;

// Refused: more slots or bits than the words can name; the message says which.
Result<EncodedChannels> encode_channels(std::span<const SlotMotion> slots, std::span<const std::uint32_t> stored,
                                        std::uint32_t frame_count);

// Words behind those of the last clip: a reader takes three at a time.
inline constexpr std::uint32_t kChannelPadding = 2;

// Whether a reader may trust the words of a clip: everything lies among the words, widths are possible, steps are
// numbers. `kinds`: of the slots; `frame_count`: the clip's.
Result<void> check_channels(std::span<const std::uint32_t> words, const ChannelClip& clip,
                            std::span<const SlotKind> kinds, std::uint32_t frame_count);

}  // namespace throng
