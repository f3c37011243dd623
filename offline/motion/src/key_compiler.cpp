// SPDX-License-Identifier: Apache-2.0
#include "key_compiler.h"

#include <algorithm>
#include <array>
#include <map>

#include "curve_pieces.h"
#include "throng/pose/pose.h"

namespace throng::detail::motion {
namespace {

// One number list of four bones (or of one morph target): a curve, or nothing and the value that holds throughout.
template <class T, class Value>
struct Lane {
  const Curve<T>* curve = nullptr;
  Value value{};
  Value end{};  // of a curve: where the seam of an open loop leads
};

using VectorLane = Lane<glm::vec3, glm::dvec3>;
using RotationLane = Lane<glm::quat, glm::dquat>;

template <class L>
struct Channel {
  std::uint32_t group = 0;
  std::array<L, 4> lanes{};
  double tolerance = 0.0;

  bool moves() const {
    return std::any_of(lanes.begin(), lanes.end(), [](const L& lane) { return lane.curve != nullptr; });
  }
};

struct MorphChannel {
  MorphRun run;
  std::vector<Curve<glm::vec3>> curves;  // one a target
  double tolerance = 0.0;
};

// What becomes a KeyList, before it is stored.
struct List {
  std::vector<float> times;
  std::size_t row = 0;
  std::vector<float> values;
};

// A list before its values: every channel whose own knots are the same ones.
struct Draft {
  std::vector<Knot> knots;
  std::vector<Channel<RotationLane>> rotations;
  std::vector<Channel<VectorLane>> translations, scales;
  std::vector<MorphChannel> morphs;
};

class Compiler {
 public:
  Compiler(const Model& model, const ClipToKey& from, const KeyTolerances& tolerances, KeyStore& into)
      : model_(model),
        clip_(from.clip),
        root_end_(from.root_end),
        channels_(from.channels),
        end_(from.length > clip_.length() ? clip_.start + from.length : clip_.end),
        tolerances_(tolerances),
        still_{{{clip_.start}}, {}, {}, {}, {}},
        into_(into) {}

  std::uint32_t compile() {
    gather_groups();
    gather_morphs();
    store(still_);
    for (Draft& draft : drafts_) {
      refine(draft);
      store(draft);
    }
    return static_cast<std::uint32_t>(drafts_.size());
  }

 private:
  float local_time(double time) const { return static_cast<float>(time - clip_.start); }

  // Past the source's last key the way leads to `end`.
  template <class T, class Value>
  Value value(const Curve<T>& curve, const Value& end, const Knot& knot) const {
    if (knot.time <= clip_.end) return value_at(curve, knot);
    const double part = std::min(1.0, (knot.time - clip_.end) / (end_ - clip_.end));
    return mixed(value_at(curve, {clip_.end}), end, part);
  }
  // Back to the first pose.
  template <class T>
  auto value(const Curve<T>& curve, const Knot& knot) const {
    return value(curve, value_at(curve, {clip_.start}), knot);
  }
  template <class T, class Value>
  Value value(const Lane<T, Value>& lane, const Knot& knot) const {
    return lane.curve ? value(*lane.curve, lane.end, knot) : lane.value;
  }
  static glm::dvec3 mixed(const glm::dvec3& a, const glm::dvec3& b, double part) { return glm::mix(a, b, part); }
  static glm::dquat mixed(const glm::dquat& a, const glm::dquat& b, double part) { return glm::slerp(a, b, part); }

  template <class T>
  std::uint32_t pieces_of(const Curve<T>& curve, const Knot& from, const Knot& to, double tolerance) const {
    if (from.time < clip_.end) return pieces(curve, from, to, tolerance);
    return pieces_between(value(curve, from), value(curve, to), tolerance);
  }

  template <class T, class Value>
  std::uint32_t pieces_of(const Lane<T, Value>& lane, const Knot& from, const Knot& to, double tolerance) const {
    if (from.time < clip_.end) return pieces(*lane.curve, from, to, tolerance);
    return pieces_between(value(lane, from), value(lane, to), tolerance);
  }

  template <class T, class Value>
  void set_lane(Lane<T, Value>& lane, const Curve<T>& curve, double tolerance) const {
    if (curve.empty()) return;
    lane.curve = nullptr;
    lane.value = value_at(curve, {clip_.start});
    lane.end = lane.value;
    if (end_ > clip_.start && !is_still(curve, tolerance)) lane.curve = &curve;
  }

  // Whether the words of localv move this bone, so that keys say nothing of it; padding lanes count as covered.
  bool is_covered(std::uint32_t bone) const {
    return !channels_.empty() && (bone >= channels_.size() || channels_[bone].covered);
  }

  Transform rest_of(std::uint32_t bone) const {
    if (bone >= model_.bones().size()) return {};
    return is_covered(bone) ? channels_[bone].still : model_.bones()[bone].rest;
  }

