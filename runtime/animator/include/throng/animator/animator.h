// SPDX-License-Identifier: Apache-2.0
#pragma once
// One character that plays an AnimatorGraph: parameters in; states, events, root motion and a pose out. advance() is
// the logic and cheap; pose() does the work on bones, for characters that are seen near. Reads no clock, owns no
// thread; two animators may be used on two threads. Copies play on by themselves from where the original was.

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/animator/graph.h"
#include "throng/animator/pose_jobs.h"
#include "throng/base/executor.h"
#include "throng/base/result.h"

namespace throng {

class Animator;
struct Explanation;  // explain.h
struct PoseEdit;     // ik.h

namespace detail::animator {
struct AnimatorState;
}

// How a character moved over the ground, in its own space as it was before the update: rotation about +Y, translation
// in the ground plane. world' = world · (translation, rotation).
struct RootMotion {
  glm::vec3 translation{0.0f};
  glm::quat rotation{1.0f, 0.0f, 0.0f, 0.0f};
};

// kept: root motion stays in the pose. extracted: root_motion() has it and the pose stays in place.
enum class RootMotionMode : std::uint8_t { kept, extracted };

// What an animator does with root motion and with events of clips that hardly count.
struct AnimatorSettings {
  RootMotionMode root_motion = RootMotionMode::kept;
  float minimum_event_weight = 0.0f;  // events of clips that weigh less at that moment are not told
};

// An event of a clip, or a state that was entered or left.
enum class SignalKind : std::uint8_t { event, enter, exit };

// What happened in an update, in order of time. A state is entered when a transition to it begins and left when the
// transition from it ends or is interrupted; every enter has one exit.
struct AnimatorSignal {
  SignalKind kind = SignalKind::event;
  std::uint32_t layer = 0;
  std::uint32_t state = 0;
  ClipId clip = {};         // event
  std::uint32_t event = 0;  // event: of the clip
  float weight = 0.0f;      // event: of the clip at that moment, 0 … 1, layer's weight included
  double when = 0.0;        // seconds after the update's start
};

// What a layer is at.
struct LayerState {
  std::uint32_t state = 0;
  double normalised_time = 0.0;
  double length = 0.0;  // seconds a loop takes at speed 1
  double speed = 0.0;   // of the state, parameter included
  // Between two states: the other one, how far (0 … 1), and whether `state` is only a pose that stands still, because
  // the transition to it was interrupted.
  std::optional<std::uint32_t> next = std::nullopt;
  double next_normalised_time = 0.0;
  double progress = 0.0;
  bool frozen = false;
};

// A clip that has a weight in a layer, and where it is.
struct PlayingClip {
  ClipId clip = {};
  std::uint32_t state = 0;  // that plays it
  double seconds = 0.0;     // from the clip's start
  double speed = 0.0;       // of the clip's seconds per second
  double weight = 0.0;      // in the layer, 0 … 1
  bool loops = false;
};

// Told what happened by advance() and update_all(), always on the calling thread. May set parameters, jump and read;
// must not advance or destroy the animator.
class AnimatorListener {
 public:
  AnimatorListener() = default;
  AnimatorListener(const AnimatorListener&) = default;
  AnimatorListener& operator=(const AnimatorListener&) = default;
  virtual ~AnimatorListener() = default;
  virtual void on_signal(Animator&, const AnimatorSignal&) {}  // once for every signal, in order of time
  virtual void on_update(Animator&, std::uint32_t /*layer*/, const LayerState&) {}  // once a layer and update
};

class Animator {
 public:
  // In its initial states, parameters as the graph has them.
  explicit Animator(std::shared_ptr<const AnimatorGraph> graph, const AnimatorSettings& settings = {});

  Animator(const Animator& other);
  Animator(Animator&& other) noexcept;
  Animator& operator=(const Animator& other);
  Animator& operator=(Animator&& other) noexcept;
  ~Animator();

  const AnimatorGraph& graph() const;  // what it plays
  AnimatorSettings settings = {};
  AnimatorListener* listener = nullptr;  // not owned; copies have it too

