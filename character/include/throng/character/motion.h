// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a character moves, relative to the parents of its bones: the whole skeleton, and what every clip does. Clips that
// far characters play in localv are played from the same words (channels.h); their keys say only what these do not. A
// Rig reads all of it as it is. Made offline by compile_motion (throng/motion/compile_motion.h) and kept in the
// character's file; immutable, cheap to copy, shared by every character and thread.
//
// Spaces as everywhere: parent_from_bone, bone_from_mesh. Units are the model's; times are seconds from a clip's start.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "throng/base/bytes.h"
#include "throng/base/result.h"
#include "throng/character/channels.h"
#include "throng/character/clip_facts.h"
#include "throng/math/ground.h"
#include "throng/math/transform.h"

namespace throng {

// A bone: its name, its parent and where it rests.
struct MotionBone {
  std::string name;
  std::optional<std::uint32_t> parent;  // always a smaller index: parents come before children
  Transform rest;                       // parent_from_bone at rest
  // parent_from_bone in every clip in localv, of a bone that none of them moves and that is no link of the chains.
  std::optional<Transform> still = {};
};

// A bone that vertices follow, and how mesh space lies in it. As it lies in the file.
struct MotionBinding {
  glm::dmat4 bone_from_mesh{1.0};
  std::uint32_t bone = 0;
  std::uint32_t unused = 0;
};
static_assert(sizeof(MotionBinding) == 136 && std::is_trivially_copyable_v<MotionBinding>);

// A socket: its bone, and where it is on it.
struct MotionSocket {
  std::string name;
  std::uint32_t bone = 0;
  Transform bone_from_socket;
};

// Which of the words that are localv's a clip is in.
struct MotionFrames {
  ChannelClip words;
  std::uint32_t frame_count = 0;  // at even steps; of a loop, the one at its end is the first again

  friend bool operator==(const MotionFrames&, const MotionFrames&) = default;
};

// A clip's facts as a Rig counts them.
struct MotionClip {
  std::string name;
  float length = 0.0f;  // seconds; 0: a clip that is one pose
  bool loops = false;
  std::vector<ClipEvent> events;            // times from the clip's start, in order
  std::uint32_t list_count = 0;             // of ClipKeys::lists
  std::optional<MotionFrames> frames = {};  // in localv; nothing: all of it is keys
  // In the words that far characters do not have (MotionData::own_channels), beside `frames`; nothing: bones that those
  // do not cover are keys.
  std::optional<MotionFrames> own_frames = {};
  std::uint32_t ground_count = 0;  // of ClipKeys::ground
  // How many samples ClipKeys::root_path has; 0: the root stays. Nothing: the file does not say, as those do not that
  // were written before it could.
  std::optional<std::uint32_t> root_steps = {};
  bool in_place = false;  // far characters play it without its root motion, and near ones are to
};

// How clips in localv move a bone.
struct BoneChannels {
  bool covered = false;                                                      // they say all of it, and keys nothing
  std::optional<std::uint32_t> rotation = {}, translation = {}, scale = {};  // slots
  Transform still = {};  // parent_from_bone where no slot says otherwise
};

// What clips in localv are read by: motion_channels.h makes it of a character.
struct MotionChannels {
  std::vector<SlotKind> slots;
  std::vector<BoneChannels> bones;       // one a bone; empty where no clip is in localv
  std::span<const std::uint32_t> words;  // of all clips
};

// Neighbouring morph targets.
struct MorphRun {
  std::uint32_t first = 0;  // of the character's morph targets
  std::uint32_t count = 0;
};

// Several channels with keys at the same times, and their values, for four bones side by side (a group: bones 4 · group
// to 4 · group + 3). A row of values at each time: 16 floats for each of `rotations` (x of all four bones, then y, z,
// w), 12 for each of `translations` and of `scales`, then the morph weights. Between two keys a value goes straight;
// rotations are then made unit length again. A jump is two keys at one time, and the later one counts there.
struct KeyList {
  std::span<const float> times;  // the first is 0, the last the clip's length; they never fall
  std::span<const std::uint32_t> rotations, translations, scales;  // groups
  std::span<const MorphRun> morphs;
  std::size_t row = 0;  // floats
  std::span<const float> values;
};

// Where the ground under the character is: what was taken off of the poses in localv, and moves all roots that they
// cover. Between two keys x, z and yaw (radians about +Y) go straight.
struct GroundKeys {
  std::span<const float> times;   // the first is 0, the last the clip's length; none: it stays where it is
  std::span<const float> values;  // x, z and yaw at each
};

// Every channel of every group is in exactly one of the lists; of a clip in localv, that of groups with a bone that is
// not covered by the words it is in: the covered bones of these stand still in them, and are as the words say.
struct ClipKeys {
  float length = 0.0f;
  KeyList still;               // one row: what the clip does not move
  std::vector<KeyList> lists;  // two times or more each; a sampler keeps one cursor each
  GroundKeys ground;
  std::optional<std::vector<GroundMotion>> root_path;  // ClipFacts::root_path; nothing: MotionClip::root_steps is none
};

// What a Motion is made from: the keys of all clips as they lie in memory and in the file, one list after another, each
// clip's still one first and its ground last. The views look into `storage`, or into what else outlives the Motion.
struct MotionData {
  std::vector<MotionBone> bones;
  std::vector<MotionSocket> sockets;
  std::vector<float> rest_morphs;  // weights at rest: the targets of all meshes, one after another
  std::vector<MotionBinding> bindings;
  std::optional<std::uint32_t> root_bone = {};  // whose motion is the root motion; nothing: no bone's is
  std::vector<MotionClip> clips;
  // For each list: how many keys, rotations, translations, scales and morph runs it has; then those groups and runs.
  std::span<const std::uint32_t> lists;
  std::span<const float> times;
  std::span<const float> values;
  std::span<const float> root_paths;  // of one clip after another: x, z and yaw of each sample
  MotionChannels channels;
  // The same for words that are near characters' own: of bones that far ones do not have. They cover none that
  // `channels` covers; a scale is all three of its numbers.
  MotionChannels own_channels = {};
  SharedBytes storage;
};

class Motion {
 public:
  std::span<const MotionBone> bones() const;        // the whole skeleton, parents before children
  std::span<const MotionSocket> sockets() const;    // the sockets, each on its bone
  std::span<const float> rest_morphs() const;       // weights of the morph targets at rest
  std::span<const MotionBinding> bindings() const;  // which bones move meshes, each with bone_from_mesh
  std::optional<std::uint32_t> root_bone() const;   // whose motion is the root motion; nothing: no bone's is
  std::span<const MotionClip> clips() const;        // all clips, in the order of Character::clips()
  const ClipKeys& keys(std::uint32_t clip) const;   // the keys of a clip
  const MotionChannels& channels() const;           // what clips in localv are read by
  const MotionChannels& own_channels() const;       // what words of near characters alone are read by
  std::size_t group_count() const;                  // of four bones

  // What it was made from: to be written, or changed and built again.
  const MotionData& data() const;

  // Whether the two are of one character: bones and clips have the same names, in the same order.
  friend bool is_same_character(const Motion& a, const Motion& b);

 private:
  struct State;
  friend Result<Motion> build_motion(MotionData data);
  explicit Motion(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

// Checks everything the types above promise: orders, index ranges, finite numbers, unit quaternions, times
// that never fall, every channel of every group once, words that a reader may trust. The first broken promise is the
// error.
Result<Motion> build_motion(MotionData data);

// model_from_bone of every bone at rest.
std::vector<glm::dmat4> model_from_bones_at_rest(const Motion& motion);

}  // namespace throng