  void gather_groups() {
    const auto groups = static_cast<std::uint32_t>((model_.bones().size() + 3) / 4);
    std::vector<Channel<RotationLane>> rotations(groups);
    std::vector<Channel<VectorLane>> translations(groups), scales(groups);
    for (std::uint32_t bone = 0; bone < 4 * groups; ++bone) {
      const Transform rest = rest_of(bone);
      rotations[bone / 4].lanes[bone % 4].value = rest.rotation;
      translations[bone / 4].lanes[bone % 4].value = rest.translation;
      scales[bone / 4].lanes[bone % 4].value = rest.scale;
    }
    for (const BoneTrack& track : clip_.bones) {
      if (is_covered(track.bone)) continue;
      set_lane(rotations[track.bone / 4].lanes[track.bone % 4], track.rotation, tolerances_.angle);
      set_lane(translations[track.bone / 4].lanes[track.bone % 4], track.translation, tolerances_.distance);
      set_lane(scales[track.bone / 4].lanes[track.bone % 4], track.scale, tolerances_.factor);
    }
    if (root_end_ && !is_covered(root_end_->bone)) {
      rotations[root_end_->bone / 4].lanes[root_end_->bone % 4].end = root_end_->parent_from_bone.rotation;
      translations[root_end_->bone / 4].lanes[root_end_->bone % 4].end = root_end_->parent_from_bone.translation;
    }
    place(std::move(rotations), tolerances_.angle, &Draft::rotations);
    place(std::move(translations), tolerances_.distance, &Draft::translations);
    place(std::move(scales), tolerances_.factor, &Draft::scales);
  }

  template <class C>
  void place(std::vector<C> channels, double tolerance, std::vector<C> Draft::*member) {
    for (std::uint32_t group = 0; group < channels.size(); ++group) {
      const std::array bones{4 * group, 4 * group + 1, 4 * group + 2, 4 * group + 3};
      if (std::ranges::all_of(bones, [this](std::uint32_t bone) { return is_covered(bone); })) continue;
      C& channel = channels[group];
      channel.group = group;
      channel.tolerance = tolerance;
      std::vector<Knot> knots;
      for (const auto& lane : channel.lanes) {
        if (lane.curve) add_knots(*lane.curve, clip_.start, clip_.end, knots);
      }
      Draft& draft = channel.moves() ? draft_of(std::move(knots)) : still_;
      (draft.*member).push_back(std::move(channel));
    }
  }

  void gather_morphs() {
    std::vector<std::uint32_t> firsts;
    std::uint32_t count = 0;
    for (const Mesh& mesh : model_.meshes()) {
      firsts.push_back(count);
      count += static_cast<std::uint32_t>(mesh.morph_weights.size());
    }
    // Where a mesh has two tracks, the later one counts.
    std::map<std::uint32_t, const MorphTrack*> tracks;
    for (const MorphTrack& track : clip_.morphs) {
      if (!track.weights.empty()) tracks[track.mesh] = &track;
    }
    for (const auto& [mesh, found] : tracks) {
      const MorphTrack& track = *found;
      const auto targets = static_cast<std::uint32_t>(model_.meshes()[mesh].morph_weights.size());
      if (targets == 0) continue;
      MorphChannel channel{{firsts[mesh], targets}, {}, tolerances_.factor};
      bool moves = false;
      for (std::uint32_t target = 0; target < targets; ++target) {
        channel.curves.push_back(weight_curve(track.weights, targets, target));
        moves = moves || (end_ > clip_.start && !is_still(channel.curves.back(), tolerances_.factor));
      }
      std::vector<Knot> knots;
      if (moves) add_knots(track.weights, clip_.start, clip_.end, knots);
      (moves ? draft_of(std::move(knots)) : still_).morphs.push_back(std::move(channel));
    }
  }

  // The draft with these knots and with the clip's ends.
  Draft& draft_of(std::vector<Knot> knots) {
    knots.push_back({clip_.start, false});
    knots.push_back({clip_.end, false});
    knots.push_back({end_, false});
    // The key that holds what comes before a jump stands before the jump's own.
    std::sort(knots.begin(), knots.end(),
              [](const Knot& a, const Knot& b) { return a.time != b.time ? a.time < b.time : a.before && !b.before; });
    knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
    const auto [found, added] = draft_by_knots_.try_emplace(knots, drafts_.size());
    if (added) drafts_.push_back({std::move(knots), {}, {}, {}, {}});
    return drafts_[found->second];
  }