  // Sets a parameter, by graph().find_parameter() or by name; advance() reads it. Refused, and the old value kept:
  // another type, numbers that are not finite. A trigger stays set until a transition takes it or it is reset.
  Result<void> set_float(std::uint32_t parameter, float value);
  // Sets an integer parameter; refused as set_float() is.
  Result<void> set_int(std::uint32_t parameter, std::int32_t value);
  Result<void> set_bool(std::uint32_t parameter, bool value);  // sets a boolean parameter; refused as set_float() is
  Result<void> set_trigger(std::uint32_t parameter);    // sets a trigger; it stays set until a transition takes it
  Result<void> reset_trigger(std::uint32_t parameter);  // takes a trigger back that no transition took
  Result<void> set_float(std::string_view parameter, float value);
  Result<void> set_int(std::string_view parameter, std::int32_t value);
  Result<void> set_bool(std::string_view parameter, bool value);
  Result<void> set_trigger(std::string_view parameter);
  Result<void> reset_trigger(std::string_view parameter);
  double parameter(std::uint32_t parameter) const;     // booleans and triggers: 0 or 1
  Result<void> copy_parameters(const Animator& from);  // of the same graph

  float layer_weight(std::uint32_t layer) const;                     // how much a layer counts, 0 … 1
  Result<void> set_layer_weight(std::uint32_t layer, float weight);  // 0 … 1; the first layer's stays 1

  // Goes to a state at once, without conditions, or over `duration` seconds from what plays now. Not for synchronised
  // layers, which follow theirs. The signals come with the next update.
  Result<void> jump_to(std::uint32_t state, double normalised_time = 0.0, std::uint32_t layer = 0);
  // Goes to a state over `duration` seconds from what plays now, without conditions.
  Result<void> cross_fade(std::uint32_t state, double duration, double normalised_time = 0.0, std::uint32_t layer = 0);
  // Puts the animator back to how it was made; settings and listener stay.
  void reset();

  // One update: transitions, times, signals, root motion; no poses. Transitions happen at their moment within dt, so
  // one long step and many short ones end alike; of more than kMaxChanges on a layer in one step the rest waits for the
  // next. A dt that is negative or not a number counts as none, one above kMaxStep as that. No allocation once it has
  // been through its states.
  void advance(double dt);
  static constexpr int kMaxChanges = 16;
  static constexpr double kMaxStep = 1e9;  // seconds
  // Events of one clip that one step tells, in all its cycles; of more, the last. So many are hours of walking.
  static constexpr int kMaxStepEvents = 1 << 20;

  // Both of the last update.
  std::span<const AnimatorSignal> signals() const;
  const RootMotion& root_motion()
      const;  // how the last update moved it, where root motion is extracted; otherwise none

  LayerState state(std::uint32_t layer = 0) const;                // what a layer is at since the last update
  std::vector<PlayingClip> clips(std::uint32_t layer = 0) const;  // those with a weight
  // The clip of a layer that weighs most; nothing where no clip plays.
  std::optional<PlayingClip> dominant_clip(std::uint32_t layer = 0) const;
  Explanation explain(std::uint32_t layer = 0) const;  // why a layer does what it does: see explain.h

  // Poses all layers as the last update left them, then models().
  void pose();
  // The pose of the last pose(); empty before. After editing locals(), call update_models() with the first bone
  // changed.
  std::span<SoaTransform> locals();
  std::span<float> morphs();   // weights of the morph targets of all meshes, one after another
  std::span<Affine> models();  // model_from_bone of every bone
  std::span<const SoaTransform> locals() const;
  std::span<const float> morphs() const;
  std::span<const Affine> models() const;
  // The pose as inverse kinematics, springs and ragdolls take it to change it, and keep its models up to date.
  PoseEdit edit();
  void update_models(std::uint32_t from = 0);  // works models() out anew from locals(), for a bone and those below it
  // model_from_mesh of every binding of the rig; false, and nothing written: not posed yet, or `out` has another size.
  bool palette(std::span<Affine> out) const;

 private:
  friend void update_all(std::span<Animator> animators, double dt, Executor& executor);
  void step(double dt);
  void deliver();

  std::unique_ptr<detail::animator::AnimatorState> state_;
};

// advance() of all, in parallel; the same result for any executor. Listeners are told afterwards, animator by animator.
void update_all(std::span<Animator> animators, double dt, Executor& executor);
// pose() of all, in parallel.
void pose_all(std::span<Animator> animators, Executor& executor);

}  // namespace throng
