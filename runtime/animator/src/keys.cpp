#include "keys.h"

#include <algorithm>
#include <map>
#include <optional>

#include "keys_curve.h"

namespace throng {
namespace {

using keys::Knot;

// One number list of four bones (or of one morph target): a curve, or nothing and the value that holds throughout.
template <class T, class Value>
struct Lane {
  const Curve<T>* curve = nullptr;
  Value value{};

  Value at(const Knot& knot) const { return curve ? keys::value_at(*curve, knot) : value; }
};

using VectorLane = Lane<glm::vec3, glm::dvec3>;
using TurnLane = Lane<glm::quat, glm::dquat>;

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
  Rig::Keys::MorphRun run;
  std::vector<Curve<glm::vec3>> curves;  // one a target
  double tolerance = 0.0;
};

// A list before its values: every channel whose own knots are the same ones.
struct Draft {
  std::vector<Knot> knots;
  std::vector<Channel<TurnLane>> rotations;
  std::vector<Channel<VectorLane>> translations, scales;
  std::vector<MorphChannel> morphs;
};

class Compiler {
 public:
  Compiler(const Model& model, const Clip& clip, const KeyTolerances& tolerances)
      : model_(model), clip_(clip), tolerances_(tolerances), still_{{{clip.start}}, {}, {}, {}, {}} {}

  Rig::Keys compile() {
    gather_groups();
    gather_morphs();
    Rig::Keys out;
    out.length = local_time(clip_.end);
    out.still = fill(still_);
    for (Draft& draft : drafts_) {
      refine(draft);
      out.lists.push_back(fill(draft));
    }
    return out;
  }

 private:
  float local_time(double time) const { return static_cast<float>(time - clip_.start); }

  template <class T, class Value>
  void set_lane(Lane<T, Value>& lane, const Curve<T>& curve, double tolerance) const {
    if (curve.empty()) return;
    lane.curve = nullptr;
    lane.value = keys::value_at(curve, {clip_.start});
    if (clip_.end > clip_.start && !keys::is_still(curve, tolerance)) lane.curve = &curve;
  }

  void gather_groups() {
    const auto groups = static_cast<std::uint32_t>((model_.bones().size() + 3) / 4);
    std::vector<Channel<TurnLane>> rotations(groups);
    std::vector<Channel<VectorLane>> translations(groups), scales(groups);
    for (std::uint32_t bone = 0; bone < 4 * groups; ++bone) {
      const Transform rest = bone < model_.bones().size() ? model_.bones()[bone].rest : Transform{};
      rotations[bone / 4].lanes[bone % 4].value = rest.rotation;
      translations[bone / 4].lanes[bone % 4].value = rest.translation;
      scales[bone / 4].lanes[bone % 4].value = rest.scale;
    }
    for (const BoneTrack& track : clip_.bones) {
      set_lane(rotations[track.bone / 4].lanes[track.bone % 4], track.rotation, tolerances_.angle);
      set_lane(translations[track.bone / 4].lanes[track.bone % 4], track.translation, tolerances_.distance);
      set_lane(scales[track.bone / 4].lanes[track.bone % 4], track.scale, tolerances_.factor);
    }
    place(std::move(rotations), tolerances_.angle, &Draft::rotations);
    place(std::move(translations), tolerances_.distance, &Draft::translations);
    place(std::move(scales), tolerances_.factor, &Draft::scales);
  }

