// SPDX-License-Identifier: Apache-2.0
#pragma once
// Model → Motion: the clips' curves become keys that a Rig samples fast, close enough to the curves that nobody sees a
// difference.

#include <span>
#include <string>

#include "throng/base/progress.h"
#include "throng/base/result.h"
#include "throng/character/character.h"
#include "throng/character/clip_facts.h"
#include "throng/character/motion.h"
#include "throng/model/model.h"

namespace throng {

// How close keys keep to the curves.
struct MotionSettings {
  // How far the keys may be off the curves: cubic splines and wide arcs become as many keys as that takes, up to 1,024
  // between two keys of the file's. Curves that stay within a tenth of it are held still.
  float angle_tolerance = 1e-4f;     // radians
  float distance_tolerance = 1e-5f;  // of the model's size at rest; scales and morph weights: of 1
  // For the function that decides the clips' facts itself: the bone whose motion over the ground is the character's;
  // empty: as throng/clip_facts/decide.h finds it.
  std::string root_bone = {};
  Progress progress = {};  // is told how many of the clips are done, as "motion"
};

// A clip and what was decided about it. The root's motion stays in the keys: an animator takes it out when it plays
// them. The seam of an open loop leads from the last pose to the first one again, where the root has come to by then.
//
// One that far characters play in localv names its frames, and may name frames of near characters' own: then its keys
// are of bones that these do not cover, and of morph targets. The root motion that was taken off of the frames is given
// back by `ground`.
struct MotionSource {
  // Where the ground under the character is at a time.
  struct GroundKey {
    double time = 0.0;  // seconds from the clip's start; the first is 0, the last its length
    GroundMotion place;
  };

  const Clip* clip = nullptr;
  ClipFacts facts;
  std::optional<MotionFrames> frames = {};
  std::vector<GroundKey> ground = {};           // none: nothing was taken off
  bool in_place = false;                        // far characters play it without its root motion
  std::optional<MotionFrames> own_frames = {};  // among MotionWords::own_words
};

// What clips in localv are read by: the far half of the character, and how bones stand that none of these clips moves
// and that are no link of its chains; one a bone.
struct MotionWords {
  const CharacterDraft* character = nullptr;
  std::vector<std::optional<Transform>> still = {};
  // Words of near characters alone, of bones that the character does not have: MotionData::own_channels, but for its
  // `words`, which are these.
  MotionChannels own = {};
  std::vector<std::uint32_t> own_words = {};
};

// The clips named, in that order. `words` where one of them names frames. Refused: a model without bones, tolerances
// that are not above 0.
Result<Motion> compile_motion(const Model& model, std::span<const MotionSource> clips,
                              const MotionSettings& settings = {}, const MotionWords& words = {});

// Every clip of the model, its facts decided as for an animator: without its root motion. Refused too: a root bone that
// does not exist; the message names those spelled like it.
Result<Motion> compile_motion(const Model& model, const MotionSettings& settings = {});

}  // namespace throng
