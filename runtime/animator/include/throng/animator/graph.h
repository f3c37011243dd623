// SPDX-License-Identifier: Apache-2.0
#pragma once
// What characters of one kind can do: parameters, layers, states and the ways between them. A GraphDraft is the
// editable form, from code or JSON (graph_json.h); build_graph checks it once against a rig; the AnimatorGraph that
// comes out never changes and is shared by every Animator (animator.h) and thread. docs/animator.md explains it by
// example.
//
// Things are named by path: a state "run" in the machine "locomotion" is "locomotion/run". Times called normalised
// count the state's motion as one: 2.5 is the middle of its third loop.

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/animator/rig.h"
#include "throng/base/result.h"

namespace throng {

// JSON calls them float, int, bool and trigger.
enum class ParameterType : std::uint8_t { real, integer, boolean, trigger };

// A parameter: its name, its type and the value it has at first.
struct ParameterDraft {
  std::string name = {};
  ParameterType type = ParameterType::real;
  double initial = 0.0;  // boolean and trigger: 0 or 1
};

// cartesian: positions are anywhere (speed and turn rate). directional: they are velocities, and turning them matters
// as much as their length; one may be at the origin. Both are gradient bands: smooth, exact at the children, never
// negative. direct: every child's weight is a parameter of its own.
enum class MotionKind : std::uint8_t { none, clip, blend_1d, cartesian, directional, direct };

// A clip, or a tree of them. The clips of a tree share one normalised time, and the time a loop takes is the weighted
// mean of theirs: feet stay in step.
struct MotionDraft {
  MotionKind kind = MotionKind::none;
  std::string clip = {};                     // kind clip: by name
  std::optional<bool> loops = std::nullopt;  // kind clip; nothing: as the rig says
  std::string x = {};                        // blend_1d, cartesian, directional: the real parameter that is looked up
  std::string y = {};                        // cartesian, directional
  std::vector<MotionDraft> children = {};
  // Used where this is a child of a tree:
  glm::vec2 at{0.0f};  // where it plays alone: x in blend_1d, both in cartesian and directional
  // In direct: the real parameter; negative counts as 0, and the weights are made to sum to one.
  std::string weight = {};
  float time_scale = 1.0f;   // of its length's share; negative: backwards, in step with the others
  bool synchronised = true;  // false: keeps its own time, at its own rate
};

// How a condition compares a parameter with its value.
enum class Comparison : std::uint8_t { greater, less, equal, not_equal, is_true, is_false, triggered };

// What must hold of a parameter for a transition to be taken.
struct ConditionDraft {
  std::string parameter = {};
  Comparison comparison = Comparison::is_true;
  double value = 0.0;  // greater, less: real and integer; equal, not_equal: integer
};

// Whose transitions may break off a transition under way. Those from any state always may.
enum class Interruption : std::uint8_t { none, source, destination, source_then_destination, destination_then_source };

// Needs a condition, an exit time or both; all conditions must hold.
struct TransitionDraft {
  // A state or a machine, whose entry then says which state: a path from the machine that holds the transition, or from
  // the layer's with '/' before it. "exit" leaves the machine: its ways out say where to.
  std::string to = {};
  std::vector<ConditionDraft> conditions = {};
  // Below 1: taken whenever the phase passes it (once passed, at any time if the motion does not loop). From 1 on: at
  // any time after that many loops. A state that plays backwards counts from its end.
  std::optional<float> exit_time = std::nullopt;
  float duration = 0.25f;
  bool normalised_duration = false;  // of the source's motion as it plays at that moment; else seconds
  float offset = 0.0f;               // where the destination begins, normalised; backwards: from its end
  Interruption interruption = Interruption::none;
  bool ordered = true;   // of the source's, and from any state: only those listed before this one may break it off
  bool to_self = false;  // from any state: also when its destination is what plays or comes already
};

// Where to, when all conditions hold: of a machine's entry and of the ways out of it. Takes no time of its own.
struct RouteDraft {
  std::string to = {};
  std::vector<ConditionDraft> conditions = {};
};

// A state: what it plays, how fast, and the ways out of it.
struct StateDraft {
  std::string name = {};
  MotionDraft motion = {};
  float speed = 1.0f;                // negative: backwards, from its end
  std::string speed_parameter = {};  // real; multiplies speed
  std::string time_parameter = {};   // real; is the normalised time, which then does not run by itself
  float cycle_offset = 0.0f;         // normalised: added for looping clips, unseen by exit times
  std::vector<TransitionDraft> transitions = {};
};

// States and machines inside a machine, and the ways into and out of it.
struct MachineDraft {
  std::string name = {};     // of a layer's own machine: not read
  std::string initial = {};  // a state or machine in it, when no entry's conditions hold; empty: the first state
  std::vector<RouteDraft> entry = {};  // tried in order when the machine is the destination; they lead inside it
  // Tried in order when a state leaves it; paths are the parent's. None: the parent's entry.
  std::vector<RouteDraft> exit = {};
  // Transitions from any state in it, at whatever depth; looked at before the states' own, outermost first.
  std::vector<TransitionDraft> any = {};
  std::vector<StateDraft> states = {};
  std::vector<MachineDraft> machines = {};
};

// A bone's share in a layer, and with `descendants` that of all below it. A soft edge: over `falloff` bones down the
// chain the share grows to `weight` in equal steps. Later entries replace earlier ones.
struct MaskDraft {
  std::string bone = {};
  float weight = 1.0f;
  bool descendants = true;
  std::uint32_t falloff = 0;
};

// Whether a layer takes the place of those below it, or is added to them.
enum class LayerKind : std::uint8_t { override, additive };

// What a synchronised layer plays in a state of the other one.
struct LayerMotionDraft {
  std::string state = {};  // path in the layer it is synchronised with
  MotionDraft motion = {};
};

// The first layer overrides, moves all bones, and always has weight 1. In the others, a state without motion lets the
// layers below through.
struct LayerDraft {
  std::string name = {};
  LayerKind kind = LayerKind::override;
  float weight = 1.0f;
  std::vector<MaskDraft> mask = {};  // none: all bones
  // Additive: what is added is the difference to this clip's pose at this time (seconds); none: to every clip's own
  // first pose.
  std::string reference_clip = {};
  float reference_time = 0.0f;
  // An earlier layer whose states and transitions this one takes part in, with other motions; then `machine` is empty.
  // Own timing: its motions run at their own lengths; else at the normalised time of that layer.
  std::string synchronised_with = {};
  bool own_timing = false;
  std::vector<LayerMotionDraft> motions = {};
  MachineDraft machine = {};
};

// A whole graph, open to change and not yet checked.
struct GraphDraft {
  std::string name = {};
  std::vector<ParameterDraft> parameters = {};
  std::vector<LayerDraft> layers = {};
};

class AnimatorGraph;
namespace detail::animator {
struct GraphData;  // the graph as animators read it
const GraphData& data_of(const AnimatorGraph& graph);
}  // namespace detail::animator

// A graph that was checked against a rig; it never changes and is shared by all its animators.
class AnimatorGraph {
 public:
  const GraphDraft& draft() const { return draft_; }              // what it was built from
  const std::shared_ptr<const Rig>& rig() const { return rig_; }  // the rig whose clips it plays

