#pragma once
// Drives one character's skeleton on the CPU from the model's own curves: plays clips and cross-fades between them. For
// characters that need more than an animation texture gives. Reads no clock: `dt` is a parameter.

#include <cstdint>
#include <optional>

#include "throng/base/result.h"
#include "throng/model/model.h"
#include "throng/pose/pose.h"

namespace throng {

struct Transition {
  std::uint32_t clip = 0;
  double fade = 0.0;                         // seconds from the pose now to the clip; 0: at once
  double speed = 1.0;                        // negative: backwards
  double offset = 0.0;                       // seconds into the clip
  std::optional<bool> loops = std::nullopt;  // nothing: what the clip says, and if it says nothing, yes
};

class Animator {
 public:
  // Keeps a reference to `model`; at rest until a clip is played.
  explicit Animator(const Model& model) : model_(&model), pose_(rest_pose(model)) {}

  // Refused: a clip that does not exist, a fade that is negative, numbers that are not finite. A fade that interrupts a
  // fade starts from the pose of that moment.
  Result<void> play(const Transition& transition);

  // Steps `dt` seconds and poses anew. A dt that is negative or not finite counts as none.
  void advance(double dt);

  const Pose& pose() const { return pose_; }
  double time() const { return time_; }  // of the clip that plays, in its own time
  double fade_weight() const;            // of the clip that plays: 1 when no fade is under way

 private:
  void step_time(double dt);

  const Model* model_;
  Pose pose_;
  std::optional<Transition> playing_;
  double time_ = 0.0;
  Pose fading_from_;
  double faded_ = 0.0;  // seconds of the fade gone by
};

}  // namespace throng
