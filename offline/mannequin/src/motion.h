// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the mannequin's clips are written: a pose is a handful of controls an animator would use (where the hips are,
// where each foot stands, how far an elbow is bent); a clip is those controls over time. Legs are solved to their feet,
// so a planted foot stays where it is. Everything is in double precision and turned into curves at the end.

#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "skeleton.h"

namespace throng::detail::mannequin {

// Angles in degrees, lengths in metres. Pitch leans forward, yaw turns to the left, roll leans to the right. Channels
// of a side are mirrored: the same value on both sides is a symmetric pose.
enum Channel : std::size_t {
  kHipsX,
  kHipsY,
  kHipsZ,
  kHipsPitch,
  kHipsYaw,
  kHipsRoll,  // offset from rest
  kSpinePitch,
  kSpineYaw,
  kSpineRoll,  // shared by three bones, relative to the hips
  kHeadPitch,
  kHeadYaw,
  kHeadRoll,  // shared by neck and head, relative to the chest
  kShoulderRaise,
  kShoulderForward,  // first of the left side
  kArmForward,
  kArmOut,
  kArmTwist,  // of the upper arm, from hanging straight down
  kElbow,
  kForearmTwist,
  kWrist,
  kWristSide,
  kCurl,
  kThumbIn,
  kFootOut,
  kFootUp,
  kFootAhead,  // of the point under the ankle, offset from rest, relative to the ground
  kFootPitch,
  kFootYaw,
  kFootRoll,
  kFootSplay,  // toes up (on the heel) or, negative, heel up (on the ball); toes outwards
  kToeBend,
  kKneeOut,  // toes up, relative to the foot
  kRightChannels,
  kChannelCount = kRightChannels + (kRightChannels - kShoulderRaise),
};

// The right side's channel, from the left one's name.
constexpr Channel right(Channel left) { return static_cast<Channel>(left + (kRightChannels - kShoulderRaise)); }
constexpr Channel of_side(Channel left, Side side) { return side == Side::left ? left : right(left); }

struct Controls {
  std::array<double, kChannelCount> values{};
  double& operator[](Channel c) { return values[c]; }
  double operator[](Channel c) const { return values[c]; }
};

// Standing at ease: the pose most clips start from and return to.
Controls standing();

// Where the bones are for these controls: parent_from_bone, kBoneCount of them.
std::vector<Transform> solve(const Controls& controls);

// One channel's keys over time, eased so that it never overshoots a key.
class KeyTrack {
 public:
  struct Key {
    double time;
    double value;
  };
  // With a `period`, the last key's successor is the first one again; otherwise the ends are at rest. Keys are in order
  // of time, no two at once; without any, the channel is 0.
  KeyTrack(std::vector<Key> keys, double period);
  double at(double time) const;

 private:
  double slope(std::size_t i) const;
  Key neighbour(std::size_t i, int step) const;
  std::vector<Key> keys_;
  double period_;  // 0: does not repeat
};

using Changes = std::vector<std::pair<Channel, double>>;

// A pose at a time, told by what changes; channels it does not mention pass through.
struct PoseKey {
  double time;
  Changes changes;
};

// `changes` and, for the left and the right side alike, those of `sides`.
Changes with_both(Changes changes, const Changes& sides);

Controls changed(Controls controls, const Changes& changes);

using Motion = std::function<Controls(double time)>;

// `base` where no key speaks of a channel. The clip repeats after `period` seconds, or does not if that is 0.
Motion keyed_motion(const Controls& base, const std::vector<PoseKey>& keys, double period);

// Moves from `pose` through the keys and, unless it `stays`, back to it; at rest at both ends.
Motion keyed_from(const Controls& pose, const std::vector<PoseKey>& keys, double seconds, bool stays = false);

struct ClipSettings {
  std::string name;
  int frames;  // of 1/30 s
  bool loops;
  Interpolation interpolation = Interpolation::linear;
  int frames_per_key = 1;
  std::vector<Event> events{};
};

// Samples a motion into curves. A looping clip ends on exactly the pose it starts with. Bones that never leave their
// rest get no curve.
Clip make_clip(const ClipSettings& settings, const Motion& motion);

}  // namespace throng::detail::mannequin