  std::size_t layer_count() const;  // how many layers it has; the first is the base
  // How many states a layer has, those of machines inside it included.
  std::size_t state_count(std::uint32_t layer = 0) const;
  // "walk", or "combat/strike" for a state of a machine.
  const std::string& state_path(std::uint32_t state, std::uint32_t layer = 0) const;

  // Finds it by name or path; the error names those spelled like it.
  Result<std::uint32_t> find_parameter(std::string_view name) const;
  // The layer of that name, or an error that names those spelled like it.
  Result<std::uint32_t> find_layer(std::string_view name) const;
  // The state at that path, or an error that names those spelled like it.
  Result<std::uint32_t> find_state(std::string_view path, std::uint32_t layer = 0) const;

  // The first state whose motion is that clip, else the first whose tree has it.
  std::optional<std::uint32_t> state_of_clip(ClipId clip, std::uint32_t layer = 0) const;

  // Takes a clip's root motion out of a pose of it at that time, as RootMotionMode::extracted does; of any clip of the
  // rig. No such clip, or a span that is too short: nothing is done.
  void take_out_root_motion(ClipId clip, double seconds, std::span<SoaTransform> locals) const;

  ~AnimatorGraph();
  AnimatorGraph(const AnimatorGraph&) = delete;
  AnimatorGraph& operator=(const AnimatorGraph&) = delete;

 private:
  friend const detail::animator::GraphData& detail::animator::data_of(const AnimatorGraph& graph);
  friend Result<std::shared_ptr<const AnimatorGraph>> build_graph(GraphDraft draft, std::shared_ptr<const Rig> rig);
  AnimatorGraph(GraphDraft draft, std::shared_ptr<const Rig> rig,
                std::unique_ptr<const detail::animator::GraphData> data);

  GraphDraft draft_;
  std::shared_ptr<const Rig> rig_;
  std::unique_ptr<const detail::animator::GraphData> data_;
};

// The first thing that is wrong is the error. It begins with the thing's place in the draft, written as the JSON
// pointer it has in a file: "/layers/0/states/3/motion: no clip is named 'walc'; did you mean 'walk'?".
Result<std::shared_ptr<const AnimatorGraph>> build_graph(GraphDraft draft, std::shared_ptr<const Rig> rig);

}  // namespace throng