  template <class C>
  void place(std::vector<C> channels, double tolerance, std::vector<C> Draft::*member) {
    for (std::uint32_t group = 0; group < channels.size(); ++group) {
      C& channel = channels[group];
      channel.group = group;
      channel.tolerance = tolerance;
      std::vector<Knot> knots;
      for (const auto& lane : channel.lanes) {
        if (lane.curve) keys::add_knots(*lane.curve, clip_.start, clip_.end, knots);
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
    for (const MorphTrack& track : clip_.morphs) {
      const auto targets = static_cast<std::uint32_t>(model_.meshes()[track.mesh].morph_weights.size());
      if (targets == 0 || track.weights.empty()) continue;
      MorphChannel channel{{firsts[track.mesh], targets}, {}, tolerances_.factor};
      bool moves = false;
      for (std::uint32_t target = 0; target < targets; ++target) {
        channel.curves.push_back(keys::weight_curve(track.weights, targets, target));
        moves = moves || (clip_.end > clip_.start && !keys::is_still(channel.curves.back(), tolerances_.factor));
      }
      std::vector<Knot> knots;
      if (moves) keys::add_knots(track.weights, clip_.start, clip_.end, knots);
      (moves ? draft_of(std::move(knots)) : still_).morphs.push_back(std::move(channel));
    }
  }

  // The draft with these knots, and the clip's ends.
  Draft& draft_of(std::vector<Knot> knots) {
    knots.push_back({clip_.start, false});
    knots.push_back({clip_.end, false});
    // What comes before a jump stands before it.
    std::sort(knots.begin(), knots.end(),
              [](const Knot& a, const Knot& b) { return a.time != b.time ? a.time < b.time : a.before && !b.before; });
    knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
    const auto [found, added] = draft_by_knots_.try_emplace(knots, drafts_.size());
    if (added) drafts_.push_back({std::move(knots), {}, {}, {}, {}});
    return drafts_[found->second];
  }

  static std::uint32_t pieces(const Draft& draft, const Knot& from, const Knot& to) {
    std::uint32_t most = 1;
    const auto look = [&](const auto& channels) {
      for (const auto& channel : channels) {
        for (const auto& lane : channel.lanes) {
          if (lane.curve) most = std::max(most, keys::pieces(*lane.curve, from, to, channel.tolerance));
        }
      }
    };
    look(draft.rotations);
    look(draft.translations);
    look(draft.scales);
    for (const MorphChannel& channel : draft.morphs) {
      for (const auto& curve : channel.curves) most = std::max(most, keys::pieces(curve, from, to, channel.tolerance));
    }
    return most;
  }

  // Adds knots wherever a straight line would leave a curve's tolerance.
  static void refine(Draft& draft) {
    std::vector<Knot> knots;
    for (std::size_t i = 0; i + 1 < draft.knots.size(); ++i) {
      const Knot& from = draft.knots[i];
      const Knot& to = draft.knots[i + 1];
      knots.push_back(from);
      if (from.time == to.time) continue;
      const std::uint32_t count = knots.size() < draft.knots.size() + keys::kMostCuts ? pieces(draft, from, to) : 1;
      for (std::uint32_t piece = 1; piece < count; ++piece) {
        knots.push_back({from.time + (to.time - from.time) * piece / count, false});
      }
    }
    knots.push_back(draft.knots.back());
    draft.knots = std::move(knots);
  }

  Rig::Keys::List fill(const Draft& draft) const {
    Rig::Keys::List list;
    for (const auto& channel : draft.rotations) list.rotations.push_back(channel.group);
    for (const auto& channel : draft.translations) list.translations.push_back(channel.group);
    for (const auto& channel : draft.scales) list.scales.push_back(channel.group);
    for (const auto& channel : draft.morphs) list.morphs.push_back(channel.run);
    for (const Knot& knot : draft.knots) {
      list.times.push_back(local_time(knot.time));
      const std::size_t before = list.values.size();
      add_row(draft, knot, list);
      list.row = list.values.size() - before;
    }
    return list;
  }

  static void add_row(const Draft& draft, const Knot& knot, Rig::Keys::List& list) {
    for (std::size_t i = 0; i < draft.rotations.size(); ++i) add_turns(draft.rotations[i], i, knot, list);
    const auto add_vectors = [&](const Channel<VectorLane>& channel) {
      std::array<glm::dvec3, 4> values;
      for (std::size_t lane = 0; lane < 4; ++lane) values[lane] = channel.lanes[lane].at(knot);
      for (int axis = 0; axis < 3; ++axis) {
        for (const glm::dvec3& value : values) list.values.push_back(static_cast<float>(value[axis]));
      }
    };
    for (const auto& channel : draft.translations) add_vectors(channel);
    for (const auto& channel : draft.scales) add_vectors(channel);
    for (const auto& channel : draft.morphs) {
      for (const auto& curve : channel.curves) {
        list.values.push_back(static_cast<float>(keys::value_at(curve, knot).x));
      }
    }
  }

  // Each rotation on the side of the one before it, so that a straight line between them takes the short arc.
  static void add_turns(const Channel<TurnLane>& channel, std::size_t index, const Knot& knot, Rig::Keys::List& list) {
    const std::size_t row = list.row;
    std::array<glm::dquat, 4> turns;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      turns[lane] = channel.lanes[lane].at(knot);
      if (row == 0) continue;
      const float* last = list.values.data() + (list.times.size() - 2) * row + 16 * index + lane;
      const glm::dquat before(last[12], last[0], last[4], last[8]);
      if (glm::dot(before, turns[lane]) < 0.0) turns[lane] = -turns[lane];
    }
    for (int axis = 0; axis < 4; ++axis) {
      for (const glm::dquat& turn : turns) {
        const std::array<double, 4> xyzw{turn.x, turn.y, turn.z, turn.w};
        list.values.push_back(static_cast<float>(xyzw[static_cast<std::size_t>(axis)]));
      }
    }
  }

  const Model& model_;
  const Clip& clip_;
  KeyTolerances tolerances_;
  Draft still_;
  std::vector<Draft> drafts_;
  std::map<std::vector<Knot>, std::size_t> draft_by_knots_;
};

}  // namespace

Rig::Keys compile_keys(const Model& model, const Clip& clip, const KeyTolerances& tolerances) {
  return Compiler(model, clip, tolerances).compile();
}

}  // namespace throng