  std::uint32_t pieces_of(const Draft& draft, const Knot& from, const Knot& to) const {
    std::uint32_t most = 1;
    const auto look = [&](const auto& channels) {
      for (const auto& channel : channels) {
        for (const auto& lane : channel.lanes) {
          if (lane.curve) most = std::max(most, pieces_of(lane, from, to, channel.tolerance));
        }
      }
    };
    look(draft.rotations);
    look(draft.translations);
    look(draft.scales);
    for (const MorphChannel& channel : draft.morphs) {
      for (const auto& curve : channel.curves) most = std::max(most, pieces_of(curve, from, to, channel.tolerance));
    }
    return most;
  }

  // Adds knots wherever a straight line would leave a curve's tolerance.
  void refine(Draft& draft) const {
    std::vector<Knot> knots;
    for (std::size_t i = 0; i + 1 < draft.knots.size(); ++i) {
      const Knot& from = draft.knots[i];
      const Knot& to = draft.knots[i + 1];
      knots.push_back(from);
      if (from.time == to.time) continue;
      const std::uint32_t count = knots.size() < draft.knots.size() + kMostCuts ? pieces_of(draft, from, to) : 1;
      for (std::uint32_t piece = 1; piece < count; ++piece) {
        knots.push_back({from.time + (to.time - from.time) * piece / count, false});
      }
    }
    knots.push_back(draft.knots.back());
    draft.knots = std::move(knots);
  }

  void store(const Draft& draft) const {
    List list;
    for (const Knot& knot : draft.knots) {
      list.times.push_back(local_time(knot.time));
      const std::size_t before = list.values.size();
      add_row(draft, knot, list);
      list.row = list.values.size() - before;
    }
    for (const std::size_t count : {list.times.size(), draft.rotations.size(), draft.translations.size(),
                                    draft.scales.size(), draft.morphs.size()})
      into_.lists.push_back(static_cast<std::uint32_t>(count));
    for (const auto& channel : draft.rotations) into_.lists.push_back(channel.group);
    for (const auto& channel : draft.translations) into_.lists.push_back(channel.group);
    for (const auto& channel : draft.scales) into_.lists.push_back(channel.group);
    for (const auto& channel : draft.morphs) {
      into_.lists.push_back(channel.run.first);
      into_.lists.push_back(channel.run.count);
    }
    into_.times.insert(into_.times.end(), list.times.begin(), list.times.end());
    into_.values.insert(into_.values.end(), list.values.begin(), list.values.end());
  }

  void add_row(const Draft& draft, const Knot& knot, List& list) const {
    for (std::size_t i = 0; i < draft.rotations.size(); ++i) add_rotations(draft.rotations[i], i, knot, list);
    const auto add_vectors = [&](const Channel<VectorLane>& channel) {
      std::array<glm::dvec3, 4> values;
      for (std::size_t lane = 0; lane < 4; ++lane) values[lane] = value(channel.lanes[lane], knot);
      for (int axis = 0; axis < 3; ++axis) {
        for (const glm::dvec3& v : values) list.values.push_back(static_cast<float>(v[axis]));
      }
    };
    for (const auto& channel : draft.translations) add_vectors(channel);
    for (const auto& channel : draft.scales) add_vectors(channel);
    for (const auto& channel : draft.morphs) {
      for (const auto& curve : channel.curves) {
        list.values.push_back(static_cast<float>(value(curve, knot).x));
      }
    }
  }

  // Each rotation on the side of the one before it, so that a straight line between them takes the short arc.
  void add_rotations(const Channel<RotationLane>& channel, std::size_t index, const Knot& knot, List& list) const {
    const std::size_t row = list.row;
    std::array<glm::dquat, 4> rotations;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      rotations[lane] = value(channel.lanes[lane], knot);
      if (row == 0) continue;
      const float* last = list.values.data() + (list.times.size() - 2) * row + 16 * index + lane;
      const glm::dquat before(last[12], last[0], last[4], last[8]);
      if (glm::dot(before, rotations[lane]) < 0.0) rotations[lane] = -rotations[lane];
    }
    for (int axis = 0; axis < 4; ++axis) {
      for (const glm::dquat& q : rotations) {
        const std::array<double, 4> xyzw{q.x, q.y, q.z, q.w};
        list.values.push_back(static_cast<float>(xyzw[static_cast<std::size_t>(axis)]));
      }
    }
  }

  const Model& model_;
  const Clip& clip_;
  const std::optional<RootEnd>& root_end_;
  std::span<const BoneChannels> channels_;
  double end_;  // of the clip's own time, the way back to its first pose included
  KeyTolerances tolerances_;
  Draft still_;
  std::vector<Draft> drafts_;
  std::map<std::vector<Knot>, std::size_t> draft_by_knots_;
  KeyStore& into_;
};

}  // namespace

std::uint32_t compile_keys(const Model& model, const ClipToKey& clip, const KeyTolerances& tolerances, KeyStore& into) {
  return Compiler(model, clip, tolerances, into).compile();
}

}  // namespace throng::detail::motion
