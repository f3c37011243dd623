// SPDX-License-Identifier: Apache-2.0
#pragma once
// A graph as animators read it: flat arrays, names resolved to indices, everything checked. State ids are a layer's
// own.

#include <cstdint>
#include <glm/glm.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/root_track.h"
#include "throng/animator/graph.h"

namespace throng::detail::animator {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// Far above what people draw, far below what stacks and animators' buffers bear.
inline constexpr std::size_t kMaxDepth = 16;     // of machines in machines, of trees in trees
inline constexpr std::size_t kMaxChildren = 64;  // of one tree
inline constexpr std::size_t kMaxLeaves = 256;   // clips of one state's motion
inline constexpr std::size_t kMaxLayers = 32;
inline constexpr std::size_t kMaxParameters = 4096;
inline constexpr std::size_t kMaxStates = 1u << 18;  // of a layer
inline constexpr std::size_t kMaxTransitions = 1u << 20;

struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// A clip in a motion.
struct Leaf {
  ClipId clip = {};
  double length = 0.0;
  bool loops = false;
  bool reversed = false;
  std::uint32_t group = 0;    // of clocks: those of one group are in step
  std::uint32_t cursors = 0;  // where its cursors begin in the slot's
  std::uint32_t cursor_count = 0;
  std::uint32_t reference = 0;  // additive layers: into GraphLayer::references
};

struct TreeChild {
  bool is_leaf = true;
  std::uint32_t index = 0;  // of a leaf in the motion, or of a tree
  glm::vec2 at{0.0f};
  std::uint32_t weight_parameter = kNone;
  double time_scale = 1.0;      // never 0
  std::uint32_t group = kNone;  // kNone: in step with its siblings
};

struct Tree {
  MotionKind kind = MotionKind::none;
  std::uint32_t x = kNone;
  std::uint32_t y = kNone;
  std::vector<TreeChild> children = {};  // blend_1d: in order of `at`
  std::vector<glm::dvec2> bands = {};    // cartesian, directional: make_bands()
};

// What a state plays: leaves, and the trees that weigh them. Without trees: one leaf of weight 1.
struct StateMotion {
  std::vector<Leaf> leaves = {};
  std::vector<Tree> trees = {};
  TreeChild root = {};
  std::uint32_t groups = 1;
  std::uint32_t cursors = 0;
  bool loops = false;       // any of its clips does
  bool has_events = false;  // any of its clips does
};

struct Condition {
  std::uint32_t parameter = 0;
  Comparison comparison = Comparison::is_true;
  double value = 0.0;
};

enum class TargetKind : std::uint8_t { state, machine, exit };
struct Target {
  TargetKind kind = TargetKind::state;
  std::uint32_t index = 0;  // exit: the machine that is left
};

struct Route {
  Range conditions = {};
  Target target = {};
};

struct Transition {
  Range conditions = {};
  Target target = {};
  bool has_exit_time = false;
  double exit_time = 0.0;
  double duration = 0.0;
  bool normalised_duration = false;
  double offset = 0.0;
  Interruption interruption = Interruption::none;
  bool ordered = true;
  bool to_self = true;
  bool from_any = false;
};

struct Machine {
  std::uint32_t parent = kNone;
  Target initial = {};
  Range entry = {};  // routes
  Range exit = {};   // routes
  Range any = {};    // any_lists: its own and those of the machines around it, outermost first
};

struct State {
  std::string path = {};
  std::uint32_t machine = 0;
  double speed = 1.0;
  std::uint32_t speed_parameter = kNone;
  std::uint32_t time_parameter = kNone;
  double cycle_offset = 0.0;
  Range transitions = {};
};

// What an additive layer's poses are compared with: a moment of a clip.
struct ReferencePose {
  ClipId clip = {};
  float seconds = 0.0f;
  std::vector<SoaTransform> locals = {};
  std::vector<SoaTransform> in_place = {};  // without the clip's root motion, as poses are where it is extracted
  std::vector<float> morphs = {};
};

struct PathHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using NameIndex = std::unordered_map<std::string, std::uint32_t, PathHash, std::equal_to<>>;

struct GraphLayer {
  std::string name = {};
  LayerKind kind = LayerKind::override;
  float weight = 1.0f;
  std::vector<float> mask = {};  // empty: all
  float root_share = 1.0f;       // the mask's at the root bone
  std::uint32_t master = 0;      // the layer whose states it is in; its own number: itself
  bool own_timing = false;
  std::vector<std::uint32_t> followers = {};
  std::vector<std::uint32_t> motions = {};  // by state; kNone: without
  std::vector<ReferencePose> references = {};

  // Used by layers that are not synchronised to another.
  std::vector<State> states = {};
  bool follows_time_parameters = false;  // any of its states does
  std::vector<Machine> machines = {};    // 0: the layer's
  std::vector<Transition> transitions = {};
  std::vector<Route> routes = {};
  std::vector<Condition> conditions = {};
  std::vector<std::uint32_t> any_lists = {};
  NameIndex by_path = {};

  // Where its two slots are in an animator's buffers, and how large each is.
  std::uint32_t weights_base = 0, weights_size = 0;
  std::uint32_t clocks_base = 0, clocks_size = 1;
  std::uint32_t cursors_base = 0, cursors_size = 0;
};

struct GraphData {
  std::vector<ParameterType> parameter_types = {};
  std::vector<double> initial = {};
  NameIndex parameters = {};
  std::vector<StateMotion> motions = {};
  std::vector<GraphLayer> layers = {};
  std::vector<RootTrack> root_tracks = {};  // by clip of the rig; empty: does not move its root
  RootChain root_chain;
  std::uint32_t weights = 0, clocks = 0, cursors = 0;  // sizes of an animator's buffers
};

}  // namespace throng::detail::animator
